// Reading arguments from a file of weights and batches.

#include "Data.h"

using namespace mlir;

namespace planwright::reference {

static llvm::Error makeError(const Twine &message) { return llvm::createStringError(message); }

llvm::Expected<rt::SafetensorsFile> openTensors(StringRef path) {
  absl::StatusOr<rt::SafetensorsFile> file = rt::SafetensorsFile::open(path.str());
  if (!file.ok())
    return makeError(std::string(file.status().message()));
  return *std::move(file);
}

llvm::Expected<Tensor> readTensor(const rt::SafetensorsFile &file, StringRef name) {
  const rt::TensorView *view = file.find(std::string_view(name.data(), name.size()));
  if (!view)
    return makeError("the data file has no tensor \"" + name + "\"");
  return fromView(*view);
}

llvm::Expected<TensorList> readArguments(const rt::SafetensorsFile &file,
                                         ArrayRef<model::ArgumentAttr> arguments, int64_t batch) {
  TensorList values;
  for (model::ArgumentAttr argument : arguments) {
    bool isBatch =
        argument.getRole() == model::Role::input || argument.getRole() == model::Role::label;
    std::string name = argument.getName().str();
    llvm::Expected<Tensor> value =
        readTensor(file, isBatch ? "batch" + std::to_string(batch) + "/" + name : name);
    if (!value)
      return value.takeError();
    values.push_back(*std::move(value));
  }
  return values;
}

} // namespace planwright::reference
