// signature.json: what each argument of a model's entry function is to a training job.
//
//   auto signature = readSignature("signature.json", [&] { return emitError(loc); });
//   if (failed(signature) || failed(attachSignature(*signature, main)))
//     return failure();
//
// Everything that is wrong with a file is reported at once, each with the file and the argument.
// Not here: the graph (StableHLO/Read.h), values of arguments (safetensors).
#ifndef PLANWRIGHT_FRONTEND_SIGNATURE_H
#define PLANWRIGHT_FRONTEND_SIGNATURE_H

#include "dialects/Model/IR/Model.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"

#include <optional>
#include <string>
#include <vector>

namespace planwright {

/// How a parameter starts without weights: all zeros, all ones, or normal with a standard deviation.
struct Initializer {
  enum class Kind { zeros, ones, normal } kind;
  double deviation = 0;
};

/// Values that an integer input can take: lowest, and one past the highest.
struct InputRange {
  int64_t low, high;
};

struct SignatureArgument {
  std::string name;
  model::Role role;
  int64_t batchDim = -1; // -1: none
  bool trainable = true;
  std::vector<int64_t> shape;
  std::string dtype; // numpy's name
  std::optional<Initializer> init;
  std::optional<InputRange> range;
  std::string from; // "tokens", "next_tokens" or empty
};

struct Signature {
  std::string file;
  std::vector<SignatureArgument> arguments; // by position
};

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Reads a file.
mlir::FailureOr<Signature> readSignature(llvm::StringRef path, EmitError emitError);
/// Reads text; `name` stands for the file in messages.
mlir::FailureOr<Signature> parseSignature(llvm::StringRef text, llvm::StringRef name,
                                          EmitError emitError);

/// Compares with the function's arguments and marks them: `model.argument`, and where given `model.init`,
/// `model.range` and `model.from`.
mlir::LogicalResult attachSignature(const Signature &signature, mlir::func::FuncOp main);

/// Numpy's name for an element type ("float32", "bool", "uint8", ...), or empty.
llvm::StringRef getDtypeName(mlir::Type elementType);

/// Pass model-attach-signature.
std::unique_ptr<mlir::Pass> createAttachSignaturePass(llvm::StringRef file);

} // namespace planwright

#endif // PLANWRIGHT_FRONTEND_SIGNATURE_H
