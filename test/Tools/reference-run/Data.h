// Values of parameters and batches by name: from a file, or random. Internal to reference-run.

#ifndef PLANWRIGHT_TEST_TOOLS_REFERENCERUN_DATA_H
#define PLANWRIGHT_TEST_TOOLS_REFERENCERUN_DATA_H

#include "planwright/Reference/TensorFile.h"

#include "llvm/Support/Error.h"

#include <optional>

namespace planwright::reference {

/// `tensor` at the beginning of a tensor of `shape`, which is no smaller in any dimension.
Tensor padWithZeros(const Tensor &tensor, llvm::ArrayRef<int64_t> shape);

class DataSource {
public:
  /// Values from a file of weights and batches.
  static llvm::Expected<DataSource> open(llvm::StringRef path);

  /// Random values: floats in [-0.5, 0.5), integers in [0, numIntegers).
  static DataSource makeRandom(int64_t numIntegers);

  bool isFile() const { return file.has_value(); }

  /// A parameter or constant: `name` of the file.
  llvm::Expected<Tensor> getWeight(llvm::StringRef name, ElementType type,
                                   llvm::ArrayRef<int64_t> shape) const;

  /// An input or label of one batch: `batch<batch>/<name>` of the file.
  llvm::Expected<Tensor> getInput(llvm::StringRef name, int64_t batch, ElementType type,
                                  llvm::ArrayRef<int64_t> shape) const;

  /// Any tensor of the file.
  llvm::Expected<Tensor> read(llvm::StringRef name) const;

private:
  llvm::Expected<Tensor> get(llvm::StringRef name, ElementType type,
                             llvm::ArrayRef<int64_t> shape) const;

  std::optional<rt::SafetensorsFile> file;
  int64_t numIntegers = 1;
};

} // namespace planwright::reference

#endif // PLANWRIGHT_TEST_TOOLS_REFERENCERUN_DATA_H
