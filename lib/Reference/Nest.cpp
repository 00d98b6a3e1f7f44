// The two ways to run a loop nest on vectors of elements.

#include "Nest.h"

#include <numeric>

using namespace mlir;

namespace planwright::reference {

namespace {

/// Feeds one argument register, some positions at a time.
class Reader {
public:
  /// Elements of a tensor.
  Reader(const NestOperand &operand, ArrayRef<unsigned> loops, ArrayRef<int64_t> sizes,
         unsigned index, Lane lane)
      : index(index), lane(lane), cursor(sizes, restrictTo(operand.access, loops)),
        data(operand.tensor.getData()), elementBytes(getByteSize(operand.tensor.getType())),
        load(getLoadRun(operand.tensor.getType(), lane)) {
    ElementType type = operand.tensor.getType();
    bool sameForm =
        type == ElementType::F32 || type == ElementType::F64 || type == ElementType::I64;
    direct =
        sameForm && getLane(type) == lane && isContiguous(restrictTo(operand.access, loops), sizes);
  }

  /// The value of a loop.
  Reader(const Access &loopValue, ArrayRef<int64_t> sizes, unsigned index)
      : index(index), lane(Lane::I64), cursor(sizes, loopValue) {}

  void seek(int64_t position, int64_t base) {
    cursor.seek(position);
    cursor.shift(base);
    directElement = position + base;
  }

  void read(Registers &registers, int64_t count) {
    if (direct) {
      // The program never writes to an argument, so it may look at the tensor itself.
      registers.set(index, const_cast<char *>(static_cast<const char *>(data)) +
                               directElement * elementBytes);
      directElement += count;
      return;
    }
    char *lanes = static_cast<char *>(registers.own(index));
    cursor.advance(count, [&](int64_t position, int64_t element, int64_t stride, int64_t run) {
      void *to = lanes + position * getLaneBytes(lane);
      if (load)
        return load(data, element, stride, run, to);
      for (int64_t i = 0; i < run; ++i)
        static_cast<int64_t *>(to)[i] = element + i * stride;
    });
  }

private:
  unsigned index;
  Lane lane;
  Cursor cursor;
  const void *data = nullptr;
  int64_t elementBytes = 0;
  LoadRun load = nullptr; // Null where the element's number is the value.
  bool direct = false;
  int64_t directElement = 0;
};

/// Steps through some loops of a nest and knows by how much that moves each access.
struct OuterLoops {
  SmallVector<int64_t> sizes;
  SmallVector<unsigned> loops;

  int64_t count() const {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
  }

  int64_t getBase(const Access &access, int64_t position) const {
    int64_t base = 0;
    for (size_t d = loops.size(); d-- > 0; position /= sizes[d])
      base += position % sizes[d] * access.strides[loops[d]];
    return base;
  }
};

} // namespace

static SmallVector<int64_t> select(ArrayRef<int64_t> sizes, ArrayRef<unsigned> loops) {
  return llvm::map_to_vector(loops, [&](unsigned loop) { return sizes[loop]; });
}

static int64_t product(ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
}

/// The access that counts one loop.
static Access getLoopValue(unsigned loop, size_t numLoops) {
  Access access;
  access.strides.assign(numLoops, 0);
  access.strides[loop] = 1;
  return access;
}

/// Readers for the inputs and the loop indices of a program, and the accesses they follow.
static void makeReaders(const Nest &nest, const Program &program, ArrayRef<unsigned> loops,
                        ArrayRef<int64_t> sizes, SmallVector<Reader> &readers,
                        SmallVector<Access> &accesses) {
  for (auto [i, input] : llvm::enumerate(nest.inputs)) {
    readers.emplace_back(input, loops, sizes, i, program.getRegisterTypes()[i].lane);
    accesses.push_back(input.access);
  }
  for (auto [index, loop] : program.getLoopIndices()) {
    accesses.push_back(getLoopValue(loop, nest.sizes.size()));
    readers.emplace_back(restrictTo(accesses.back(), loops), sizes, index);
  }
}

/// Stores or loads the lanes of one output for consecutive positions.
template <typename Move>
static void forEachRun(Cursor &cursor, int64_t start, int64_t count, Lane lane, Move move) {
  cursor.seek(start);
  cursor.advance(count, [&](int64_t position, int64_t element, int64_t stride, int64_t run) {
    move(position * getLaneBytes(lane), element, stride, run);
  });
}

void runInPlace(Nest &nest, const Program &program, bool readsOutputs) {
  SmallVector<int64_t> sizes = select(nest.sizes, nest.parallelLoops);
  OuterLoops outer{select(nest.sizes, nest.reductionLoops), nest.reductionLoops};
  SmallVector<Reader> readers;
  SmallVector<Access> accesses;
  makeReaders(nest, program, nest.parallelLoops, sizes, readers, accesses);
  SmallVector<Cursor> cursors;
  SmallVector<void *> data;
  for (NestOperand &output : nest.outputs) {
    cursors.emplace_back(sizes, restrictTo(output.access, nest.parallelLoops));
    data.push_back(readsOutputs ? output.tensor.getMutableData()
                                : output.tensor.getDataToOverwrite());
  }
  Registers registers(program);
  unsigned firstOutput = nest.inputs.size();
  int64_t positions = product(sizes), repetitions = outer.count();
  for (int64_t start = 0; start < positions; start += maxLanes) {
    int64_t count = std::min(maxLanes, positions - start);
    for (auto [i, output] : llvm::enumerate(nest.outputs)) {
      if (!readsOutputs)
        continue;
      Lane lane = program.getRegisterTypes()[firstOutput + i].lane;
      LoadRun load = getLoadRun(output.tensor.getType(), lane);
      char *lanes = static_cast<char *>(registers.own(firstOutput + i));
      forEachRun(cursors[i], start, count, lane,
                 [&, i = i](int64_t byte, int64_t element, int64_t stride, int64_t run) {
                   load(data[i], element, stride, run, lanes + byte);
                 });
    }
    for (int64_t repetition = 0; repetition < repetitions; ++repetition) {
      for (auto [reader, access] : llvm::zip_equal(readers, accesses)) {
        reader.seek(start, outer.getBase(access, repetition));
        reader.read(registers, count);
      }
      program.run(registers, count);
      if (repetition + 1 == repetitions)
        break;
      // What was yielded is what the next repetition finds in the outputs. All are read before one
      // is written.
      SmallVector<std::vector<char>> yielded;
      for (unsigned yield : program.getYields()) {
        const char *lanes = static_cast<const char *>(registers.get(yield));
        yielded.emplace_back(lanes,
                             lanes + count * getLaneBytes(program.getRegisterTypes()[yield].lane));
      }
      for (auto [i, lanes] : llvm::enumerate(yielded))
        std::memcpy(registers.get(firstOutput + i), lanes.data(), lanes.size());
    }
    for (auto [i, output] : llvm::enumerate(nest.outputs)) {
      unsigned yield = program.getYields()[i];
      Lane lane = program.getRegisterTypes()[yield].lane;
      StoreRun store = getStoreRun(output.tensor.getType(), lane);
      const char *lanes = static_cast<const char *>(registers.get(yield));
      forEachRun(cursors[i], start, count, lane,
                 [&, i = i](int64_t byte, int64_t element, int64_t stride, int64_t run) {
                   store(lanes + byte, data[i], element, stride, run);
                 });
    }
  }
}

namespace {

/// The accumulators of one output, in the widest lane of their kind.
class Accumulator {
public:
  Accumulator(NestOperand &output, ArrayRef<int64_t> sizes, Lane yieldLane, Combiner combiner)
      : output(output), cursor(sizes, output.access),
        wide(yieldLane == Lane::I64 ? Lane::I64 : Lane::F64), yieldLane(yieldLane),
        combiner(combiner), memory(output.tensor.getNumElements()), lanes(maxLanes),
        gathered(maxLanes) {
    getLoadRun(output.tensor.getType(), wide)(output.tensor.getData(), 0, 1, memory.size(),
                                              memory.data());
  }

  /// Combines the next `count` yielded lanes.
  void add(const void *yielded, int64_t count) {
    if (yieldLane == Lane::F32)
      getLoadRun(ElementType::F32, Lane::F64)(yielded, 0, 1, count, lanes.data());
    else
      std::memcpy(lanes.data(), yielded, count * sizeof(int64_t));
    cursor.advance(count, [&](int64_t position, int64_t element, int64_t stride, int64_t run) {
      int64_t *from = lanes.data() + position;
      if (stride == 0)
        combine(&memory[element], foldTree(from, run), 1);
      else if (stride == 1)
        combine(&memory[element], from, run);
      else
        combineStrided(element, stride, from, run);
    });
  }

  void finish() {
    getStoreRun(output.tensor.getType(), wide)(memory.data(), output.tensor.getDataToOverwrite(), 0,
                                               1, memory.size());
  }

private:
  void combine(int64_t *into, const int64_t *from, int64_t count) {
    const void *operands[] = {into, from};
    combiner.kernel(into, operands, count);
  }

  /// Halves until one lane is left. Destroys the lanes.
  int64_t *foldTree(int64_t *from, int64_t count) {
    while (count > 1) {
      int64_t half = count / 2, rest = count - half;
      combine(from, from + rest, half);
      count = rest;
    }
    return from;
  }

  void combineStrided(int64_t element, int64_t stride, const int64_t *from, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      gathered[i] = memory[element + i * stride];
    combine(gathered.data(), from, count);
    for (int64_t i = 0; i < count; ++i)
      memory[element + i * stride] = gathered[i];
  }

  NestOperand &output;
  Cursor cursor;
  Lane wide, yieldLane;
  Combiner combiner;
  std::vector<int64_t> memory, lanes,
      gathered; // Doubles where `wide` is F64; only kernels look inside.
};

} // namespace

void runFold(Nest &nest, const Program &program, ArrayRef<Combiner> combiners) {
  SmallVector<unsigned> loops = llvm::to_vector(llvm::seq<unsigned>(0, nest.sizes.size()));
  SmallVector<Reader> readers;
  SmallVector<Access> accesses;
  makeReaders(nest, program, loops, nest.sizes, readers, accesses);
  for (Reader &reader : readers)
    reader.seek(0, 0);
  std::vector<Accumulator> accumulators;
  accumulators.reserve(nest.outputs.size());
  for (auto [i, output] : llvm::enumerate(nest.outputs))
    accumulators.emplace_back(
        output, nest.sizes, program.getRegisterTypes()[program.getYields()[i]].lane, combiners[i]);
  Registers registers(program);
  int64_t positions = product(nest.sizes);
  for (int64_t start = 0; start < positions; start += maxLanes) {
    int64_t count = std::min(maxLanes, positions - start);
    for (Reader &reader : readers)
      reader.read(registers, count);
    program.run(registers, count);
    for (auto [accumulator, yield] : llvm::zip_equal(accumulators, program.getYields()))
      accumulator.add(registers.get(yield), count);
  }
  for (Accumulator &accumulator : accumulators)
    accumulator.finish();
}

} // namespace planwright::reference
