// The function @update. Per parameter one generic changes the parameter and its states in place.
// Not here: step scalars (StepScalars.cpp), the norm (GradientNorm.cpp).
#include "lib/Transforms/BuildUpdate/UpdateFunction.h"

#include "dialects/Plan/IR/Plan.h"
#include "lib/Interfaces/Derivative/ScalarExpression.h"
#include "lib/Transforms/BuildUpdate/StepScalars.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Regex.h"

using namespace mlir;

namespace planwright {

namespace {

/// Builds @update: arguments by kind, one kind after the other, each for all parameters that have
/// it.
class UpdateFunction {
public:
  UpdateFunction(OpBuilder &builder, Location loc, const OptimizerSpec &spec,
                 ArrayRef<UpdatedParameter> parameters)
      : builder(builder), loc(loc), spec(spec), parameters(parameters), noDecay(spec.noDecay),
        entries(parameters.size()) {}

  func::FuncOp build();

private:
  /// What the update holds of one parameter; absent where the optimizer does not need it. The
  /// values are arguments at first and the updated tensors in the end.
  struct Entry {
    Value parameter, gradient, moment1, moment2, master;
  };

  Value addArgument(plan::ObjectKind kind, const Twine &name, RankedTensorType type);
  void addObjects(plan::ObjectKind kind, StringRef prefix, Value Entry::*member,
                  function_ref<RankedTensorType(const UpdatedParameter &)> getType);
  void updateParameter(const UpdatedParameter &parameter, Entry &entry, const StepScalars &step,
                       Value clipFactor);
  void addResult(plan::ObjectKind kind, StringRef name, Value value);
  void finish(func::FuncOp function);

  bool hasMoment1() const {
    return spec.kind == OptimizerSpec::Kind::adamw || spec.momentum != 0.0;
  }
  bool hasMoment2() const { return spec.kind == OptimizerSpec::Kind::adamw; }
  /// A part of a stacked parameter does what the parameter does.
  bool decays(StringRef name) const {
    if (auto part = plan::parsePartName(name))
      name = part->first;
    return spec.weightDecay != 0.0 && (spec.noDecay.empty() || !noDecay.match(name));
  }
  Scalar buildStep(Scalar p, Scalar g, Scalar *m, Scalar *v, ArrayRef<Scalar> corrections) const;

  OpBuilder &builder;
  Location loc;
  const OptimizerSpec &spec;
  ArrayRef<UpdatedParameter> parameters;
  llvm::Regex noDecay;
  SmallVector<Entry> entries;
  Block *body = nullptr;
  SmallVector<plan::ObjectAttr> argumentObjects, resultObjects;
  SmallVector<Value> results;
};

} // namespace

static bool isNarrow(const UpdatedParameter &parameter) {
  return parameter.type.getElementTypeBitWidth() < 32;
}

Value UpdateFunction::addArgument(plan::ObjectKind kind, const Twine &name, RankedTensorType type) {
  argumentObjects.push_back(plan::ObjectAttr::get(builder.getContext(), kind, name.str()));
  return body->addArgument(type, loc);
}

/// Adds one argument per parameter for which `getType` gives a type.
void UpdateFunction::addObjects(plan::ObjectKind kind, StringRef prefix, Value Entry::*member,
                                function_ref<RankedTensorType(const UpdatedParameter &)> getType) {
  for (auto [parameter, entry] : llvm::zip_equal(parameters, entries))
    if (RankedTensorType type = getType(parameter))
      entry.*member = addArgument(kind, prefix + parameter.name, type);
}

func::FuncOp UpdateFunction::build() {
  auto function = func::FuncOp::create(builder, loc, "update", builder.getFunctionType({}, {}));
  body = &function.getBody().emplaceBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);

  using Kind = plan::ObjectKind;
  auto wide = [](const UpdatedParameter &parameter) { return parameter.gradientType; };
  auto none = RankedTensorType();
  Value step = addArgument(Kind::scalar, "step", RankedTensorType::get({}, builder.getI64Type()));
  addObjects(Kind::parameter, "", &Entry::parameter,
             [](auto &parameter) { return parameter.type; });
  addObjects(Kind::gradient, "", &Entry::gradient, wide);
  if (hasMoment1())
    addObjects(Kind::state, "m/", &Entry::moment1, wide);
  if (hasMoment2())
    addObjects(Kind::state, "v/", &Entry::moment2, wide);
  addObjects(Kind::state, "master/", &Entry::master,
             [&](auto &parameter) { return isNarrow(parameter) ? wide(parameter) : none; });

  StepScalars stepScalars = buildStepScalars(builder, loc, spec, step);
  auto gradients = llvm::map_to_vector(entries, [](const Entry &entry) { return entry.gradient; });
  GradientNorm norm = buildGradientNorm(builder, loc, spec.clipNorm, gradients);
  for (auto [parameter, entry] : llvm::zip_equal(parameters, entries))
    updateParameter(parameter, entry, stepScalars, norm.factor);

  for (auto [prefix, kind, member] : {std::tuple("", Kind::parameter, &Entry::parameter),
                                      {"m/", Kind::state, &Entry::moment1},
                                      {"v/", Kind::state, &Entry::moment2},
                                      {"master/", Kind::state, &Entry::master}})
    for (auto [parameter, entry] : llvm::zip_equal(parameters, entries))
      if (entry.*member)
        addResult(kind, (prefix + parameter.name).str(), entry.*member);
  addResult(Kind::scalar, "learning_rate", stepScalars.learningRate);
  addResult(Kind::scalar, "grad_norm", norm.norm);
  finish(function);
  return function;
}

/// Change of the parameter per unit of learning rate; `m` and `v` become the new moments.
Scalar UpdateFunction::buildStep(Scalar p, Scalar g, Scalar *m, Scalar *v,
                                 ArrayRef<Scalar> corrections) const {
  if (spec.kind == OptimizerSpec::Kind::sgd) {
    if (!hasMoment1())
      return g;
    *m = spec.momentum * *m + g;
    return *m;
  }
  *m = spec.beta1 * *m + (1.0 - spec.beta1) * g;
  *v = spec.beta2 * *v + (1.0 - spec.beta2) * (g * g);
  return (*m * corrections[0]) / (sqrt(*v * corrections[1]) + spec.epsilon);
}

void UpdateFunction::updateParameter(const UpdatedParameter &parameter, Entry &entry,
                                     const StepScalars &step, Value clipFactor) {
  // Inputs: the gradient, then scalars that every element reads. Outputs: what is changed in place.
  SmallVector<Value> inputs = {entry.gradient, step.learningRate};
  for (Value scalar : {step.correction1, step.correction2, clipFactor})
    if (scalar)
      inputs.push_back(scalar);
  SmallVector<Value *> outputs;
  for (Value *output : {&entry.parameter, &entry.moment1, &entry.moment2, &entry.master})
    if (*output)
      outputs.push_back(output);
  auto outs = llvm::map_to_vector(outputs, [](Value *output) { return *output; });

  int64_t rank = parameter.type.getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps(inputs.size() + outs.size(), identity);
  std::fill(maps.begin() + 1, maps.begin() + inputs.size(),
            AffineMap::get(rank, 0, builder.getContext()));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Type compute = parameter.gradientType.getElementType();

  auto buildBody = [&](OpBuilder &body, Location loc, ValueRange arguments) {
    auto scalars = llvm::map_to_vector(arguments.take_front(inputs.size()), [&](Value argument) {
      return Scalar(body, loc, argument).convert(compute);
    });
    auto old = llvm::map_to_vector(arguments.drop_front(inputs.size()),
                                   [&](Value argument) { return Scalar(body, loc, argument); });
    Scalar g = clipFactor ? scalars.front() * scalars.back() : scalars.front();
    Scalar &p = entry.master ? old.back() : old.front();
    Scalar *m = hasMoment1() ? &old[1] : nullptr, *v = hasMoment2() ? &old[2] : nullptr;
    Scalar change = buildStep(p, g, m, v, ArrayRef(scalars).drop_front(2));
    if (decays(parameter.name))
      change = change + spec.weightDecay * p;
    p = p - scalars[1] * change;
    if (entry.master)
      old.front() = p.convert(parameter.type.getElementType());
    linalg::YieldOp::create(
        body, loc, llvm::map_to_vector(old, [](Scalar scalar) { return scalar.getValue(); }));
  };
  auto update = linalg::GenericOp::create(builder, parameter.loc, TypeRange(ValueRange(outs)),
                                          inputs, outs, maps, loops, buildBody);
  for (auto [output, result] : llvm::zip_equal(outputs, update.getResults()))
    *output = result;
}

void UpdateFunction::addResult(plan::ObjectKind kind, StringRef name, Value value) {
  results.push_back(value);
  resultObjects.push_back(plan::ObjectAttr::get(builder.getContext(), kind, name));
}

void UpdateFunction::finish(func::FuncOp function) {
  func::ReturnOp::create(builder, loc, results);
  function.setType(
      builder.getFunctionType(body->getArgumentTypes(), TypeRange(ValueRange(results))));
  for (auto [index, object] : llvm::enumerate(argumentObjects))
    function.setArgAttr(index, plan::kObjectAttrName, object);
  for (auto [index, object] : llvm::enumerate(resultObjects))
    function.setResultAttr(index, plan::kObjectAttrName, object);
}

func::FuncOp buildUpdateFunction(OpBuilder &builder, Location loc, const OptimizerSpec &spec,
                                 ArrayRef<UpdatedParameter> parameters) {
  return UpdateFunction(builder, loc, spec, parameters).build();
}

} // namespace planwright
