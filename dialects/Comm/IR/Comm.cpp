// Definition and verifiers of the comm dialect.
// Not here: whether sizes agree with the mesh (plan-verify-tasks, which sees one).
#include "dialects/Comm/IR/Comm.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::comm;

#include "dialects/Comm/IR/CommDialect.cpp.inc"
#include "dialects/Comm/IR/CommInterfaces.cpp.inc"

static ParseResult parseCombiner(OpAsmParser &parser, plan::CombinerAttr &combiner) {
  FailureOr<plan::Combiner> parsed = FieldParser<plan::Combiner>::parse(parser);
  if (failed(parsed))
    return failure();
  combiner = plan::CombinerAttr::get(parser.getContext(), *parsed);
  return success();
}

static void printCombiner(OpAsmPrinter &printer, Operation *, plan::CombinerAttr combiner) {
  printer << plan::stringifyCombiner(combiner.getValue());
}

#define GET_OP_CLASSES
#include "dialects/Comm/IR/CommOps.cpp.inc"

void CommDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Comm/IR/CommOps.cpp.inc"
      >();
}

StringRef comm::stringifyCollectiveKind(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllReduce:
    return "all_reduce";
  case CollectiveKind::AllGather:
    return "all_gather";
  case CollectiveKind::ReduceScatter:
    return "reduce_scatter";
  case CollectiveKind::AllToAll:
    return "all_to_all";
  }
  return "";
}

int64_t comm::getNumBytes(TypeRange tensors) {
  int64_t bytes = 0;
  for (Type type : tensors) {
    auto tensor = cast<ShapedType>(type);
    int64_t bits = tensor.getElementType().getIntOrFloatBitWidth();
    bytes += tensor.getNumElements() * llvm::divideCeil(bits, 8);
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// What all verifiers share
//===----------------------------------------------------------------------===//

static LogicalResult verifyAxes(Operation *op, ArrayAttr axes, bool mayNameTime = false) {
  if (axes.empty()) // all_reduce_c2
    return op->emitOpError("names no axis");
  llvm::StringSet<> seen;
  for (auto axis : axes.getAsRange<StringAttr>()) {
    if (!seen.insert(axis.getValue()).second) // all_reduce_c2
      return op->emitOpError("names axis \"") << axis.getValue() << "\" twice";
    if (!mayNameTime && axis.getValue() == plan::kMicroBatchAxis) // all_reduce_c2
      return op->emitOpError(
          "cannot exchange over \"mb\": micro-batches follow each other in time");
  }
  return success();
}

static LogicalResult verifyDim(Operation *op, int64_t dim, ShapedType type) {
  if (dim < 0 || dim >= type.getRank())
    return op->emitOpError("dimension ") << dim << " does not exist in " << type;
  return success();
}

/// `large` is `small` but for `dim`, where it has a multiple of its size.
static LogicalResult verifyMultiple(Operation *op, int64_t dim, ShapedType small,
                                    ShapedType large) {
  if (failed(verifyDim(op, dim, small)))
    return failure();
  SmallVector<int64_t> expected(small.getShape());
  bool sameRank = small.getRank() == large.getRank();
  int64_t grown = sameRank ? large.getDimSize(dim) : 0;
  bool divides = sameRank && (expected[dim] == 0 ? grown == 0 : grown % expected[dim] == 0);
  expected[dim] = grown;
  if (!divides || large.getShape() != ArrayRef<int64_t>(expected) ||
      small.getElementType() != large.getElementType())
    return op->emitOpError("expected ")
           << large << " to be a multiple of " << small << " along dimension " << dim;
  return success();
}

//===----------------------------------------------------------------------===//
// all_reduce
//===----------------------------------------------------------------------===//

LogicalResult AllReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                            ValueRange operands, DictionaryAttr, OpaqueProperties,
                                            RegionRange, SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

LogicalResult AllReduceOp::verify() {
  if (getInputs().empty()) // all_reduce_c1
    return emitOpError("has nothing to reduce");
  Type element = getElementTypeOrSelf(getInputs().front());
  for (Value input : getInputs())
    if (getElementTypeOrSelf(input) != element) // all_reduce_c1
      return emitOpError("one bucket has one element type, found ")
             << element << " and " << getElementTypeOrSelf(input);
  return verifyAxes(*this, getAxes());
}

CollectiveKind AllReduceOp::getKind() { return CollectiveKind::AllReduce; }
ArrayAttr AllReduceOp::getCollectiveAxes() { return getAxes(); }
std::optional<plan::Combiner> AllReduceOp::getReduction() { return getCombiner(); }

//===----------------------------------------------------------------------===//
// all_gather, reduce_scatter, all_to_all, all_slice
//===----------------------------------------------------------------------===//

LogicalResult AllGatherOp::verify() {
  if (failed(verifyMultiple(*this, getDim(), getInput().getType(), getType()))) // all_gather_c1
    return failure();
  return verifyAxes(*this, getAxes()); // all_gather_c2
}

CollectiveKind AllGatherOp::getKind() { return CollectiveKind::AllGather; }
ArrayAttr AllGatherOp::getCollectiveAxes() { return getAxes(); }
std::optional<plan::Combiner> AllGatherOp::getReduction() { return std::nullopt; }

LogicalResult ReduceScatterOp::verify() {
  // reduce_scatter_c1
  if (failed(verifyMultiple(*this, getDim(), getType(), getInput().getType())))
    return failure();
  return verifyAxes(*this, getAxes()); // reduce_scatter_c2
}

CollectiveKind ReduceScatterOp::getKind() { return CollectiveKind::ReduceScatter; }
ArrayAttr ReduceScatterOp::getCollectiveAxes() { return getAxes(); }
std::optional<plan::Combiner> ReduceScatterOp::getReduction() { return getCombiner(); }

LogicalResult AllToAllOp::verify() {
  ShapedType input = getInput().getType();
  ShapedType result = getType();
  int64_t split = getSplitDim(), concat = getConcatDim();
  if (failed(verifyDim(*this, split, input)) || failed(verifyDim(*this, concat, input)))
    return failure();
  // The tensor that the blocks are cut from and put together to, if they met on the way.
  bool agrees = split != concat && input.getRank() == result.getRank() &&
                input.getElementType() == result.getElementType();
  for (int64_t dim = 0; agrees && dim < input.getRank(); ++dim) {
    int64_t before = input.getDimSize(dim), after = result.getDimSize(dim);
    if (dim == split)
      agrees = after != 0 && before % after == 0;
    else if (dim != concat)
      agrees = before == after;
  }
  if (!agrees || input.getNumElements() != result.getNumElements()) // all_to_all_c1
    return emitOpError("cannot turn ") << input << " into " << result << " by cutting dimension "
                                       << split << " and joining along dimension " << concat;
  return verifyAxes(*this, getAxes()); // all_to_all_c2
}

CollectiveKind AllToAllOp::getKind() { return CollectiveKind::AllToAll; }
ArrayAttr AllToAllOp::getCollectiveAxes() { return getAxes(); }
std::optional<plan::Combiner> AllToAllOp::getReduction() { return std::nullopt; }

LogicalResult AllSliceOp::verify() {
  // all_slice_c1
  if (failed(verifyMultiple(*this, getDim(), getType(), getInput().getType())))
    return failure();
  return verifyAxes(*this, getAxes(), /*mayNameTime=*/true); // all_slice_c2
}
