// The operators of scalar expressions. Not here: derivative rules (ScalarRules.cpp).
#include "lib/Interfaces/Derivative/ScalarExpression.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace planwright {

Scalar Scalar::constant(double number) const {
  Value result =
      arith::ConstantOp::create(*builder, *loc, builder->getFloatAttr(getType(), number));
  return Scalar(*builder, *loc, result);
}

Scalar Scalar::convert(Type type) const {
  if (!value || type == getType())
    return *this;
  if (type.getIntOrFloatBitWidth() > getType().getIntOrFloatBitWidth())
    return build<arith::ExtFOp>(type, value);
  if (type.getIntOrFloatBitWidth() < getType().getIntOrFloatBitWidth())
    return build<arith::TruncFOp>(type, value);
  // f16 and bf16 meet in f32.
  return convert(builder->getF32Type()).convert(type);
}

Scalar operator+(Scalar x, Scalar y) { return x.build<arith::AddFOp>(x.getValue(), y.getValue()); }
Scalar operator-(Scalar x, Scalar y) { return x.build<arith::SubFOp>(x.getValue(), y.getValue()); }
Scalar operator*(Scalar x, Scalar y) { return x.build<arith::MulFOp>(x.getValue(), y.getValue()); }
Scalar operator/(Scalar x, Scalar y) { return x.build<arith::DivFOp>(x.getValue(), y.getValue()); }
Scalar operator-(Scalar x) { return x.build<arith::NegFOp>(x.getValue()); }

static Scalar compare(arith::CmpFPredicate predicate, Scalar x, Scalar y) {
  return x.build<arith::CmpFOp>(predicate, x.getValue(), y.getValue());
}
Scalar operator<(Scalar x, Scalar y) { return compare(arith::CmpFPredicate::OLT, x, y); }
Scalar operator>(Scalar x, Scalar y) { return compare(arith::CmpFPredicate::OGT, x, y); }
Scalar equal(Scalar x, Scalar y) { return compare(arith::CmpFPredicate::OEQ, x, y); }

Scalar select(Scalar condition, Scalar x, Scalar y) {
  return condition.build<arith::SelectOp>(condition.getValue(), x.getValue(), y.getValue());
}

Scalar exp(Scalar x) { return x.build<math::ExpOp>(x.getValue()); }
Scalar log(Scalar x) { return x.build<math::LogOp>(x.getValue()); }
Scalar sqrt(Scalar x) { return x.build<math::SqrtOp>(x.getValue()); }
Scalar sin(Scalar x) { return x.build<math::SinOp>(x.getValue()); }
Scalar cos(Scalar x) { return x.build<math::CosOp>(x.getValue()); }
Scalar sinh(Scalar x) { return x.build<math::SinhOp>(x.getValue()); }
Scalar cosh(Scalar x) { return x.build<math::CoshOp>(x.getValue()); }
Scalar trunc(Scalar x) { return x.build<math::TruncOp>(x.getValue()); }
Scalar pow(Scalar x, Scalar y) { return x.build<math::PowFOp>(x.getValue(), y.getValue()); }
Scalar copysign(Scalar x, Scalar y) {
  return x.build<math::CopySignOp>(x.getValue(), y.getValue());
}

std::optional<double> getNumber(Scalar x) {
  FloatAttr number;
  if (!matchPattern(x.getValue(), m_Constant(&number)))
    return std::nullopt;
  return number.getValueAsDouble();
}

} // namespace planwright
