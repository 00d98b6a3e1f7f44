// The values of a training step's arguments, from a file of weights and batches. Internal to
// reference-run.

#ifndef PLANWRIGHT_TEST_TOOLS_REFERENCERUN_DATA_H
#define PLANWRIGHT_TEST_TOOLS_REFERENCERUN_DATA_H

#include "planwright/Reference/TensorFile.h"
#include "planwright/Reference/TrainingStep.h"

#include "llvm/Support/Error.h"

namespace planwright::reference {

/// Reads a file; the error names it.
llvm::Expected<rt::SafetensorsFile> openTensors(llvm::StringRef path);

/// The value of each argument: parameters and constants under their own name, inputs and labels
/// under `batch<batch>/<name>`.
llvm::Expected<TensorList> readArguments(const rt::SafetensorsFile &file,
                                         llvm::ArrayRef<model::ArgumentAttr> arguments,
                                         int64_t batch);

/// The tensor called `name`, or an error.
llvm::Expected<Tensor> readTensor(const rt::SafetensorsFile &file, llvm::StringRef name);

} // namespace planwright::reference

#endif // PLANWRIGHT_TEST_TOOLS_REFERENCERUN_DATA_H
