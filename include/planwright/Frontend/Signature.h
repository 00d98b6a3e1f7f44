// signature.json: what each argument of a model's entry function is to a training job.
//
//   FailureOr<Signature> signature = readSignature("signature.json", context);
//   if (failed(signature) || failed(attachSignature(*signature, main)))
//     return failure();
//
// The same as a pass: createAttachSignaturePass(AttachSignaturePassOptions), in the header of
// passes that this one includes. Everything that is wrong with a file is reported at once, each
// with the file and the argument. Not here: the graph (Pipelines/Training.h), values of arguments
// (safetensors).
#ifndef PLANWRIGHT_FRONTEND_SIGNATURE_H
#define PLANWRIGHT_FRONTEND_SIGNATURE_H

#include "dialects/Model/IR/Model.h"
#include "lib/Frontend/Signature/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <optional>
#include <string>
#include <vector>

namespace planwright {

/// How a parameter starts without weights: all zeros, all ones, or normal with a standard
/// deviation.
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
  mlir::Location file;                      // where messages about the file point
  std::vector<SignatureArgument> arguments; // by position
};

/// Reads a file.
mlir::FailureOr<Signature> readSignature(llvm::StringRef path, mlir::MLIRContext &context);
/// Reads text; the buffer's name stands for the file in messages.
mlir::FailureOr<Signature> parseSignature(llvm::MemoryBufferRef buffer, mlir::MLIRContext &context);

/// Name of the module attribute that keeps the signature after the entry function is gone: an array
/// with a dictionary for each argument (`name`, `role`, `type`, and where given `batch_dim`,
/// `trainable`, `init`, `range`, `from`).
inline constexpr llvm::StringLiteral kSignatureAttrName = "model.signature";

/// Compares with the function's arguments, puts `model.argument` on each of them and the whole on
/// the module.
mlir::LogicalResult attachSignature(const Signature &signature, mlir::func::FuncOp main);

/// The element type of numpy's name ("float32", "bool", "uint8", ...), or null.
mlir::Type getDtype(llvm::StringRef name, mlir::MLIRContext *context);

} // namespace planwright

#endif // PLANWRIGHT_FRONTEND_SIGNATURE_H
