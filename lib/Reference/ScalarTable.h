// What each arith and math operation does to a vector of lanes. Internal to Reference.
//
// Families register rows here; nobody switches over operations. A row picks a kernel for an
// operation once, the kernel then runs over thousands of elements.

#ifndef PLANWRIGHT_REFERENCE_SCALARTABLE_H
#define PLANWRIGHT_REFERENCE_SCALARTABLE_H

#include "Elements.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

#include <functional>

namespace planwright::reference {

/// result[i] = f(operands[0][i], operands[1][i], ...) for i < count. The result may be one of the
/// operands.
using Kernel = void (*)(void *result, const void *const *operands, int64_t count);

/// How one operation is computed on lanes.
struct ScalarRow {
  /// The kernel for an operation whose operands and result lie in these lanes, or null.
  std::function<Kernel(mlir::Operation *, llvm::ArrayRef<Lane> operands, Lane result)> choose;
  /// Integer operands stand zero-extended instead of sign-extended.
  bool unsignedOperands = false;
};

class ScalarTable {
public:
  /// The table with every family in it.
  static const ScalarTable &get();

  const ScalarRow *find(llvm::StringRef operation) const;
  void add(llvm::StringRef operation, ScalarRow row);

private:
  llvm::StringMap<ScalarRow> rows;
};

// One function per family.
void addFloatArithmetic(ScalarTable &table);
void addFloatFunctions(ScalarTable &table);
void addIntegerArithmetic(ScalarTable &table);
void addComparisons(ScalarTable &table);
void addConversions(ScalarTable &table);

/// Cuts integers to `bits` and extends them again, in place: with the sign, or with zeros.
void signExtend(int64_t *lanes, int64_t count, unsigned bits);
void zeroExtend(int64_t *lanes, int64_t count, unsigned bits);

//===----------------------------------------------------------------------===//
// Kernels from stateless function objects
//===----------------------------------------------------------------------===//

template <typename Function, typename Result, typename... Operands, size_t... Index>
void runKernel(void *result, const void *const *operands, int64_t count,
               std::index_sequence<Index...>) {
  auto *to = static_cast<Result *>(result);
  std::tuple from(static_cast<const Operands *>(operands[Index])...);
  for (int64_t i = 0; i < count; ++i)
    to[i] = static_cast<Result>(Function()(std::get<Index>(from)[i]...));
}

template <typename Function, typename Result, typename... Operands>
void kernel(void *result, const void *const *operands, int64_t count) {
  runKernel<Function, Result, Operands...>(result, operands, count,
                                           std::index_sequence_for<Operands...>());
}

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_SCALARTABLE_H
