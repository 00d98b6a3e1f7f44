// One task, rewritten to what one rank does for one micro-batch.
//
//   func::FuncOp local = buildLocalFunction(task, mesh);
//
// Not here: tasks that exist only because of the mesh (TaskBuilders.h).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_LOCALFUNCTION_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_LOCALFUNCTION_H

#include "dialects/Plan/IR/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace planwright {

/// Replaces `task` by a function of the same name on local shapes, with comm ops where layouts
/// differ. Results that are partial over "mb" are added to an accumulator, which becomes an
/// argument.
mlir::func::FuncOp buildLocalFunction(mlir::func::FuncOp task, plan::MeshAttr mesh);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_LOCALFUNCTION_H
