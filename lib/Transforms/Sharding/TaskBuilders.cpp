// Zero and reduce tasks, and the order of all tasks.
#include "lib/Transforms/Sharding/TaskBuilders.h"

#include "lib/Transforms/Sharding/TaskFunctions.h"

#include "dialects/Comm/IR/Comm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace planwright;

//===----------------------------------------------------------------------===//
// Combiners on scalars
//===----------------------------------------------------------------------===//

static arith::AtomicRMWKind getKind(plan::Combiner combiner, Type type) {
  bool isFloat = isa<FloatType>(type);
  switch (combiner) {
  case plan::Combiner::sum:
    return isFloat ? arith::AtomicRMWKind::addf : arith::AtomicRMWKind::addi;
  case plan::Combiner::max:
    return isFloat ? arith::AtomicRMWKind::maximumf : arith::AtomicRMWKind::maxs;
  case plan::Combiner::min:
    return isFloat ? arith::AtomicRMWKind::minimumf : arith::AtomicRMWKind::mins;
  }
  return arith::AtomicRMWKind::addf;
}

Value planwright::buildCombine(OpBuilder &builder, Location loc, plan::Combiner combiner, Value a,
                               Value b) {
  return arith::getReductionOp(getKind(combiner, a.getType()), builder, loc, a, b);
}

//===----------------------------------------------------------------------===//
// What is partial
//===----------------------------------------------------------------------===//

SmallVector<PartialObject> planwright::getPartialResults(func::FuncOp task, plan::MeshAttr mesh) {
  SmallVector<PartialObject> objects;
  for (auto [index, type] : llvm::enumerate(task.getResultTypes())) {
    plan::ObjectAttr object = getResultObject(task, index);
    plan::LayoutAttr layout = getResultLayout(task, index);
    if (object.getKind() == plan::ObjectKind::residual || !layout.isPartial())
      continue;
    auto global = cast<RankedTensorType>(type);
    objects.push_back(
        {object, global.clone(*layout.getLocalShape(global.getShape(), mesh)), layout});
  }
  return objects;
}

static DictionaryAttr describe(plan::ObjectAttr object, plan::LayoutAttr layout) {
  Builder builder(object.getContext());
  return builder.getDictionaryAttr({builder.getNamedAttr(plan::kLayoutAttrName, layout),
                                    builder.getNamedAttr(plan::kObjectAttrName, object)});
}

static void finishTask(func::FuncOp task, OpBuilder &builder, ValueRange results,
                       ArrayRef<Attribute> attributes) {
  func::ReturnOp::create(builder, task.getLoc(), results);
  updateFunctionType(task);
  task.setAllResultAttrs(attributes);
}

//===----------------------------------------------------------------------===//
// Zero
//===----------------------------------------------------------------------===//

/// Filled with what the combiner over "mb" leaves alone.
static Value buildNeutral(OpBuilder &builder, Location loc, const PartialObject &object,
                          plan::Combiner combiner) {
  Type element = object.type.getElementType();
  Value neutral = arith::getIdentityValue(getKind(combiner, element), element, builder, loc);
  Value init = tensor::EmptyOp::create(builder, loc, object.type.getShape(), element);
  return linalg::FillOp::create(builder, loc, neutral, init).getResult(0);
}

func::FuncOp planwright::buildZeroTask(ModuleOp module, ArrayRef<PartialObject> objects) {
  auto time = StringAttr::get(module.getContext(), plan::kMicroBatchAxis);
  auto isAccumulated = [&](const PartialObject &object) {
    return object.layout.getCombiner(time).has_value();
  };
  if (llvm::none_of(objects, isAccumulated))
    return {};
  func::FuncOp task = createTask(module, module.getLoc(), "zero", plan::TaskKind::zero);
  OpBuilder builder = OpBuilder::atBlockEnd(&task.getBody().front());
  SmallVector<Value> results;
  SmallVector<Attribute> attributes;
  for (const PartialObject &object : llvm::make_filter_range(objects, isAccumulated)) {
    results.push_back(
        buildNeutral(builder, task.getLoc(), object, *object.layout.getCombiner(time)));
    attributes.push_back(
        describe(object.object, object.layout.dropPartial({plan::kMicroBatchAxis})));
  }
  finishTask(task, builder, results, attributes);
  return task;
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

namespace {
/// Objects that one exchange can carry.
struct Bucket {
  plan::ObjectKind kind;
  Type element;
  plan::LayoutAttr layout; ///< of a scalar with the same partial axes
  SmallVector<unsigned> members = {};
  int64_t bytes = 0;
};
} // namespace

static plan::LayoutAttr getPartialPart(plan::LayoutAttr layout) {
  return plan::LayoutAttr::get(layout.getContext(), {}, layout.getPartialAxes(),
                               layout.getPartialCombiners());
}

/// In the order of the objects; a bucket is closed when the next member would not fit.
static SmallVector<Bucket> fillBuckets(ArrayRef<PartialObject> objects, int64_t bucketBytes) {
  SmallVector<Bucket> buckets;
  for (auto [index, object] : llvm::enumerate(objects)) {
    Bucket wanted{object.object.getKind(), object.type.getElementType(),
                  getPartialPart(object.layout)};
    int64_t bytes = comm::getNumBytes(Type(object.type));
    auto takes = [&](const Bucket &bucket) {
      return bucket.kind == wanted.kind && bucket.element == wanted.element &&
             bucket.layout == wanted.layout;
    };
    // Only the last bucket of a sort may still be open.
    auto open = llvm::find_if(llvm::reverse(buckets), takes);
    bool fits = open != buckets.rend() && open->bytes + bytes <= bucketBytes;
    Bucket &bucket = fits ? *open : buckets.emplace_back(wanted);
    bucket.members.push_back(index);
    bucket.bytes += bytes;
  }
  return buckets;
}

/// One exchange per combiner; over several axes at once.
static SmallVector<Value> buildAllReduce(OpBuilder &builder, Location loc, const Bucket &bucket,
                                         SmallVector<Value> values) {
  llvm::MapVector<plan::Combiner, SmallVector<Attribute>> axes;
  for (auto [axis, combiner] :
       llvm::zip_equal(bucket.layout.getPartialAxes(), bucket.layout.getPartialCombiners()))
    axes[combiner].push_back(axis);
  for (auto &[combiner, names] : axes) {
    auto reduce = comm::AllReduceOp::create(builder, loc, ValueRange(values).getTypes(), values,
                                            builder.getArrayAttr(names), combiner);
    values.assign(reduce.result_begin(), reduce.result_end());
  }
  return values;
}

/// Those that are partial over ranks, with "mb" forgotten: it has been dealt with by then.
static SmallVector<PartialObject> getPartialOverRanks(ArrayRef<PartialObject> objects) {
  SmallVector<PartialObject> result;
  for (PartialObject object : objects) {
    object.layout = object.layout.dropPartial({plan::kMicroBatchAxis});
    if (object.layout.isPartial())
      result.push_back(object);
  }
  return result;
}

func::FuncOp planwright::buildReduceTask(ModuleOp module, StringRef name,
                                         ArrayRef<PartialObject> objects, int64_t bucketBytes) {
  SmallVector<PartialObject> partial = getPartialOverRanks(objects);
  if (partial.empty())
    return {};
  func::FuncOp task = createTask(module, module.getLoc(), name, plan::TaskKind::reduce);
  OpBuilder builder = OpBuilder::atBlockEnd(&task.getBody().front());
  SmallVector<Value> results;
  SmallVector<Attribute> attributes;
  for (const PartialObject &object : partial) {
    unsigned index = task.getNumArguments();
    (void)task.insertArgument(index, object.type, describe(object.object, object.layout),
                              task.getLoc());
    results.push_back(task.getArgument(index));
    auto whole = plan::LayoutAttr::get(module.getContext(), object.layout.getDims(), {}, {});
    attributes.push_back(describe(object.object, whole));
  }
  for (const Bucket &bucket : fillBuckets(partial, bucketBytes)) {
    auto members = llvm::map_to_vector(bucket.members, [&](unsigned m) { return results[m]; });
    SmallVector<Value> reduced = buildAllReduce(builder, task.getLoc(), bucket, members);
    for (auto [member, value] : llvm::zip_equal(bucket.members, reduced))
      results[member] = value;
  }
  finishTask(task, builder, results, attributes);
  return task;
}

//===----------------------------------------------------------------------===//
// Schedule
//===----------------------------------------------------------------------===//

ArrayAttr planwright::buildSchedule(const StepTasks &tasks, plan::MeshAttr mesh) {
  SmallVector<Attribute> steps;
  auto run = [&](func::FuncOp task, int64_t mb) {
    if (task)
      steps.push_back(plan::StepAttr::get(mesh.getContext(), FlatSymbolRefAttr::get(task), mb));
  };
  int64_t numMicroBatches = mesh.getSize(plan::kMicroBatchAxis);
  run(tasks.zero, -1);
  for (int64_t mb = 0; mb < numMicroBatches; ++mb)
    run(tasks.prologue, mb);
  run(tasks.prologueReduce, -1);
  for (int64_t mb = 0; mb < numMicroBatches; ++mb) {
    run(tasks.forward, mb);
    run(tasks.backward, mb);
  }
  run(tasks.reduce, -1);
  run(tasks.update, -1);
  return ArrayAttr::get(mesh.getContext(), steps);
}
