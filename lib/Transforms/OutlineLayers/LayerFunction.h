// Makes equal stretches of a function calls of one new function.
// Not here: which stretches (Repeats.h).
#ifndef PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_LAYERFUNCTION_H
#define PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_LAYERFUNCTION_H

#include "lib/Transforms/OutlineLayers/LayerSequence.h"
#include "lib/Transforms/OutlineLayers/Repeats.h"

namespace planwright {

/// The operations of one layer.
using Segment = llvm::ArrayRef<mlir::Operation *>;

/// The longest row of segments of `repeat` that are equal also in which operation uses which.
llvm::SmallVector<Segment> getEqualSegments(const LayerSequence &sequence, Repeat repeat);

/// Builds a private function from the first of the equal `segments` in front of `before`, and
/// replaces each by a call.
mlir::func::FuncOp outlineSegments(const LayerSequence &sequence, llvm::ArrayRef<Segment> segments,
                                   llvm::StringRef name, mlir::func::FuncOp before);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_OUTLINELAYERS_LAYERFUNCTION_H
