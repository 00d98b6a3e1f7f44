// Pass model-attach-signature.
#include "Passes.h"

#include "planwright/Frontend/Signature.h"

using namespace mlir;

namespace planwright {
#define GEN_PASS_DEF_MODELATTACHSIGNATURE
#include "lib/Frontend/Signature/Passes.h.inc"

namespace {

struct AttachSignature : impl::ModelAttachSignatureBase<AttachSignature> {
  using ModelAttachSignatureBase::ModelAttachSignatureBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main) {
      module.emitError("the module has no function @main whose arguments could be marked");
      return signalPassFailure();
    }
    FailureOr<Signature> signature =
        readSignature(file, [&] { return emitError(main.getLoc()); });
    if (failed(signature) || failed(attachSignature(*signature, main)))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> createAttachSignaturePass(StringRef file) {
  ModelAttachSignatureOptions options;
  options.file = file.str();
  return createModelAttachSignature(options);
}

} // namespace planwright
