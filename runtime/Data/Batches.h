// Filling a step's inputs and labels from a file. Each rank reads its own rows of the global batch.

#ifndef PLANWRIGHT_RUNTIME_DATA_BATCHES_H
#define PLANWRIGHT_RUNTIME_DATA_BATCHES_H

#include "runtime/Data/Slice.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <string>

namespace planwright::rt {

class BatchSource {
public:
  virtual ~BatchSource() = default;

  /// Fills all input buffers with the batch of `step` (from 0).
  virtual absl::Status fill(int64_t step, const RankMemory &memory) = 0;

  /// A remark for the user about how the file is read, or nothing.
  virtual std::string getRemark() const { return ""; }
};

/// How a token is stored.
enum class TokenType { Auto, Uint16, Uint32 };

/// Opens `path` by its ending: ".safetensors" or ".bin". Whatever can be checked before the first
/// step is: names, shapes and types of all batches, or whether the model's signature says how
/// tokens fill its arguments.
absl::StatusOr<std::unique_ptr<BatchSource>>
openBatches(const std::string &path, const fb::Program &program, TokenType tokenType);

absl::StatusOr<std::unique_ptr<BatchSource>> openSafetensorsBatches(const std::string &path,
                                                                    const fb::Program &program);
absl::StatusOr<std::unique_ptr<BatchSource>>
openTokenBatches(const std::string &path, const fb::Program &program, TokenType tokenType);

/// True for inputs and labels.
bool isInput(const fb::Argument &argument);

/// An error if an integer of `values`, which are the elements of `box` of the argument, is out of
/// the argument's range. Names the value, its place in the global batch and the range.
absl::Status checkRange(const fb::Argument &argument, const Box &box,
                        std::span<const std::byte> values);

/// Fills the part of `buffer` of each micro-batch by `fillPart`, which gets the part's place in the
/// global batch and its bytes, and checks that what came is in the argument's range.
absl::Status fillMicroBatches(
    const fb::Buffer &buffer, const RankMemory &memory,
    absl::FunctionRef<absl::Status(const fb::Argument &, const Box &, std::span<std::byte>)>
        fillPart);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_DATA_BATCHES_H
