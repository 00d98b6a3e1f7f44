// Reading values from a file, or making them up.

#include "Data.h"

#include "dialects/Plan/IR/Plan.h"
#include "planwright/Reference/RandomTensor.h"

#include "runtime/Data/Slice.h"

using namespace mlir;

namespace planwright::reference {

Tensor padWithZeros(const Tensor &tensor, ArrayRef<int64_t> shape) {
  Tensor padded(tensor.getType(), shape);
  SmallVector<int64_t> origin(shape.size(), 0);
  rt::copyBox(static_cast<std::byte *>(padded.getMutableData()), shape, origin,
              static_cast<const std::byte *>(tensor.getData()), tensor.getShape(), origin,
              tensor.getShape(), getByteSize(tensor.getType()));
  return padded;
}

llvm::Expected<DataSource> DataSource::open(StringRef path) {
  absl::StatusOr<rt::SafetensorsFile> file = rt::SafetensorsFile::open(path.str());
  if (!file.ok())
    return llvm::createStringError(std::string(file.status().message()));
  DataSource source;
  source.file = *std::move(file);
  return source;
}

DataSource DataSource::makeRandom(int64_t numIntegers) {
  DataSource source;
  source.numIntegers = numIntegers;
  return source;
}

llvm::Expected<Tensor> DataSource::read(StringRef name) const {
  auto find = [&](StringRef name) {
    return file ? file->find(std::string_view(name.data(), name.size())) : nullptr;
  };
  if (const rt::TensorView *view = find(name))
    return fromView(*view);
  // A part of a stacked parameter.
  if (auto part = plan::parsePartName(name))
    if (const rt::TensorView *view = find(part->first);
        view && !view->shape.empty() && part->second < view->shape[0]) {
      rt::TensorView taken = *view;
      size_t bytes = view->bytes.size() / view->shape[0];
      taken.shape.erase(taken.shape.begin());
      taken.bytes = view->bytes.subspan(part->second * bytes, bytes);
      return fromView(taken);
    }
  return llvm::createStringError("the data has no tensor \"" + name + "\"");
}

llvm::Expected<Tensor> DataSource::get(StringRef name, ElementType type,
                                       ArrayRef<int64_t> shape) const {
  if (!file && isFloat(type))
    return makeRandomTensor(type, shape, name, -0.5, 0.5);
  if (!file)
    return makeRandomTensor(type, shape, name, 0, type == ElementType::I1 ? 2 : numIntegers);
  llvm::Expected<Tensor> value = read(name);
  // A module may see a parameter with a dimension split, or padded.
  if (value && value->getNumElements() == ShapedType::getNumElements(shape))
    return value->reshape(shape);
  if (value && llvm::equal(value->getShape(), shape, std::less_equal<>()))
    return padWithZeros(*value, shape);
  if (value)
    return llvm::createStringError("\"" + name + "\" is a " + describe(*value) +
                                   " in the data; the module takes a " +
                                   describe(Tensor::makeUninitialized(type, shape)));
  return value;
}

llvm::Expected<Tensor> DataSource::getWeight(StringRef name, ElementType type,
                                             ArrayRef<int64_t> shape) const {
  return get(name, type, shape);
}

llvm::Expected<Tensor> DataSource::getInput(StringRef name, int64_t batch, ElementType type,
                                            ArrayRef<int64_t> shape) const {
  return get("batch" + std::to_string(batch) + "/" + name.str(), type, shape);
}

} // namespace planwright::reference
