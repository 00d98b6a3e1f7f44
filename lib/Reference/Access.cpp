// Affine maps to strides, and the walk over a loop nest.

#include "Access.h"

#include "planwright/Reference/Tensor.h"

using namespace mlir;

namespace planwright::reference {

/// Adds `factor * expr` to the access, where `expr` is linear.
static LogicalResult addLinear(AffineExpr expr, int64_t factor, Access &access) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    access.strides[dim.getPosition()] += factor;
    return success();
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    access.offset += factor * constant.getValue();
    return success();
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  if (expr.getKind() == AffineExprKind::Add)
    return success(succeeded(addLinear(binary.getLHS(), factor, access)) &&
                   succeeded(addLinear(binary.getRHS(), factor, access)));
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Mul && scale)
    return addLinear(binary.getLHS(), factor * scale.getValue(), access);
  return failure();
}

FailureOr<Access> getAccess(AffineMap map, ArrayRef<int64_t> shape) {
  Access access;
  access.strides.assign(map.getNumDims(), 0);
  SmallVector<int64_t> strides = getRowMajorStrides(shape);
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), strides))
    if (failed(addLinear(expr, stride, access)))
      return failure();
  return access;
}

Access restrictTo(const Access &access, ArrayRef<unsigned> loops) {
  Access result;
  result.offset = access.offset;
  for (unsigned loop : loops)
    result.strides.push_back(access.strides[loop]);
  return result;
}

bool isContiguous(const Access &access, ArrayRef<int64_t> sizes) {
  int64_t expected = 1;
  for (size_t d = sizes.size(); d-- > 0; expected *= sizes[d])
    if (sizes[d] != 1 && access.strides[d] != expected)
      return false;
  return access.offset == 0;
}

Cursor::Cursor(ArrayRef<int64_t> loopSizes, const Access &access)
    : offset(access.offset), element(access.offset) {
  for (auto [size, stride] : llvm::zip_equal(loopSizes, access.strides)) {
    if (size == 1)
      continue;
    if (!sizes.empty() && strides.back() == stride * size) {
      sizes.back() *= size;
      strides.back() = stride;
      continue;
    }
    sizes.push_back(size);
    strides.push_back(stride);
  }
  if (sizes.empty()) {
    sizes.push_back(1);
    strides.push_back(0);
  }
  indices.assign(sizes.size(), 0);
}

void Cursor::seek(int64_t position) {
  element = offset;
  for (size_t d = sizes.size(); d-- > 0; position /= sizes[d]) {
    indices[d] = position % sizes[d];
    element += indices[d] * strides[d];
  }
}

void Cursor::step(int64_t count) {
  indices.back() += count;
  element += count * strides.back();
  for (size_t d = sizes.size(); d-- > 1 && indices[d] == sizes[d];) {
    indices[d] = 0;
    element += strides[d - 1] - sizes[d] * strides[d];
    ++indices[d - 1];
  }
}

} // namespace planwright::reference
