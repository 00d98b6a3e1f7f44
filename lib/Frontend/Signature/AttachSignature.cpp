// Pass model-attach-signature.
#include "planwright/Frontend/Signature.h"

using namespace mlir;

namespace planwright {
#define GEN_PASS_DEF_ATTACHSIGNATUREPASS
#include "lib/Frontend/Signature/Passes.h.inc"

namespace {

struct AttachSignature : impl::AttachSignaturePassBase<AttachSignature> {
  using AttachSignaturePassBase::AttachSignaturePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main) {
      module.emitError("the module has no function @main whose arguments could be marked");
      return signalPassFailure();
    }
    FailureOr<Signature> signature = readSignature(file, getContext());
    if (failed(signature) || failed(attachSignature(*signature, main)))
      signalPassFailure();
  }
};

} // namespace
} // namespace planwright
