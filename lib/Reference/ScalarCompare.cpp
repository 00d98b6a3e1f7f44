// Comparisons, tests and selection.

#include "ScalarTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <array>
#include <cmath>

using namespace mlir;

namespace planwright::reference {

/// One relation on every kind of lane. Integers compared without sign are given as uint64_t.
template <typename Function> struct Relation {
  static constexpr Kernel f32 = kernel<Function, int64_t, float, float>;
  static constexpr Kernel f64 = kernel<Function, int64_t, double, double>;
  static constexpr Kernel i64 = kernel<Function, int64_t, int64_t, int64_t>;
  static constexpr Kernel u64 = kernel<Function, int64_t, uint64_t, uint64_t>;
};

// The six relations, false on NaN but for "unequal", and the same negated for the unordered
// predicates.
using Less = decltype([](auto a, auto b) { return a < b; });
using LessEqual = decltype([](auto a, auto b) { return a <= b; });
using Greater = decltype([](auto a, auto b) { return a > b; });
using GreaterEqual = decltype([](auto a, auto b) { return a >= b; });
using Equal = decltype([](auto a, auto b) { return a == b; });
using Unequal = decltype([](auto a, auto b) { return a != b; });
using NotLess = decltype([](auto a, auto b) { return !(a < b); });
using NotLessEqual = decltype([](auto a, auto b) { return !(a <= b); });
using NotGreater = decltype([](auto a, auto b) { return !(a > b); });
using NotGreaterEqual = decltype([](auto a, auto b) { return !(a >= b); });
using LessOrGreater = decltype([](auto a, auto b) { return a < b || a > b; });
using NeitherLessNorGreater = decltype([](auto a, auto b) { return !(a < b || a > b); });
using Ordered = decltype([](auto a, auto b) { return a == a && b == b; });
using Unordered = decltype([](auto a, auto b) { return a != a || b != b; });
using Never = decltype([](auto, auto) { return false; });
using Always = decltype([](auto, auto) { return true; });

template <typename... Functions> static Kernel chooseFloat(unsigned predicate, bool isDouble) {
  static constexpr std::array f32 = {Relation<Functions>::f32...};
  static constexpr std::array f64 = {Relation<Functions>::f64...};
  return (isDouble ? f64 : f32)[predicate];
}

static Kernel chooseCmpF(Operation *op, ArrayRef<Lane> operands, Lane) {
  // In the order of arith::CmpFPredicate.
  return chooseFloat<Never, Equal, Greater, GreaterEqual, Less, LessEqual, LessOrGreater, Ordered,
                     NeitherLessNorGreater, NotLessEqual, NotLess, NotGreaterEqual, NotGreater,
                     Unequal, Unordered, Always>(
      static_cast<unsigned>(cast<arith::CmpFOp>(op).getPredicate()), operands[0] == Lane::F64);
}

/// Sign-extended lanes: the order of unsigned values is the order of the lanes seen as uint64_t.
static Kernel chooseCmpI(Operation *op, ArrayRef<Lane>, Lane) {
  // In the order of arith::CmpIPredicate.
  static constexpr std::array table = {Relation<Equal>::i64,   Relation<Unequal>::i64,
                                       Relation<Less>::i64,    Relation<LessEqual>::i64,
                                       Relation<Greater>::i64, Relation<GreaterEqual>::i64,
                                       Relation<Less>::u64,    Relation<LessEqual>::u64,
                                       Relation<Greater>::u64, Relation<GreaterEqual>::u64};
  return table[static_cast<unsigned>(cast<arith::CmpIOp>(op).getPredicate())];
}

static Kernel chooseSelect(Operation *, ArrayRef<Lane>, Lane result) {
  using Select = decltype([](int64_t condition, auto a, auto b) { return condition ? a : b; });
  if (result == Lane::F32)
    return kernel<Select, float, int64_t, float, float>;
  if (result == Lane::F64)
    return kernel<Select, double, int64_t, double, double>;
  return kernel<Select, int64_t, int64_t, int64_t, int64_t>;
}

template <typename Op, typename Function> static void addTest(ScalarTable &table, Function) {
  table.add(Op::getOperationName(), {[](Operation *, ArrayRef<Lane> operands, Lane) -> Kernel {
              return operands[0] == Lane::F64 ? kernel<Function, int64_t, double>
                                              : kernel<Function, int64_t, float>;
            }});
}

void addComparisons(ScalarTable &table) {
  table.add(arith::CmpFOp::getOperationName(), {chooseCmpF});
  table.add(arith::CmpIOp::getOperationName(), {chooseCmpI});
  table.add(arith::SelectOp::getOperationName(), {chooseSelect});
  addTest<math::IsNaNOp>(table, [](auto a) { return std::isnan(a); });
  addTest<math::IsInfOp>(table, [](auto a) { return std::isinf(a); });
  addTest<math::IsFiniteOp>(table, [](auto a) { return std::isfinite(a); });
}

} // namespace planwright::reference
