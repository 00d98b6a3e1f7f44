// Conversions between scalar types, and powers with an integer exponent.

#include "ScalarTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace planwright::reference {

using Copy = decltype([](auto a) { return a; });
using Negate = decltype([](int64_t a) { return -a; });
using Saturate = decltype([](auto a) { return saturateToInteger(a); });
using SaturateUnsigned = decltype([](double a) {
  // Two halves, as the upper one does not fit a signed integer.
  return a >= 0x1p63 ? saturateToInteger(a - 0x1p63) ^ INT64_MIN : a > 0 ? saturateToInteger(a) : 0;
});

/// Between floats of any width; the caller rounds to the result's.
static Kernel chooseFloatToFloat(Operation *, ArrayRef<Lane> operands, Lane result) {
  if (operands[0] == Lane::F32)
    return result == Lane::F32 ? kernel<Copy, float, float> : kernel<Copy, double, float>;
  return result == Lane::F32 ? kernel<Copy, float, double> : kernel<Copy, double, double>;
}

template <typename Integer>
static Kernel chooseIntegerToFloat(Operation *, ArrayRef<Lane>, Lane result) {
  return result == Lane::F32 ? kernel<Copy, float, Integer> : kernel<Copy, double, Integer>;
}

template <typename Function>
static Kernel chooseFloatToInteger(Operation *, ArrayRef<Lane> operands, Lane) {
  return operands[0] == Lane::F32 ? kernel<Function, int64_t, float>
                                  : kernel<Function, int64_t, double>;
}

/// i1 stands as 0 or 1, so its sign has to be made.
static Kernel chooseSignExtend(Operation *op, ArrayRef<Lane>, Lane) {
  bool isBit = getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(1);
  return isBit ? kernel<Negate, int64_t, int64_t> : kernel<Copy, int64_t, int64_t>;
}

static Kernel chooseCopy(Operation *, ArrayRef<Lane>, Lane) {
  return kernel<Copy, int64_t, int64_t>;
}

/// Reinterprets bits. A float that is computed wider than its type has no such bits.
static Kernel chooseBitcast(Operation *op, ArrayRef<Lane> operands, Lane result) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  if (from == to)
    return operands[0] == Lane::I64 ? kernel<Copy, int64_t, int64_t>
                                    : chooseFloatToFloat(op, operands, result);
  if (from.isF32() && to.isInteger(32) && operands[0] == Lane::F32)
    return kernel<decltype([](float a) { return std::bit_cast<int32_t>(a); }), int64_t, float>;
  if (from.isInteger(32) && to.isF32() && result == Lane::F32)
    return kernel<decltype([](int64_t a) { return std::bit_cast<float>(int32_t(a)); }), float,
                  int64_t>;
  if (from.isF64() && to.isInteger(64))
    return kernel<decltype([](double a) { return std::bit_cast<int64_t>(a); }), int64_t, double>;
  if (from.isInteger(64) && to.isF64())
    return kernel<decltype([](int64_t a) { return std::bit_cast<double>(a); }), double, int64_t>;
  if (from.isBF16() && to.isInteger(16) && operands[0] == Lane::F32)
    return kernel<decltype([](float a) { return int16_t(brainFromFloat(a)); }), int64_t, float>;
  if (from.isInteger(16) && to.isBF16() && result == Lane::F32)
    return kernel<decltype([](int64_t a) { return floatFromBrain(uint16_t(a)); }), float, int64_t>;
  return nullptr;
}

static Kernel choosePower(Operation *, ArrayRef<Lane>, Lane result) {
  using Power = decltype([](double a, int64_t b) { return std::pow(a, double(b)); });
  return result == Lane::F32 ? kernel<Power, float, float, int64_t>
                             : kernel<Power, double, double, int64_t>;
}

void addConversions(ScalarTable &table) {
  table.add(arith::ExtFOp::getOperationName(), {chooseFloatToFloat});
  table.add(arith::TruncFOp::getOperationName(), {chooseFloatToFloat});
  table.add(arith::ExtSIOp::getOperationName(), {chooseSignExtend});
  table.add(arith::ExtUIOp::getOperationName(), {chooseCopy, /*unsignedOperands=*/true});
  table.add(arith::TruncIOp::getOperationName(), {chooseCopy});
  table.add(arith::IndexCastOp::getOperationName(), {chooseSignExtend});
  table.add(arith::IndexCastUIOp::getOperationName(), {chooseCopy, /*unsignedOperands=*/true});
  table.add(arith::SIToFPOp::getOperationName(), {chooseIntegerToFloat<int64_t>});
  table.add(arith::UIToFPOp::getOperationName(),
            {chooseIntegerToFloat<uint64_t>, /*unsignedOperands=*/true});
  table.add(arith::FPToSIOp::getOperationName(), {chooseFloatToInteger<Saturate>});
  table.add(arith::FPToUIOp::getOperationName(), {chooseFloatToInteger<SaturateUnsigned>});
  table.add(arith::BitcastOp::getOperationName(), {chooseBitcast});
  table.add(math::FPowIOp::getOperationName(), {choosePower});
}

} // namespace planwright::reference
