// What a maximum's change does to the scalars that are computed from it: the abstract values of
// ShiftInvariance.cpp. Let d be added to the maximum m (another d for each element of m). Every
// value computed from m then
//
//   does not change            Shift{none}
//   has w * d added            Shift{additive, w}        x - m has -1
//   is multiplied by e^(w d)   Shift{multiplicative, w}  exp(x - m) has -1, so does its sum; their
//                                                        quotient has 0
//
// or does something else, and the analysis gives up.
#ifndef PLANWRIGHT_LIB_TRANSFORMS_DERIVE_SHIFT_H
#define PLANWRIGHT_LIB_TRANSFORMS_DERIVE_SHIFT_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace planwright {

/// What happens to a value. A number such as -inf, which no addition changes, is additive with any
/// weight; 0 is multiplicative with any weight.
struct Shift {
  enum class Kind { none, additive, multiplicative };
  Kind kind = Kind::none;
  int weight = 0;
  bool isInfinite = false, isZero = false;

  bool isNone() const { return kind == Kind::none; }
  bool canBe(Kind other) const { return kind == other || isNone(); }
  bool operator==(const Shift &other) const { return kind == other.kind && weight == other.weight; }
  static Shift make(Kind kind, int weight) { return weight == 0 ? Shift() : Shift{kind, weight}; }
};

/// Absent: something else happens.
using MaybeShift = std::optional<Shift>;

/// The shift of x * y^sign.
MaybeShift multiplyShifts(const Shift &x, const Shift &y, int sign);

/// The shift of the result of a scalar operation, from those of its operands.
MaybeShift transferShift(mlir::Operation &op, llvm::ArrayRef<Shift> operands);

/// The shift of a constant.
Shift getConstantShift(mlir::Operation &op);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_DERIVE_SHIFT_H
