// Following values from the arguments of a task.
#include "lib/Transforms/Sharding/ValueOrigins.h"

#include "lib/Transforms/Sharding/TaskFunctions.h"

using namespace mlir;
using namespace planwright;

ValueOrigins::ValueOrigins(func::FuncOp task) {
  for (BlockArgument argument : task.getArguments())
    origins[argument] = getOrigin(getArgumentObject(task, argument.getArgNumber()));
  for (Operation &op : task.getBody().front()) {
    Origin origin;
    op.walk([&](Operation *inner) { // bodies may read values from outside
      for (Value operand : inner->getOperands())
        add(origin, operand);
    });
    for (Value result : op.getResults())
      origins[result] = origin;
  }
}

ValueOrigins::Origin ValueOrigins::getOrigin(plan::ObjectAttr object) const {
  Origin origin{.isGenerated = false};
  switch (object.getKind()) {
  case plan::ObjectKind::parameter:
    origin.parameter = object;
    break;
  case plan::ObjectKind::input:
    origin.hasInputs = true;
    break;
  case plan::ObjectKind::constant:
  case plan::ObjectKind::scalar:
    break;
  default:
    origin.hasOthers = true;
  }
  return origin;
}

void ValueOrigins::add(Origin &origin, Value value) const {
  Origin other = origins.lookup(value);
  origin.isGenerated &= other.isGenerated;
  origin.hasInputs |= other.hasInputs;
  origin.hasOthers |= other.hasOthers;
  if (!origin.parameter)
    origin.parameter = other.parameter;
}

plan::ObjectAttr ValueOrigins::getParameter(Value value) const {
  Origin origin = origins.lookup(value);
  return origin.hasInputs || origin.hasOthers ? plan::ObjectAttr() : origin.parameter;
}

bool ValueOrigins::isFromInputs(Value value) const {
  Origin origin = origins.lookup(value);
  return origin.hasInputs && !origin.hasOthers && !origin.parameter;
}

bool ValueOrigins::isGenerated(Value value) const { return origins.lookup(value).isGenerated; }
