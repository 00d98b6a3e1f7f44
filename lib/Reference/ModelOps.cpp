// The operations of the model dialect, as their descriptions define them.

#include "Elements.h"
#include "OpTable.h"

#include "dialects/Model/IR/Model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlir;

namespace planwright::reference {

/// Each index as a row of a table: clamped to it, or -1 where it is masked.
static SmallVector<int64_t> getRows(const Tensor &indices, int64_t numRows, bool isMasked) {
  SmallVector<int64_t> rows(indices.getNumElements());
  getLoadRun(indices.getType(), Lane::I64)(indices.getData(), 0, 1, rows.size(), rows.data());
  for (int64_t &row : rows) {
    int64_t inside = std::clamp<int64_t>(row, 0, numRows - 1);
    row = isMasked && row != inside ? -1 : inside;
  }
  return rows;
}

static FailureOr<TensorList> runLookup(Operation *op, MutableArrayRef<Tensor> operands,
                                       const Interpreter &interpreter) {
  const Tensor &table = operands[0];
  FailureOr<Tensor> result = makeResult(op, 0, interpreter);
  if (failed(result))
    return failure();
  if (table.getNumElements() == 0)
    return op->emitOpError("looks into an empty table");
  int64_t rowBytes = table.getNumBytes() / table.getShape()[0];
  char *to = static_cast<char *>(result->getDataToOverwrite());
  bool isMasked = cast<model::LookupOp>(op).getMasked();
  for (int64_t row : getRows(operands[1], table.getShape()[0], isMasked)) {
    if (row < 0)
      std::memset(to, 0, rowBytes);
    else
      std::memcpy(to, static_cast<const char *>(table.getData()) + row * rowBytes, rowBytes);
    to += rowBytes;
  }
  return TensorList{*std::move(result)};
}

/// All elements in the widest lane of their kind.
template <typename T> static std::vector<T> getLanes(const Tensor &tensor) {
  std::vector<T> lanes(tensor.getNumElements());
  Lane lane = std::is_same_v<T, double> ? Lane::F64 : Lane::I64;
  getLoadRun(tensor.getType(), lane)(tensor.getData(), 0, 1, lanes.size(), lanes.data());
  return lanes;
}

template <typename T> static void setLanes(Tensor &tensor, const std::vector<T> &lanes) {
  Lane lane = std::is_same_v<T, double> ? Lane::F64 : Lane::I64;
  getStoreRun(tensor.getType(), lane)(lanes.data(), tensor.getDataToOverwrite(), 0, 1,
                                      lanes.size());
}

template <typename T>
static void addRows(const Tensor &gradient, ArrayRef<int64_t> rows, Tensor &result) {
  std::vector<T> from = getLanes<T>(gradient), sums(result.getNumElements(), T(0));
  int64_t rowSize = result.getNumElements() / result.getShape()[0];
  for (auto [i, row] : llvm::enumerate(rows))
    for (int64_t j = 0; j < rowSize && row >= 0; ++j)
      sums[row * rowSize + j] += from[i * rowSize + j];
  setLanes(result, sums);
}

static FailureOr<TensorList> runLookupGrad(Operation *op, MutableArrayRef<Tensor> operands,
                                           const Interpreter &interpreter) {
  FailureOr<Tensor> result = makeResult(op, 0, interpreter);
  if (failed(result))
    return failure();
  if (result->getNumElements() == 0)
    return TensorList{*std::move(result)};
  SmallVector<int64_t> rows =
      getRows(operands[1], result->getShape()[0], cast<model::LookupGradOp>(op).getMasked());
  if (isFloat(result->getType()))
    addRows<double>(operands[0], rows, *result);
  else
    addRows<int64_t>(operands[0], rows, *result);
  return TensorList{*std::move(result)};
}

/// The running sum of lanes that are `stride` apart, from `start` on.
template <typename T>
static void accumulate(std::vector<T> &lanes, int64_t dim, ArrayRef<int64_t> shape, bool reverse) {
  int64_t stride = getRowMajorStrides(shape)[dim], size = shape[dim];
  for (int64_t start = 0, end = lanes.size(); start < end; ++start) {
    if (start / stride % size != 0)
      continue;
    for (int64_t i = 1; i < size; ++i) {
      int64_t at = reverse ? size - 1 - i : i;
      lanes[start + at * stride] += lanes[start + (reverse ? at + 1 : at - 1) * stride];
    }
  }
}

template <typename T>
static void sumAlong(const Tensor &input, int64_t dim, bool reverse, Tensor &result) {
  std::vector<T> lanes = getLanes<T>(input);
  accumulate(lanes, dim, input.getShape(), reverse);
  setLanes(result, lanes);
}

static FailureOr<TensorList> runCumulativeSum(Operation *op, MutableArrayRef<Tensor> operands,
                                              const Interpreter &interpreter) {
  auto sum = cast<model::CumulativeSumOp>(op);
  FailureOr<Tensor> result = makeResult(op, 0, interpreter);
  if (failed(result))
    return failure();
  if (isFloat(result->getType()))
    sumAlong<double>(operands[0], sum.getDim(), sum.getReverse(), *result);
  else
    sumAlong<int64_t>(operands[0], sum.getDim(), sum.getReverse(), *result);
  return TensorList{*std::move(result)};
}

/// Values descending, NaN first, equal ones in the order of their places.
template <typename T> static void sortRow(const T *row, MutableArrayRef<int64_t> places) {
  std::iota(places.begin(), places.end(), 0);
  llvm::sort(places, [&](int64_t a, int64_t b) {
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(row[a]) != std::isnan(row[b]))
        return std::isnan(row[a]);
    if (row[a] > row[b] || row[b] > row[a])
      return row[a] > row[b];
    return a < b;
  });
}

template <typename T>
static void findLargest(const Tensor &input, Tensor &values, Tensor &indices) {
  int64_t size = input.getShape().back(), k = values.getShape().back();
  std::vector<T> lanes = getLanes<T>(input), best(values.getNumElements());
  std::vector<int64_t> where(values.getNumElements());
  SmallVector<int64_t> places(size);
  for (int64_t row = 0; k > 0 && row * k < values.getNumElements(); ++row) {
    sortRow(lanes.data() + row * size, places);
    for (int64_t i = 0; i < k; ++i) {
      best[row * k + i] = lanes[row * size + places[i]];
      where[row * k + i] = places[i];
    }
  }
  setLanes(values, best);
  setLanes(indices, where);
}

static FailureOr<TensorList> runTopK(Operation *op, MutableArrayRef<Tensor> operands,
                                     const Interpreter &interpreter) {
  FailureOr<Tensor> values = makeResult(op, 0, interpreter),
                    indices = makeResult(op, 1, interpreter);
  if (failed(values) || failed(indices))
    return failure();
  if (isFloat(values->getType()))
    findLargest<double>(operands[0], *values, *indices);
  else
    findLargest<int64_t>(operands[0], *values, *indices);
  return TensorList{*std::move(values), *std::move(indices)};
}

void addModelOps(OpTable &table) {
  table.add(model::LookupOp::getOperationName(), LocalFunction(runLookup));
  table.add(model::LookupGradOp::getOperationName(), LocalFunction(runLookupGrad));
  table.add(model::CumulativeSumOp::getOperationName(), LocalFunction(runCumulativeSum));
  table.add(model::TopKOp::getOperationName(), LocalFunction(runTopK));
}

} // namespace planwright::reference
