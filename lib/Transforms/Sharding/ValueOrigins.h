// From what the values of a task are computed: from parameters, from inputs, from both, from
// neither.
//
//   ValueOrigins origins(task);
//   if (plan::ObjectAttr weight = origins.getParameter(value)) ...
//
// Not here: what their dimensions count (DimClasses.h).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_VALUEORIGINS_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_VALUEORIGINS_H

#include "dialects/Plan/IR/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace planwright {

class ValueOrigins {
public:
  explicit ValueOrigins(mlir::func::FuncOp task);

  /// The first parameter that the value is computed from, if it is computed from parameters alone:
  /// a parameter that is reshaped, sliced, converted or scaled. Else null.
  plan::ObjectAttr getParameter(mlir::Value value) const;
  /// Is it computed from inputs alone, as tokens and labels are?
  bool isFromInputs(mlir::Value value) const;
  /// Is it computed from no argument, as zeros, positions and masks are?
  bool isGenerated(mlir::Value value) const;

private:
  struct Origin {
    bool isGenerated = true, hasInputs = false, hasOthers = false;
    plan::ObjectAttr parameter = {}; ///< the first of them
  };
  Origin getOrigin(plan::ObjectAttr object) const;
  void add(Origin &origin, mlir::Value value) const;

  /// Of arguments and results of ops. Constants and scalars do not count: what is computed from
  /// tokens and a constant is from inputs alone.
  llvm::DenseMap<mlir::Value, Origin> origins;
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_VALUEORIGINS_H
