// Stage 1: from StableHLO, as frameworks print it, to the normal form.
//
//   PassManager pm(context);
//   pm.addPass(createAttachSignaturePass(options));   // Signature.h
//   buildReadPipeline(pm);
//
// What the normal form is: pass model-verify-normal-form proves it.
// Not here: parsing the text (Reader.h).
#ifndef PLANWRIGHT_FRONTEND_STABLEHLO_READ_H
#define PLANWRIGHT_FRONTEND_STABLEHLO_READ_H

#include "mlir/Pass/PassManager.h"

namespace planwright {

/// All passes between parsing and the normal form, in order.
void buildReadPipeline(mlir::OpPassManager &pm);

/// Registers every pass that it is made of, for plan-opt.
void registerReadPasses();

} // namespace planwright

#endif // PLANWRIGHT_FRONTEND_STABLEHLO_READ_H
