// The table of scalar operations: lookup and assembly from its families.

#include "ScalarTable.h"

using namespace mlir;

namespace planwright::reference {

const ScalarTable &ScalarTable::get() {
  static const ScalarTable table = [] {
    ScalarTable result;
    addFloatArithmetic(result);
    addFloatFunctions(result);
    addIntegerArithmetic(result);
    addComparisons(result);
    addConversions(result);
    return result;
  }();
  return table;
}

const ScalarRow *ScalarTable::find(StringRef operation) const {
  auto it = rows.find(operation);
  return it == rows.end() ? nullptr : &it->second;
}

void ScalarTable::add(StringRef operation, ScalarRow row) { rows[operation] = std::move(row); }

void signExtend(int64_t *lanes, int64_t count, unsigned bits) {
  unsigned shift = 64 - bits;
  for (int64_t i = 0; i < count; ++i)
    lanes[i] = static_cast<int64_t>(static_cast<uint64_t>(lanes[i]) << shift) >> shift;
}

void zeroExtend(int64_t *lanes, int64_t count, unsigned bits) {
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  for (int64_t i = 0; i < count; ++i)
    lanes[i] = static_cast<int64_t>(static_cast<uint64_t>(lanes[i]) & mask);
}

} // namespace planwright::reference
