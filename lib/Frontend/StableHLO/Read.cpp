// The order of the read passes, with the reason for each place.
#include "planwright/Frontend/StableHLO/Read.h"

#include "dialects/StableHLO/Transforms/Passes.h"
#include "lib/Conversion/StableHLOToLinalg/Passes.h"
#include "lib/Transforms/Normalize/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace planwright {

void buildReadPipeline(OpPassManager &pm) {
  //===--------------------------------------------------------------------===//
  // One flat function of StableHLO
  //===--------------------------------------------------------------------===//

  // First, because everything behind it may rely on a scalar loss.
  pm.addPass(stablehlo::createStableHLOCheckEntry());
  // Before loops: their bodies call functions, and slices at the counter are in those.
  pm.addPass(stablehlo::createStableHLOInlineCalls());
  pm.addPass(stablehlo::createStableHLOUnrollWhile());
  // JAX writes a constant wherever it uses one; with them made one, facts about masks are found
  // once.
  pm.addPass(createCSEPass());
  pm.addPass(stablehlo::createStableHLOFoldIndices());

  //===--------------------------------------------------------------------===//
  // Out of StableHLO
  //===--------------------------------------------------------------------===//

  // NOTE: no canonicalisation of linalg may run behind this; broadcasts would be folded into forms
  // that are no maps.
  pm.addPass(createConvertStableHLOToLinalg());
  pm.addPass(createModelFoldBroadcasts());
  // Last, because folding makes equal what was different: one mask, one rotary table for all
  // layers.
  pm.addPass(createCSEPass());
  pm.addPass(createModelCloseBodies());
  pm.addPass(createModelVerifyNormalForm());
}

void registerReadPasses() {
  stablehlo::registerStableHLOPasses();
  registerStableHLOToLinalgPasses();
  registerNormalizePasses();
}

} // namespace planwright
