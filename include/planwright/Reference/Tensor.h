// A tensor in memory: dense, row-major, with value semantics. What the reference interpreter
// computes with. No arithmetic here, and no knowledge of any operation.
//
//   Tensor x(ElementType::F32, {2, 3});           // zeros
//   x.getMutable<float>()[4] = 1.0f;              // copies first if another Tensor shares the
//   memory FailureOr<Tensor> y = Tensor::fromAttribute(denseElementsAttr);
//
// Copying a Tensor shares its memory until one of the copies is written to.

#ifndef PLANWRIGHT_REFERENCE_TENSOR_H
#define PLANWRIGHT_REFERENCE_TENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <memory>

namespace planwright::reference {

/// How an element lies in memory. I1 takes a byte that is 0 or 1; an `index` is an I64.
enum class ElementType : uint8_t { I1, I8, I16, I32, I64, F16, BF16, F32, F64 };

/// Bytes of one element.
int64_t getByteSize(ElementType type);

/// The MLIR spelling: "i1", ..., "f64".
llvm::StringRef getName(ElementType type);

inline bool isFloat(ElementType type) { return type >= ElementType::F16; }

/// The element type that stands for an MLIR scalar type, if there is one.
std::optional<ElementType> getElementType(mlir::Type type);

class Tensor {
public:
  /// No tensor: what a moved-from or missing value is.
  Tensor() = default;

  /// Zeros.
  Tensor(ElementType type, llvm::ArrayRef<int64_t> shape);

  /// A tensor whose contents nobody has written. Memory comes on the first access; floats are then
  /// NaN, so that a program that reads them shows it.
  static Tensor makeUninitialized(ElementType type, llvm::ArrayRef<int64_t> shape);

  /// A rank-0 tensor.
  static Tensor makeScalar(double value);
  static Tensor makeScalar(int64_t value);

  /// The value of a constant: a dense tensor, an integer, a float or a bool. Fails on other
  /// attributes.
  static mlir::FailureOr<Tensor> fromAttribute(mlir::Attribute attribute);

  /// The same value as a dense attribute of `type`, whose element type must be this one's.
  mlir::FailureOr<mlir::DenseElementsAttr> toAttribute(mlir::ShapedType type) const;

  bool isNull() const { return !valid; }
  /// True until the first access after makeUninitialized.
  bool isUninitialized() const { return valid && !data; }

  ElementType getType() const { return type; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const { return numElements; }
  int64_t getNumBytes() const { return numElements * getByteSize(type); }

  const void *getData() const;
  void *getMutableData();
  /// Memory for a caller that writes every element: what was there is not kept.
  void *getDataToOverwrite();

  /// The elements as C++ values of the element type's size (uint16_t for F16 and BF16, uint8_t for
  /// I1).
  template <typename T> llvm::ArrayRef<T> get() const {
    return {static_cast<const T *>(getData()), static_cast<size_t>(numElements)};
  }
  template <typename T> llvm::MutableArrayRef<T> getMutable() {
    return {static_cast<T *>(getMutableData()), static_cast<size_t>(numElements)};
  }

  /// One element, converted. For tests, messages and scalars, not for loops.
  double getAsDouble(int64_t index = 0) const;
  int64_t getAsInteger(int64_t index = 0) const;

  /// The same elements under another shape with as many elements.
  Tensor reshape(llvm::ArrayRef<int64_t> newShape) const;

  /// Each element converted to `newType`. Floats round to nearest even; floats to integers
  /// truncate.
  Tensor convert(ElementType newType) const;

private:
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;
  int64_t numElements = 0;
  bool valid = false;
  // Mutable because an unwritten tensor gets its memory when it is first looked at.
  mutable std::shared_ptr<void> data;
};

/// The type of a tensor as MLIR would print it, for messages: "tensor<2x3xf32>".
std::string describe(const Tensor &tensor);

/// Row-major strides of a shape, in elements.
llvm::SmallVector<int64_t> getRowMajorStrides(llvm::ArrayRef<int64_t> shape);

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_TENSOR_H
