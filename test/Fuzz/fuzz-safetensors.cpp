// Safetensors files: whatever parses must be readable to its last byte.

#include "runtime/Data/Safetensors.h"

using namespace planwright::rt;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto file = SafetensorsFile::parse({reinterpret_cast<const std::byte *>(data), size});
  if (!file.ok())
    return 0;
  for (const TensorView &tensor : file->getTensors()) {
    std::vector<int64_t> start(tensor.shape.size(), 0);
    std::vector<std::byte> copy(tensor.bytes.size());
    if (!readSlice(tensor, start, tensor.shape, copy).ok())
      __builtin_trap();
    // The last element alone.
    std::vector<int64_t> last = tensor.shape, one(tensor.shape.size(), 1);
    for (int64_t &index : last)
      --index;
    std::vector<std::byte> element(getByteSize(tensor.dtype));
    bool isEmpty = tensor.bytes.empty();
    if (readSlice(tensor, last, one, element).ok() == isEmpty)
      __builtin_trap();
  }
  return 0;
}
