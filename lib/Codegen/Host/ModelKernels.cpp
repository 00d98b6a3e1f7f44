// Kernels of the model dialect: access by index, running sums, the largest elements of a row.
#include "Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::codegen;

// As in LoopNest.cpp: elements of one work item, and columns that are walked side by side.
static constexpr int64_t kItemElements = 4096, kColumns = 64;

static int64_t product(ArrayRef<int64_t> extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

static ArrayRef<int64_t> getShape(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

namespace {
/// [0, extent) cut into tiles.
struct Tiling {
  int64_t extent, tile;

  Tiling(int64_t extent, int64_t tile)
      : extent(extent), tile(std::clamp<int64_t>(tile, 1, std::max<int64_t>(extent, 1))) {}
  int64_t count() const { return llvm::divideCeil(extent, tile); }
  Value low(ItemBuilder &b, Value number) const { return b.mul(number, tile); }
  Value high(ItemBuilder &b, Value number) const {
    Value high = b.add(low(b, number), b.index(tile));
    return extent % tile ? arith::MinSIOp::create(b, high, b.index(extent)).getResult() : high;
  }
};
} // namespace

namespace {
/// A row of a table.
struct Row {
  Value number;   ///< in [0, rows)
  Value isInside; ///< whether the index was there already; null where that does not matter
};
} // namespace

/// The row that an index tensor names, the nearest one where there is none.
static Row loadRow(ItemBuilder &b, unsigned indices, Value address, int64_t rows, bool isMasked) {
  Value index = b.load(indices, address);
  Type indexType = b.getIndexType();
  if (index.getType().isInteger(1))
    index = arith::IndexCastUIOp::create(b, indexType, index);
  else
    index = arith::IndexCastOp::create(b, indexType, index);
  Value notBelow = arith::MaxSIOp::create(b, index, b.index(0));
  Row row{arith::MinSIOp::create(b, notBelow, b.index(rows - 1)), {}};
  if (isMasked)
    row.isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, index, row.number);
  return row;
}

static Value addElements(ItemBuilder &b, Value left, Value right) {
  if (isa<FloatType>(left.getType()))
    return arith::AddFOp::create(b, left, right);
  return arith::AddIOp::create(b, left, right);
}

static Value createZero(ItemBuilder &b, Type elementType) {
  return createConstant(b, cast<TypedAttr>(b.getZeroAttr(elementType)));
}

/// `element` of a row, or zero where the row is masked.
static Value mask(ItemBuilder &b, const Row &row, Value element) {
  if (!row.isInside)
    return element;
  return arith::SelectOp::create(b, row.isInside, element, createZero(b, element.getType()));
}

//===----------------------------------------------------------------------===//
// Lookup
//===----------------------------------------------------------------------===//

FailureOr<KernelDraft> planwright::codegen::draftLookup(model::LookupOp op) {
  int64_t rows = getShape(op.getTable()).front(),
          width = product(getShape(op.getTable()).drop_front());
  bool isMasked = op.getMasked();
  Tiling lookups(product(getShape(op.getIndices())), kItemElements / std::max<int64_t>(width, 1));
  KernelDraft draft("lookup");
  unsigned table = draft.read(op.getTable()), indices = draft.read(op.getIndices()),
           result = draft.write(op.getResult());
  draft.addPart(lookups.count(), [=](ItemBuilder &b, Value item) {
    b.loop(lookups.low(b, item), lookups.high(b, item), [&](Value lookup) {
      Row row = loadRow(b, indices, lookup, rows, isMasked);
      Value from = b.mul(row.number, width), to = b.mul(lookup, width);
      b.loop(b.index(0), b.index(width), [&](Value column) {
        b.store(mask(b, row, b.load(table, b.add(from, column))), result, b.add(to, column));
      });
    });
  });
  return draft;
}

/// Columns are divided between items; within an item rows are added in the order of the indices.
FailureOr<KernelDraft> planwright::codegen::draftLookupGrad(model::LookupGradOp op) {
  int64_t rows = getShape(op.getResult()).front(),
          width = product(getShape(op.getResult()).drop_front());
  int64_t lookups = product(getShape(op.getIndices()));
  bool isMasked = op.getMasked();
  Tiling columns(width, kColumns);
  KernelDraft draft("lookup_grad");
  unsigned gradient = draft.read(op.getGradient()), indices = draft.read(op.getIndices());
  unsigned result = draft.write(op.getResult());
  draft.addPart(columns.count(), [=](ItemBuilder &b, Value item) {
    auto forEachColumn = [&](Value base, function_ref<void(Value, Value)> body) {
      b.loop(columns.low(b, item), columns.high(b, item),
             [&](Value column) { body(column, b.add(base, column)); });
    };
    b.loop(b.index(0), b.index(rows), [&](Value row) {
      forEachColumn(b.mul(row, width), [&](Value, Value to) {
        b.store(createZero(b, b.getElementType(result)), result, to);
      });
    });
    b.loop(b.index(0), b.index(lookups), [&](Value lookup) {
      Value from = b.mul(lookup, width);
      Row row = loadRow(b, indices, lookup, rows, isMasked);
      forEachColumn(b.mul(row.number, width), [&](Value column, Value to) {
        Value added = mask(b, row, b.load(gradient, b.add(from, column)));
        b.store(addElements(b, b.load(result, to), added), result, to);
      });
    });
  });
  return draft;
}

//===----------------------------------------------------------------------===//
// Running sums
//===----------------------------------------------------------------------===//

FailureOr<KernelDraft> planwright::codegen::draftCumulativeSum(model::CumulativeSumOp op) {
  ArrayRef<int64_t> shape = getShape(op.getInput());
  size_t dim = op.getDim();
  int64_t length = shape[dim], width = product(shape.drop_front(dim + 1));
  Tiling columns(width, kItemElements / 8);
  Tiling outer(product(shape.take_front(dim)),
               kItemElements / std::max<int64_t>(1, length * columns.tile));
  bool isReverse = op.getReverse();
  KernelDraft draft("cumulative_sum");
  unsigned input = draft.read(op.getInput()), result = draft.write(op.getResult());
  draft.addPart(outer.count() * columns.count(), [=](ItemBuilder &b, Value item) {
    Type type = b.getElementType(input);
    Value sums = b.stack(columns.tile, getComputeType(type));
    Value outerTile = arith::DivUIOp::create(b, item, b.index(columns.count()));
    Value columnTile = arith::RemUIOp::create(b, item, b.index(columns.count()));
    Value low = columns.low(b, columnTile);
    Value count = arith::SubIOp::create(b, columns.high(b, columnTile), low);
    b.loop(outer.low(b, outerTile), outer.high(b, outerTile), [&](Value row) {
      Value base = b.add(b.mul(row, length * width), low);
      b.loop(b.index(0), count,
             [&](Value column) { memref::StoreOp::create(b, createZero(b, type), sums, column); });
      b.loop(b.index(0), b.index(length), [&](Value step) {
        if (isReverse)
          step = arith::SubIOp::create(b, b.index(length - 1), step);
        Value line = b.add(base, b.mul(step, width));
        b.loop(b.index(0), count, [&](Value column) {
          Value address = b.add(line, column);
          Value sum =
              addElements(b, memref::LoadOp::create(b, sums, column), b.load(input, address));
          memref::StoreOp::create(b, sum, sums, column);
          b.store(sum, result, address);
        });
      });
    });
  });
  return draft;
}

//===----------------------------------------------------------------------===//
// Top k
//===----------------------------------------------------------------------===//

/// `left` comes after `right` in descending order. NaN comes before everything.
static Value isLess(ItemBuilder &b, Value left, Value right) {
  if (!isa<FloatType>(left.getType()))
    return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, left, right);
  Value less = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, left, right);
  Value isNumber = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, left, left);
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, right, right);
  return arith::OrIOp::create(b, less, arith::AndIOp::create(b, isNumber, isNaN));
}

/// The best element of a row that comes after (value, index) in descending order; index -1 stands
/// before all. Returns value and index.
static SmallVector<Value> findNext(ItemBuilder &b, unsigned input, Value row, int64_t length,
                                   ValueRange previous) {
  Value none = b.index(-1);
  SmallVector<Value> start{createZero(b, b.getElementType(input)), none};
  return b.loop(b.index(0), b.index(length), start, [&](Value at, ValueRange best) {
    Value value = b.load(input, b.add(row, at));
    Value isAfter = isLess(b, value, previous[0]), isBefore = isLess(b, previous[0], value);
    Value isEqual = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, isAfter, isBefore);
    Value isLater = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, at, previous[1]);
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, previous[1], none);
    Value follows = arith::OrIOp::create(b, isAfter, arith::AndIOp::create(b, isEqual, isLater));
    follows = arith::OrIOp::create(b, follows, isFirst);
    Value isNone = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, best[1], none);
    Value isBetter = arith::OrIOp::create(b, isNone, isLess(b, best[0], value));
    Value take = arith::AndIOp::create(b, follows, isBetter);
    return SmallVector<Value>{arith::SelectOp::create(b, take, value, best[0]),
                              arith::SelectOp::create(b, take, at, best[1])};
  });
}

FailureOr<KernelDraft> planwright::codegen::draftTopK(model::TopKOp op) {
  int64_t length = getShape(op.getInput()).back(), k = getShape(op.getValues()).back();
  Tiling rows(product(getShape(op.getInput()).drop_back()),
              kItemElements / std::max<int64_t>(1, length * k));
  KernelDraft draft("top_k");
  unsigned input = draft.read(op.getInput());
  unsigned values = draft.write(op.getValues()), indices = draft.write(op.getIndices());
  draft.addPart(rows.count(), [=](ItemBuilder &b, Value item) {
    b.loop(rows.low(b, item), rows.high(b, item), [&](Value row) {
      SmallVector<Value> before{createZero(b, b.getElementType(input)), b.index(-1)};
      b.loop(b.index(0), b.index(k), before, [&](Value rank, ValueRange previous) {
        SmallVector<Value> next = findNext(b, input, b.mul(row, length), length, previous);
        Value to = b.add(b.mul(row, k), rank);
        b.store(next[0], values, to);
        b.store(arith::IndexCastOp::create(b, b.getElementType(indices), next[1]), indices, to);
        return next;
      });
    });
  });
  return draft;
}
