// Definition of the exec dialect and verifiers of its declarations and attributes.
// Not here: verifiers of instructions (ExecSteps.cpp), proofs over a whole program
// (Transforms/Verify.cpp).
#include "dialects/Exec/IR/Exec.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include <algorithm>

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;

#include "dialects/Exec/IR/ExecDialect.cpp.inc"
#include "dialects/Exec/IR/ExecEnums.cpp.inc"
#include "dialects/Exec/IR/ExecInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Exec/IR/ExecAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Exec/IR/ExecOps.cpp.inc"

void ExecDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Exec/IR/ExecAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Exec/IR/ExecOps.cpp.inc"
      >();
}

int64_t exec::getElementBytes(Type elementType) {
  return elementType.isIndex() ? 8 : (elementType.getIntOrFloatBitWidth() + 7) / 8;
}

int64_t exec::getTensorBytes(RankedTensorType type) {
  return type.getNumElements() * getElementBytes(type.getElementType());
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LogicalResult RegionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 FlatSymbolRefAttr buffer, int64_t offset, int64_t size,
                                 int64_t base) {
  if (offset < 0 || base < 0 || size < 1) // region_c1
    return emitError() << "a region of " << buffer << " needs a positive size and an offset and "
                       << "a base that are not negative, found [" << offset << ", " << size
                       << "] base " << base;
  return success();
}

LogicalResult GemmLoopAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t extent,
                                   int64_t, int64_t, int64_t) {
  if (extent < 1) // loop_c1
    return emitError() << "a loop needs a positive extent, found " << extent;
  return success();
}

LogicalResult GemmShapeAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t m,
                                    int64_t n, int64_t k, ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                                    ArrayRef<int64_t> c, ArrayRef<GemmLoopAttr> loops) {
  if (m < 1 || n < 1 || k < 1) // gemm_shape_c1
    return emitError() << "extents must be positive, found m = " << m << ", n = " << n
                       << ", k = " << k;
  const std::pair<StringLiteral, ArrayRef<int64_t>> matrices[] = {{"a", a}, {"b", b}, {"c", c}};
  for (const auto &[matrix, strides] : matrices)
    if (strides.size() != 2 || !llvm::is_contained(strides, 1)) // gemm_shape_c2
      return emitError() << "matrix " << matrix << " needs two strides, one of which is 1, found ["
                         << strides << "]";
  auto isReduction = [](GemmLoopAttr loop) { return loop.getC() == 0; };
  if (!std::is_partitioned(loops.rbegin(), loops.rend(), isReduction)) // gemm_shape_c3
    return emitError() << "reduction loops must be innermost";
  return success();
}

int64_t GemmShapeAttr::getElements(unsigned matrix) const {
  int64_t last = 0;
  auto add = [&](int64_t extent, int64_t stride) { last += (extent - 1) * stride; };
  ArrayRef<int64_t> strides = matrix == 0 ? getA() : matrix == 1 ? getB() : getC();
  add(matrix == 1 ? getK() : getM(), strides[0]);
  add(matrix == 0 ? getK() : getN(), strides[1]);
  for (GemmLoopAttr loop : getLoops())
    add(loop.getExtent(), matrix == 0 ? loop.getA() : matrix == 1 ? loop.getB() : loop.getC());
  return last + 1;
}

LogicalResult ByteLoopAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t extent,
                                   int64_t source, int64_t destination) {
  if (extent < 1 || source < 0 || destination < 0) // byte_loop_c1
    return emitError()
           << "a loop around a copy needs a positive extent and no negative stride, found "
           << extent << ", " << source << " and " << destination;
  return success();
}

LogicalResult CoordinateAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringAttr axis,
                                     int64_t stride) {
  if (stride < 0) // coordinate_c1
    return emitError() << "the stride of " << axis << " must not be negative, found " << stride;
  return success();
}

//===----------------------------------------------------------------------===//
// The program and what it declares
//===----------------------------------------------------------------------===//

int64_t ProgramOp::getSize(StringRef name) {
  for (auto [axis, size] : llvm::zip(getAxes().getAsValueRange<StringAttr>(), getSizes()))
    if (axis == name)
      return size;
  return 1;
}

int64_t ProgramOp::getNumRanks() {
  int64_t ranks = 1;
  for (auto [axis, size] : llvm::zip(getAxes().getAsValueRange<StringAttr>(), getSizes()))
    if (axis != "mb")
      ranks *= size;
  return ranks;
}

void ProgramOp::build(OpBuilder &builder, OperationState &state, StringRef name, ArrayAttr axes,
                      ArrayRef<int64_t> sizes) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.axes = axes;
  properties.sizes = builder.getDenseI64ArrayAttr(sizes);
  properties.events = builder.getI64IntegerAttr(0);
  state.addRegion()->emplaceBlock();
}

void SubprogramOp::build(OpBuilder &builder, OperationState &state, StringRef name) {
  state.getOrAddProperties<Properties>().sym_name = builder.getStringAttr(name);
  state.addRegion()->emplaceBlock();
}

void BufferOp::build(OpBuilder &builder, OperationState &state, StringRef symbol, BufferKind kind,
                     StringRef name, RankedTensorType type, int64_t size) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(symbol);
  properties.kind = BufferKindAttr::get(builder.getContext(), kind);
  properties.name = builder.getStringAttr(name);
  properties.type = TypeAttr::get(type);
  properties.size = builder.getI64IntegerAttr(size);
}

LogicalResult ProgramOp::verify() {
  bool arePositive = llvm::all_of(getSizes(), [](int64_t size) { return size > 0; });
  if (getAxes().size() != getSizes().size() || !arePositive) // program_c1
    return emitOpError("needs one positive size for each axis, found axes ")
           << getAxes() << " and sizes [" << getSizes() << "]";
  return success();
}

LogicalResult ProgramOp::verifyRegions() {
  for (Operation &op : *getBody().begin())
    if (!isa<SymbolOpInterface, TaskOp>(op)) // program_c2
      return op.emitOpError("cannot stand in an exec.program");
  return success();
}

LogicalResult SubprogramOp::verifyRegions() {
  for (Operation &op : *getBody().begin())
    if (!isa<StepOpInterface>(op)) // subprogram_c1
      return op.emitOpError("is not an instruction");
  return success();
}

LogicalResult CommunicatorOp::verify() {
  auto known = (*this)->getParentOfType<ProgramOp>().getAxes().getAsValueRange<StringAttr>();
  llvm::StringSet<> seen;
  for (StringRef axis : getAxes().getAsValueRange<StringAttr>())
    if (axis == "mb" || !llvm::is_contained(known, axis) ||
        !seen.insert(axis).second) // communicator_c1
      return emitOpError("axis \"") << axis << "\" is not an axis of ranks, or stands there twice";
  return success();
}

bool BufferOp::hasMicroBatches() {
  auto namesMb = [](Attribute axes) {
    auto names = dyn_cast<ArrayAttr>(axes);
    return names && llvm::is_contained(names, StringAttr::get(axes.getContext(), "mb"));
  };
  // A residual is divided over "mb" too, but lives within one micro-batch: one block serves them
  // all.
  return getKind() == BufferKind::input && getDimensionAxes() &&
         llvm::any_of(*getDimensionAxes(), namesMb);
}

LogicalResult BufferOp::verify() {
  int64_t parts = hasMicroBatches() ? (*this)->getParentOfType<ProgramOp>().getMicroBatches() : 1;
  int64_t needed = getTensorBytes(getTensorType()) * parts;
  if (static_cast<int64_t>(getSize()) < needed) // buffer_c1
    return emitOpError("has ") << getSize() << " bytes, but " << getType() << " needs " << needed;
  std::optional<int64_t> offset = getOffset();
  if (offset && (*offset < 0 || *offset % kAlignment != 0)) // buffer_c2
    return emitOpError("offset ") << *offset << " is not a multiple of " << kAlignment;
  bool hasData = getData() && getData()->getShapedType() == getType();
  if (hasData != (getKind() == BufferKind::literal)) // buffer_c3
    return emitOpError("a literal, and nothing else, has data of its own type");
  size_t rank = getTensorType().getRank();
  if ((getGlobalShape() && getGlobalShape()->size() != rank) ||
      (getDimensionAxes() && getDimensionAxes()->size() != rank)) // buffer_c4
    return emitOpError("global_shape and dimension_axes need one entry for each of ")
           << rank << " dimensions";
  return success();
}

LogicalResult BufferOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (!getBucketAttr() && !getPartOffset())
    return success();
  auto bucket = getBucketAttr()
                    ? tables.lookupSymbolIn<BufferOp>((*this)->getParentOp(), getBucketAttr())
                    : BufferOp();
  bool isInside = bucket && bucket.getKind() == BufferKind::bucket && getPartOffset() &&
                  static_cast<int64_t>(*getPartOffset()) >= 0 &&
                  *getPartOffset() + getSize() <= bucket.getSize();
  if (!isInside) // buffer_c5
    return emitOpError("does not lie inside a bucket");
  return success();
}

LogicalResult TaskOp::verifySymbolUses(SymbolTableCollection &tables) {
  auto program = (*this)->getParentOfType<ProgramOp>();
  bool isSafePoint = getKind() == TaskKind::safe_point;
  if (isSafePoint != !getSubprogram()) // task_c1
    return emitOpError(isSafePoint ? "a safe point runs no subprogram" : "needs a subprogram");
  if (getSubprogramAttr() &&
      !tables.lookupSymbolIn<SubprogramOp>(program, getSubprogramAttr())) // task_c1
    return emitOpError("there is no exec.subprogram ") << getSubprogramAttr();
  if (getBases() && (getBases()->empty() || getBases()->front() != 0)) // task_c2
    return emitOpError("the first base must be 0");
  std::optional<int64_t> index = getMicroBatch();
  if (index && (*index < 0 || *index >= program.getMicroBatches())) // task_c3
    return emitOpError("micro-batch ")
           << *index << " does not exist, there are " << program.getMicroBatches();
  return success();
}
