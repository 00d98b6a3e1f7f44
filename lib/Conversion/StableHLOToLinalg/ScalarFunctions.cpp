// Scalar rules: exponentials, logarithms, roots, angles, error functions.
#include "ScalarRules.h"

using namespace mlir;

namespace planwright {

template <typename Op> static Value emitUnary(const ScalarOp &s) { return s.make<Op>(s.x[0]); }

static Value emitAtan2(const ScalarOp &s) { return s.make<math::Atan2Op>(s.x[0], s.x[1]); }

/// 1 / (1 + e^-x)
static Value emitLogistic(const ScalarOp &s) {
  Value one = s.number(1);
  Value exponential = s.make<math::ExpOp>(s.make<arith::NegFOp>(s.x[0]));
  return s.make<arith::DivFOp>(one, s.make<arith::AddFOp>(one, exponential));
}

/// 1 / sqrt(x) in one operation, or as a constant.
static Value emitRsqrt(const ScalarOp &s) { return s.make<math::RsqrtOp>(s.x[0]); }

void addFunctionRules(ScalarTable &table) {
  table["stablehlo.exponential"] = emitUnary<math::ExpOp>;
  table["stablehlo.exponential_minus_one"] = emitUnary<math::ExpM1Op>;
  table["stablehlo.log"] = emitUnary<math::LogOp>;
  table["stablehlo.log_plus_one"] = emitUnary<math::Log1pOp>;
  table["stablehlo.sqrt"] = emitUnary<math::SqrtOp>;
  table["stablehlo.rsqrt"] = emitRsqrt;
  table["stablehlo.cbrt"] = emitUnary<math::CbrtOp>;
  table["stablehlo.sine"] = emitUnary<math::SinOp>;
  table["stablehlo.cosine"] = emitUnary<math::CosOp>;
  table["stablehlo.tan"] = emitUnary<math::TanOp>;
  table["stablehlo.tanh"] = emitUnary<math::TanhOp>;
  table["stablehlo.atan2"] = emitAtan2;
  table["stablehlo.logistic"] = emitLogistic;
  table["chlo.acos"] = emitUnary<math::AcosOp>;
  table["chlo.acosh"] = emitUnary<math::AcoshOp>;
  table["chlo.asin"] = emitUnary<math::AsinOp>;
  table["chlo.asinh"] = emitUnary<math::AsinhOp>;
  table["chlo.atan"] = emitUnary<math::AtanOp>;
  table["chlo.atanh"] = emitUnary<math::AtanhOp>;
  table["chlo.cosh"] = emitUnary<math::CoshOp>;
  table["chlo.sinh"] = emitUnary<math::SinhOp>;
  table["chlo.tan"] = emitUnary<math::TanOp>;
  table["chlo.erf"] = emitUnary<math::ErfOp>;
  table["chlo.erfc"] = emitUnary<math::ErfcOp>;
  // torch_xla writes them as custom calls; the target is the name.
  table["mhlo.erf"] = emitUnary<math::ErfOp>;
  table["mhlo.tan"] = emitUnary<math::TanOp>;
  table["mhlo.asin"] = emitUnary<math::AsinOp>;
  table["mhlo.acos"] = emitUnary<math::AcosOp>;
  table["mhlo.atan"] = emitUnary<math::AtanOp>;
  table["mhlo.sinh"] = emitUnary<math::SinhOp>;
  table["mhlo.cosh"] = emitUnary<math::CoshOp>;
}

} // namespace planwright
