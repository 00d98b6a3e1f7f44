// Loops of one work item: tiles decoded from its number, accumulators in registers or in a small
// buffer.
#include "NestEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace planwright::codegen;

namespace {
/// Where the code stands: the loops entered so far, and the part of each address that they make.
struct Position {
  SmallVector<Value> ivs;
  SmallVector<Value> inputs;
  SmallVector<Value> outputs;
};

/// The iterations of a loop that belong to the work item.
struct Range {
  Value low, high;
};

class Emitter {
public:
  Emitter(ItemBuilder &builder, const NestKernel &kernel)
      : b(builder), kernel(kernel), nest(kernel.nest) {}

  void emit(Value item) {
    Position position = start();
    cutRanges(item, position);
    SmallVector<unsigned> outer, inner;
    for (unsigned loop : kernel.schedule.order) {
      bool isColumn = kernel.schedule.sumsInBuffer && loop == kernel.schedule.order.back();
      if (isEntered(position, loop))
        continue;
      (nest.loops[loop].isReduction || isColumn ? inner : outer).push_back(loop);
    }
    emitParallel(outer, position, [&](const Position &inside) {
      kernel.schedule.sumsInBuffer ? emitColumns(inner, inside) : emitRow(inner, inside);
    });
  }

private:
  static bool isEntered(const Position &position, unsigned loop) {
    return bool(position.ivs[loop]);
  }

  Position start() {
    Position position;
    position.ivs.resize(nest.loops.size());
    for (const Access &access : nest.inputs)
      position.inputs.push_back(b.index(access.offset));
    for (const Access &access : nest.outputs)
      position.outputs.push_back(b.index(access.offset));
    return position;
  }

  Position enter(Position position, unsigned loop, Value iv) {
    position.ivs[loop] = iv;
    auto advance = [&](Value &address, const Access &access) {
      if (int64_t stride = access.strides[loop])
        address = b.add(address, b.mul(iv, stride));
    };
    for (auto [address, access] : llvm::zip_equal(position.inputs, nest.inputs))
      advance(address, access);
    for (auto [address, access] : llvm::zip_equal(position.outputs, nest.outputs))
      advance(address, access);
    return position;
  }

  /// Splits the item's number into one tile number for each loop that is cut; tiles of one
  /// iteration are entered.
  void cutRanges(Value item, Position &position) {
    ranges.resize(nest.loops.size());
    Value rest = item;
    for (unsigned loop = nest.loops.size(); loop-- > 0;) {
      int64_t extent = nest.loops[loop].extent, tile = kernel.schedule.tiles[loop];
      if (tile == extent) {
        ranges[loop] = {b.index(0), b.index(extent)};
        continue;
      }
      Value count = b.index(llvm::divideCeil(extent, tile)), number = rest;
      if (!isOutermostCut(loop)) {
        number = arith::RemUIOp::create(b, rest, count);
        rest = arith::DivUIOp::create(b, rest, count);
      }
      Value low = b.mul(number, tile);
      if (tile == 1) {
        position = enter(position, loop, low);
        continue;
      }
      Value high = b.add(low, b.index(tile));
      if (extent % tile != 0)
        high = arith::MinSIOp::create(b, high, b.index(extent));
      ranges[loop] = {low, high};
    }
  }

  bool isOutermostCut(unsigned loop) const {
    for (unsigned outer = 0; outer < loop; ++outer)
      if (kernel.schedule.tiles[outer] != nest.loops[outer].extent)
        return false;
    return true;
  }

  void emitParallel(ArrayRef<unsigned> loops, const Position &position,
                    function_ref<void(const Position &)> inside) {
    if (loops.empty())
      return inside(position);
    Range range = ranges[loops.front()];
    b.loop(range.low, range.high, [&](Value iv) {
      emitParallel(loops.drop_front(), enter(position, loops.front(), iv), inside);
    });
  }

  //===--------------------------------------------------------------------===//
  // The body
  //===--------------------------------------------------------------------===//

  Value initialValue(unsigned number, Value address) {
    const NestOutput &output = kernel.outputs[number];
    return output.initial ? createConstant(b, output.initial)
                          : b.load(output.initialOperand, address);
  }

  /// Runs the body once, stores the outputs that are no sums, and returns the new sums.
  SmallVector<Value> emitBody(const Position &position, ValueRange sums) {
    SmallVector<Value> inputs, outputs;
    for (auto [operand, address] : llvm::zip_equal(kernel.inputs, position.inputs))
      inputs.push_back(b.load(operand, address));
    for (unsigned number = 0, sum = 0; number < kernel.outputs.size(); ++number)
      outputs.push_back(kernel.outputs[number].isReduced
                            ? sums[sum++]
                            : initialValue(number, position.outputs[number]));
    SmallVector<Value> results = kernel.body(b, inputs, outputs, position.ivs), newSums;
    for (auto [number, output] : llvm::enumerate(kernel.outputs)) {
      if (output.isReduced)
        newSums.push_back(results[number]);
      else
        b.store(results[number], output.operand, position.outputs[number]);
    }
    return newSums;
  }

  SmallVector<unsigned> reducedOutputs() const {
    SmallVector<unsigned> numbers;
    for (auto [number, output] : llvm::enumerate(kernel.outputs))
      if (output.isReduced)
        numbers.push_back(number);
    return numbers;
  }

  //===--------------------------------------------------------------------===//
  // Sums in registers
  //===--------------------------------------------------------------------===//

  SmallVector<Value> emitReduction(ArrayRef<unsigned> loops, const Position &position,
                                   ValueRange sums) {
    if (loops.empty())
      return emitBody(position, sums);
    Range range = ranges[loops.front()];
    return b.loop(range.low, range.high, sums, [&](Value iv, ValueRange carried) {
      return emitReduction(loops.drop_front(), enter(position, loops.front(), iv), carried);
    });
  }

  void emitRow(ArrayRef<unsigned> reductions, const Position &position) {
    SmallVector<unsigned> reduced = reducedOutputs();
    SmallVector<Value> sums;
    for (unsigned number : reduced)
      sums.push_back(initialValue(number, position.outputs[number]));
    if (reduced.empty())
      return emitParallel(reductions, position,
                          [&](const Position &inside) { emitBody(inside, {}); });
    sums = emitReduction(reductions, position, sums);
    for (auto [number, sum] : llvm::zip_equal(reduced, sums))
      b.store(sum, kernel.outputs[number].operand, position.outputs[number]);
  }

  //===--------------------------------------------------------------------===//
  // Sums in a buffer, one for each column of the tile
  //===--------------------------------------------------------------------===//

  void forEachColumn(const Position &position, function_ref<void(Value, const Position &)> body) {
    unsigned loop = kernel.schedule.order.back();
    Range range = ranges[loop];
    Value count = arith::SubIOp::create(b, range.high, range.low);
    b.loop(b.index(0), count,
           [&](Value column) { body(column, enter(position, loop, b.add(range.low, column))); });
  }

  void emitColumns(ArrayRef<unsigned> loops, const Position &position) {
    SmallVector<unsigned> reduced = reducedOutputs();
    SmallVector<Value> buffers;
    int64_t columns = kernel.schedule.tiles[kernel.schedule.order.back()];
    for (unsigned number : reduced)
      buffers.push_back(b.stack(columns, getSumType(number)));
    forEachColumn(position, [&](Value column, const Position &inside) {
      for (auto [number, buffer] : llvm::zip_equal(reduced, buffers))
        memref::StoreOp::create(b, initialValue(number, inside.outputs[number]), buffer, column);
    });
    emitParallel(loops.drop_back(), position, [&](const Position &row) {
      forEachColumn(row, [&](Value column, const Position &inside) {
        SmallVector<Value> sums;
        for (Value buffer : buffers)
          sums.push_back(memref::LoadOp::create(b, buffer, column));
        for (auto [sum, buffer] : llvm::zip_equal(emitBody(inside, sums), buffers))
          memref::StoreOp::create(b, sum, buffer, column);
      });
    });
    forEachColumn(position, [&](Value column, const Position &inside) {
      for (auto [number, buffer] : llvm::zip_equal(reduced, buffers))
        b.store(memref::LoadOp::create(b, buffer, column), kernel.outputs[number].operand,
                inside.outputs[number]);
    });
  }

  Type getSumType(unsigned number) {
    return getComputeType(b.getElementType(kernel.outputs[number].operand));
  }

  ItemBuilder &b;
  const NestKernel &kernel;
  const LoopNest &nest;
  SmallVector<Range> ranges;
};
} // namespace

void planwright::codegen::emitNest(ItemBuilder &builder, Value item, const NestKernel &kernel) {
  Emitter(builder, kernel).emit(item);
}
