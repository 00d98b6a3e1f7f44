// The pass that marks the entry function's arguments.

#ifndef PLANWRIGHT_LIB_FRONTEND_SIGNATURE_PASSES_TD
#define PLANWRIGHT_LIB_FRONTEND_SIGNATURE_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachSignaturePass : Pass<"model-attach-signature", "::mlir::ModuleOp"> {
  let summary = "Mark the arguments of the entry function from signature.json";
  let description = [{
    Reads what each argument is (parameter, input, label or constant), under which name it is in weights files, which
    dimension counts examples and whether it is trained, compares shapes and types with the function, and puts
    `model.argument` on each argument of `@main`. All of it, with how to start a parameter, which values an input can
    take and how to fill it from a stream of tokens, is kept on the module as `model.signature`, because functions come
    and go.

    Run it before types change, on StableHLO. Everything that does not fit is reported at once.
  }];
  let options = [Option<"file", "file", "std::string", "\"\"", "Path of signature.json">];
  let dependentDialects = ["::planwright::model::ModelDialect"];
}

#endif // PLANWRIGHT_LIB_FRONTEND_SIGNATURE_PASSES_TD
