// Float arithmetic and the functions of the math dialect. A float lane computes functions in double
// and rounds once, so that the referee's own error stays below that of whatever it judges.

#include "ScalarTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;

namespace planwright::reference {

/// Registers `Function` on floats and doubles; Operands is one type per operand, only counted.
template <typename Op, typename Function, int arity> static void addFloat(ScalarTable &table) {
  table.add(Op::getOperationName(), {[](Operation *, ArrayRef<Lane>, Lane result) -> Kernel {
              bool isDouble = result == Lane::F64;
              if constexpr (arity == 1)
                return isDouble ? kernel<Function, double, double> : kernel<Function, float, float>;
              else if constexpr (arity == 2)
                return isDouble ? kernel<Function, double, double, double>
                                : kernel<Function, float, float, float>;
              else
                return isDouble ? kernel<Function, double, double, double, double>
                                : kernel<Function, float, float, float, float>;
            }});
}

template <typename Op, typename Function> static void unary(ScalarTable &table, Function) {
  addFloat<Op, Function, 1>(table);
}
template <typename Op, typename Function> static void binary(ScalarTable &table, Function) {
  addFloat<Op, Function, 2>(table);
}
template <typename Op, typename Function> static void ternary(ScalarTable &table, Function) {
  addFloat<Op, Function, 3>(table);
}

/// IEEE maximum and minimum: a NaN on either side wins.
template <typename T> static T maximum(T a, T b) {
  return std::isnan(a) || a > b ? a : std::isnan(b) || b > a ? b : a;
}
template <typename T> static T minimum(T a, T b) {
  return std::isnan(a) || a < b ? a : std::isnan(b) || b < a ? b : a;
}

void addFloatArithmetic(ScalarTable &table) {
  binary<arith::AddFOp>(table, [](auto a, auto b) { return a + b; });
  binary<arith::SubFOp>(table, [](auto a, auto b) { return a - b; });
  binary<arith::MulFOp>(table, [](auto a, auto b) { return a * b; });
  binary<arith::DivFOp>(table, [](auto a, auto b) { return a / b; });
  binary<arith::RemFOp>(table, [](auto a, auto b) { return std::fmod(a, b); });
  unary<arith::NegFOp>(table, [](auto a) { return -a; });
  binary<arith::MaximumFOp>(table, [](auto a, auto b) { return maximum(a, b); });
  binary<arith::MinimumFOp>(table, [](auto a, auto b) { return minimum(a, b); });
  binary<arith::MaxNumFOp>(table, [](auto a, auto b) { return std::fmax(a, b); });
  binary<arith::MinNumFOp>(table, [](auto a, auto b) { return std::fmin(a, b); });
  ternary<math::FmaOp>(table, [](auto a, auto b, auto c) { return std::fma(a, b, c); });
  unary<math::AbsFOp>(table, [](auto a) { return std::fabs(a); });
  unary<math::CeilOp>(table, [](auto a) { return std::ceil(a); });
  unary<math::FloorOp>(table, [](auto a) { return std::floor(a); });
  unary<math::RoundOp>(table, [](auto a) { return std::round(a); });
  unary<math::RoundEvenOp>(table, [](auto a) { return std::nearbyint(a); });
  unary<math::TruncOp>(table, [](auto a) { return std::trunc(a); });
  ternary<math::ClampFOp>(
      table, [](auto a, auto low, auto high) { return minimum(maximum(a, low), high); });
  binary<math::CopySignOp>(table, [](auto a, auto b) { return std::copysign(a, b); });
}

void addFloatFunctions(ScalarTable &table) {
  unary<math::ExpOp>(table, [](double a) { return std::exp(a); });
  unary<math::Exp2Op>(table, [](double a) { return std::exp2(a); });
  unary<math::ExpM1Op>(table, [](double a) { return std::expm1(a); });
  unary<math::LogOp>(table, [](double a) { return std::log(a); });
  unary<math::Log2Op>(table, [](double a) { return std::log2(a); });
  unary<math::Log10Op>(table, [](double a) { return std::log10(a); });
  unary<math::Log1pOp>(table, [](double a) { return std::log1p(a); });
  unary<math::SqrtOp>(table, [](double a) { return std::sqrt(a); });
  unary<math::RsqrtOp>(table, [](double a) { return 1 / std::sqrt(a); });
  unary<math::CbrtOp>(table, [](double a) { return std::cbrt(a); });
  unary<math::SinOp>(table, [](double a) { return std::sin(a); });
  unary<math::CosOp>(table, [](double a) { return std::cos(a); });
  unary<math::TanOp>(table, [](double a) { return std::tan(a); });
  unary<math::AsinOp>(table, [](double a) { return std::asin(a); });
  unary<math::AcosOp>(table, [](double a) { return std::acos(a); });
  unary<math::AtanOp>(table, [](double a) { return std::atan(a); });
  unary<math::SinhOp>(table, [](double a) { return std::sinh(a); });
  unary<math::CoshOp>(table, [](double a) { return std::cosh(a); });
  unary<math::TanhOp>(table, [](double a) { return std::tanh(a); });
  unary<math::AsinhOp>(table, [](double a) { return std::asinh(a); });
  unary<math::AcoshOp>(table, [](double a) { return std::acosh(a); });
  unary<math::AtanhOp>(table, [](double a) { return std::atanh(a); });
  unary<math::ErfOp>(table, [](double a) { return std::erf(a); });
  unary<math::ErfcOp>(table, [](double a) { return std::erfc(a); });
  binary<math::Atan2Op>(table, [](double a, double b) { return std::atan2(a, b); });
  binary<math::PowFOp>(table, [](double a, double b) { return std::pow(a, b); });
}

} // namespace planwright::reference
