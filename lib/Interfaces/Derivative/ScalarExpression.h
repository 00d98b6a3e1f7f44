// Scalar arithmetic written as formulas, so that a derivative rule reads as in a textbook.
//
//   Scalar y = g * cos(x) / (1.0 + x * x);   // builds arith and math operations, folded where they
//   can be
//
// Not here: the rules themselves (ScalarRules.cpp).
#ifndef PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_SCALAREXPRESSION_H
#define PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_SCALAREXPRESSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace planwright {

/// A scalar value together with the place where operations on it are built. A null value means "no
/// gradient".
class Scalar {
public:
  Scalar() = default;
  Scalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value)
      : builder(&builder), loc(loc), value(value) {}

  explicit operator bool() const { return static_cast<bool>(value); }
  mlir::Value getValue() const { return value; }
  mlir::Type getType() const { return value.getType(); }

  /// `number` as a constant of this scalar's type.
  Scalar constant(double number) const;
  /// The value of an operation of kind `Op` on `operands`, the first of which says where to build.
  template <typename Op, typename... Args> Scalar build(Args &&...args) const {
    return Scalar(*builder, *loc, builder->createOrFold<Op>(*loc, std::forward<Args>(args)...));
  }
  /// This scalar extended or truncated to another float type.
  Scalar convert(mlir::Type type) const;

private:
  mlir::OpBuilder *builder = nullptr;
  std::optional<mlir::Location> loc;
  mlir::Value value;
};

Scalar operator+(Scalar x, Scalar y);
Scalar operator-(Scalar x, Scalar y);
Scalar operator*(Scalar x, Scalar y);
Scalar operator/(Scalar x, Scalar y);
Scalar operator-(Scalar x);
inline Scalar operator+(double x, Scalar y) { return y.constant(x) + y; }
inline Scalar operator-(double x, Scalar y) { return y.constant(x) - y; }
inline Scalar operator*(double x, Scalar y) { return y.constant(x) * y; }
inline Scalar operator/(double x, Scalar y) { return y.constant(x) / y; }
inline Scalar operator+(Scalar x, double y) { return x + x.constant(y); }
inline Scalar operator-(Scalar x, double y) { return x - x.constant(y); }
inline Scalar operator/(Scalar x, double y) { return x / x.constant(y); }

/// Ordered comparisons: false where a side is NaN.
Scalar operator<(Scalar x, Scalar y);
Scalar operator>(Scalar x, Scalar y);
Scalar equal(Scalar x, Scalar y);
/// `condition ? x : y`. This, and never a product with 0 or 1, masks a gradient: 0 * NaN is NaN.
Scalar select(Scalar condition, Scalar x, Scalar y);

Scalar exp(Scalar x);
Scalar log(Scalar x);
Scalar sqrt(Scalar x);
Scalar sin(Scalar x);
Scalar cos(Scalar x);
Scalar sinh(Scalar x);
Scalar cosh(Scalar x);
Scalar trunc(Scalar x);
Scalar pow(Scalar x, Scalar y);
Scalar copysign(Scalar x, Scalar y);

/// The number that `x` is, if it is a constant.
std::optional<double> getNumber(Scalar x);

} // namespace planwright

#endif // PLANWRIGHT_LIB_INTERFACES_DERIVATIVE_SCALAREXPRESSION_H
