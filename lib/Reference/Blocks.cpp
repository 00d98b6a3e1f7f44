// Copies of boxes, cuts and joins.

#include "Blocks.h"

#include <cstring>

using namespace mlir;

namespace planwright::reference {

Access getBox(ArrayRef<int64_t> shape, ArrayRef<int64_t> offsets, ArrayRef<int64_t> steps) {
  Access access;
  for (auto [stride, offset, step] : llvm::zip_equal(getRowMajorStrides(shape), offsets, steps)) {
    access.offset += stride * offset;
    access.strides.push_back(stride * step);
  }
  return access;
}

void copyElements(const Tensor &from, const Access &fromAccess, Tensor &to, const Access &toAccess,
                  ArrayRef<int64_t> sizes) {
  int64_t bytes = getByteSize(from.getType());
  const char *source = static_cast<const char *>(from.getData());
  char *destination = static_cast<char *>(to.getMutableData());
  Cursor write(sizes, toAccess);
  Cursor read(sizes, fromAccess);
  int64_t positions = 1;
  for (int64_t size : sizes)
    positions *= size;
  // The outer walk gives runs on one side, the inner one splits them where the other side's runs
  // end.
  write.advance(positions, [&](int64_t, int64_t toElement, int64_t toStride, int64_t toCount) {
    read.advance(toCount, [&](int64_t position, int64_t element, int64_t stride, int64_t count) {
      const char *a = source + element * bytes;
      char *b = destination + (toElement + position * toStride) * bytes;
      if (stride == 1 && toStride == 1)
        std::memcpy(b, a, count * bytes);
      else
        for (int64_t i = 0; i < count; ++i)
          std::memcpy(b + i * toStride * bytes, a + i * stride * bytes, bytes);
    });
  });
}

Access getWhole(ArrayRef<int64_t> shape) {
  return getBox(shape, SmallVector<int64_t>(shape.size(), 0),
                SmallVector<int64_t>(shape.size(), 1));
}

Tensor cut(const Tensor &tensor, int64_t dim, int64_t index, int64_t count) {
  SmallVector<int64_t> shape(tensor.getShape()), offsets(shape.size(), 0), ones(shape.size(), 1);
  shape[dim] /= count;
  offsets[dim] = index * shape[dim];
  Tensor result = Tensor::makeUninitialized(tensor.getType(), shape);
  result.getDataToOverwrite();
  copyElements(tensor, getBox(tensor.getShape(), offsets, ones), result, getWhole(shape), shape);
  return result;
}

Tensor join(ArrayRef<Tensor> blocks, int64_t dim) {
  SmallVector<int64_t> shape(blocks[0].getShape()), offsets(shape.size(), 0), ones(shape.size(), 1);
  shape[dim] *= blocks.size();
  Tensor result = Tensor::makeUninitialized(blocks[0].getType(), shape);
  result.getDataToOverwrite();
  for (const Tensor &block : blocks) {
    copyElements(block, getWhole(block.getShape()), result, getBox(shape, offsets, ones),
                 block.getShape());
    offsets[dim] += block.getShape()[dim];
  }
  return result;
}

} // namespace planwright::reference
