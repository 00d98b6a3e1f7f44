// The walk that collects facts. The rules, one per operation, are in IndexTransfer.cpp.
#include "dialects/StableHLO/Transforms/IndexFacts.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace planwright::stablehlo {

bool AffineForm::isConstant() const {
  return llvm::all_of(strides, [](int64_t stride) { return stride == 0; });
}

/// Whether a value of [low, high] can be stored in `type`. Numbers beyond that have wrapped around,
/// and 64-bit unsigned ones may not fit our own arithmetic.
static bool fits(Type type, int64_t low, int64_t high) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() > 64)
    return false;
  bool isUnsigned = integer.isUnsigned() || integer.getWidth() == 1;
  if (isUnsigned)
    return low >= 0 && (integer.getWidth() >= 63 || high < (int64_t(1) << integer.getWidth()));
  if (integer.getWidth() == 64)
    return true;
  int64_t half = int64_t(1) << (integer.getWidth() - 1);
  return low >= -half && high < half;
}

/// An affine form gives a range.
static bool restrictToAffine(IndexFacts &facts, ArrayRef<int64_t> shape) {
  int64_t low = facts.affine->offset, high = low;
  for (auto [stride, size] : llvm::zip_equal(facts.affine->strides, shape)) {
    int64_t reach;
    if (llvm::MulOverflow(stride, std::max<int64_t>(size - 1, 0), reach) ||
        llvm::AddOverflow(reach < 0 ? low : high, reach, reach < 0 ? low : high))
      return false;
  }
  facts.low = std::max(facts.low, low);
  facts.high = std::min(facts.high, high);
  return true;
}

IndexAnalysis::IndexAnalysis(Operation *root) {
  root->walk([&](Operation *op) { visit(op); });
}

const IndexFacts *IndexAnalysis::get(Value value) const {
  auto found = facts.find(value);
  return found == facts.end() ? nullptr : &found->second;
}

void IndexAnalysis::visit(Operation *op) {
  if (op->getNumResults() != 1)
    return;
  Value result = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  IndexTransfer transfer = getIndexTransfer(op->getName().getStringRef());
  if (!type || !transfer || !isa<IntegerType>(type.getElementType()))
    return;
  std::optional<IndexFacts> derived = transfer(op, *this);
  if (!derived)
    return;
  if (derived->affine && !restrictToAffine(*derived, type.getShape()))
    return;
  if (fits(type.getElementType(), derived->low, derived->high))
    facts[result] = std::move(*derived);
}

} // namespace planwright::stablehlo
