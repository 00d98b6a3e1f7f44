// Integer arithmetic on 64-bit lanes; the caller cuts results to their width. What the operation
// leaves undefined (division by zero, too large a shift) gives 0 here, never a trap.

#include "ScalarTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <bit>

using namespace mlir;

namespace planwright::reference {

template <typename Op, typename Function> static void binary(ScalarTable &table, Function) {
  table.add(Op::getOperationName(), {[](Operation *, ArrayRef<Lane>, Lane) -> Kernel {
              return kernel<Function, int64_t, int64_t, int64_t>;
            }});
}

/// Operands come zero-extended, as uint64_t.
template <typename Op, typename Function> static void unsignedBinary(ScalarTable &table, Function) {
  table.add(Op::getOperationName(), {[](Operation *, ArrayRef<Lane>, Lane) -> Kernel {
                                       return kernel<Function, uint64_t, uint64_t, uint64_t>;
                                     },
                                     /*unsignedOperands=*/true});
}

static int64_t divide(int64_t a, int64_t b) {
  return b == 0 ? 0 : b == -1 ? int64_t(-uint64_t(a)) : a / b;
}
static int64_t remainder(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

/// Rounds towards negative infinity (`up` = 0) or positive infinity (`up` = 1).
static int64_t divideRounding(int64_t a, int64_t b, bool up) {
  int64_t quotient = divide(a, b), rest = remainder(a, b);
  bool negative = (a < 0) != (b < 0);
  if (rest == 0 || negative == up)
    return quotient;
  return up ? quotient + 1 : quotient - 1;
}

static void addDivisions(ScalarTable &table) {
  binary<arith::DivSIOp>(table, [](int64_t a, int64_t b) { return divide(a, b); });
  binary<arith::RemSIOp>(table, [](int64_t a, int64_t b) { return remainder(a, b); });
  binary<arith::FloorDivSIOp>(table,
                              [](int64_t a, int64_t b) { return divideRounding(a, b, false); });
  binary<arith::CeilDivSIOp>(table,
                             [](int64_t a, int64_t b) { return divideRounding(a, b, true); });
  unsignedBinary<arith::DivUIOp>(table, [](uint64_t a, uint64_t b) { return b ? a / b : 0; });
  unsignedBinary<arith::RemUIOp>(table, [](uint64_t a, uint64_t b) { return b ? a % b : 0; });
  unsignedBinary<arith::CeilDivUIOp>(
      table, [](uint64_t a, uint64_t b) { return b ? a / b + (a % b != 0) : 0; });
}

static void addBits(ScalarTable &table) {
  binary<arith::AndIOp>(table, [](int64_t a, int64_t b) { return a & b; });
  binary<arith::OrIOp>(table, [](int64_t a, int64_t b) { return a | b; });
  binary<arith::XOrIOp>(table, [](int64_t a, int64_t b) { return a ^ b; });
  binary<arith::ShLIOp>(table, [](uint64_t a, uint64_t b) { return b < 64 ? a << b : 0; });
  binary<arith::ShRSIOp>(table, [](int64_t a, uint64_t b) { return b < 64 ? a >> b : 0; });
  unsignedBinary<arith::ShRUIOp>(table, [](uint64_t a, uint64_t b) { return b < 64 ? a >> b : 0; });
}

void addIntegerArithmetic(ScalarTable &table) {
  // Sums wrap: they are taken unsigned, where C++ defines that.
  binary<arith::AddIOp>(table, [](uint64_t a, uint64_t b) { return a + b; });
  binary<arith::SubIOp>(table, [](uint64_t a, uint64_t b) { return a - b; });
  binary<arith::MulIOp>(table, [](uint64_t a, uint64_t b) { return a * b; });
  binary<arith::MaxSIOp>(table, [](int64_t a, int64_t b) { return a > b ? a : b; });
  binary<arith::MinSIOp>(table, [](int64_t a, int64_t b) { return a < b ? a : b; });
  unsignedBinary<arith::MaxUIOp>(table, [](uint64_t a, uint64_t b) { return a > b ? a : b; });
  unsignedBinary<arith::MinUIOp>(table, [](uint64_t a, uint64_t b) { return a < b ? a : b; });
  addDivisions(table);
  addBits(table);
  auto absolute = [](int64_t a) { return a < 0 ? int64_t(-uint64_t(a)) : a; };
  table.add(math::AbsIOp::getOperationName(), {[](Operation *, ArrayRef<Lane>, Lane) -> Kernel {
              return kernel<decltype(absolute), int64_t, int64_t>;
            }});
  auto countOnes = [](uint64_t a) { return std::popcount(a); };
  table.add(math::CtPopOp::getOperationName(),
            {[](Operation *, ArrayRef<Lane>, Lane) -> Kernel {
               return kernel<decltype(countOnes), int64_t, uint64_t>;
             },
             /*unsignedOperands=*/true});
}

} // namespace planwright::reference
