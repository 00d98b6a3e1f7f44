// What a region of two scalars combines them with. Shared by reductions and windows.
#ifndef PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_REDUCTION_H
#define PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_REDUCTION_H

#include "mlir/IR/Builders.h"

#include <optional>

namespace planwright {

class Combiner {
public:
  /// Nothing, after saying why, if the region is not one associative operation with a neutral
  /// element.
  static std::optional<Combiner> get(mlir::Block &region,
                                     llvm::function_ref<void(const llvm::Twine &)> refuse);

  mlir::TypedAttr getNeutral() const { return neutral; }
  mlir::Value combine(mlir::OpBuilder &b, mlir::Value accumulator, mlir::Value element) const;
  /// Combines a whole result with an initial value (a tensor of rank 0) that is not neutral.
  mlir::Value addInit(mlir::OpBuilder &b, mlir::Location loc, mlir::Value result,
                      mlir::Value init) const;

private:
  explicit Combiner(mlir::Block &region) : region(&region) {}
  mlir::Block *region;
  mlir::TypedAttr neutral;
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_CONVERSION_STABLEHLOTOLINALG_REDUCTION_H
