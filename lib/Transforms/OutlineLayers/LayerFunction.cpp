// The outlining of equal segments: what their operands have in common, the function, the calls.
#include "lib/Transforms/OutlineLayers/LayerFunction.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;

namespace planwright {

/// Position of `value`'s definition within the segment that starts at `start`, as (operation,
/// result); absent if it comes from outside of the segment.
static std::optional<std::pair<unsigned, unsigned>>
getInnerPosition(const LayerSequence &sequence, Value value, unsigned start, size_t length) {
  auto position = sequence.positions.find(value.getDefiningOp());
  if (position == sequence.positions.end() || position->second < start ||
      position->second >= start + length)
    return std::nullopt;
  return std::pair(position->second - start, cast<OpResult>(value).getResultNumber());
}

/// Which operation of the segment each operand comes from.
static SmallVector<std::optional<std::pair<unsigned, unsigned>>>
getInnerPositions(const LayerSequence &sequence, Segment segment) {
  unsigned start = sequence.positions.lookup(segment.front());
  SmallVector<std::optional<std::pair<unsigned, unsigned>>> positions;
  for (Operation *op : segment)
    for (Value operand : getExternalOperands(op))
      positions.push_back(getInnerPosition(sequence, operand, start, segment.size()));
  return positions;
}

SmallVector<Segment> getEqualSegments(const LayerSequence &sequence, Repeat repeat) {
  SmallVector<Segment> best, row;
  decltype(getInnerPositions(sequence, {})) wanted;
  for (size_t index = 0; index < repeat.count; ++index) {
    Segment segment =
        ArrayRef(sequence.operations).slice(repeat.start + index * repeat.period, repeat.period);
    auto positions = getInnerPositions(sequence, segment);
    if (positions != wanted)
      row.clear();
    wanted = std::move(positions);
    row.push_back(segment);
    if (row.size() > best.size())
      best = row;
  }
  return best;
}

namespace {

/// Builds the function and the calls for one row of equal segments.
class Outlining {
public:
  Outlining(const LayerSequence &sequence, ArrayRef<Segment> segments)
      : sequence(sequence), segments(segments) {}

  func::FuncOp run(StringRef name, func::FuncOp before);

private:
  /// An operand that comes from outside: operand `operand` of operation `operation` of each
  /// segment.
  struct Slot {
    unsigned operation, operand;
  };

  void findSlots();
  void findResults();
  bool isClosedEverywhere(Slot slot, ArrayRef<Value> values) const;
  Value getValue(unsigned segment, Slot slot) const {
    return getExternalOperands(segments[segment][slot.operation])[slot.operand];
  }
  Value cloneClosed(OpBuilder &builder, Value value, IRMapping &mapping) const;
  void replaceByCall(unsigned segment, func::FuncOp function);

  const LayerSequence &sequence;
  ArrayRef<Segment> segments;
  /// One slot for each argument; slots that hold the same value in every segment share one.
  SmallVector<Slot> arguments;
  /// All slots by argument, and slots of values that the function computes itself.
  SmallVector<SmallVector<Slot>> sharers;
  SmallVector<Slot> closedSlots;
  /// (operation, result) pairs that are used outside of some segment.
  llvm::SetVector<std::pair<unsigned, unsigned>> results;
};

} // namespace

/// Whether all segments use the same value, which depends on no argument.
bool Outlining::isClosedEverywhere(Slot slot, ArrayRef<Value> values) const {
  return llvm::all_equal(values) && sequence.getOrigin(values.front()) == Origin::closed;
}

void Outlining::findSlots() {
  auto inner = getInnerPositions(sequence, segments.front());
  std::map<std::vector<const void *>, unsigned> byValues;
  unsigned flat = 0;
  for (unsigned operation = 0; operation < segments.front().size(); ++operation) {
    auto columns = llvm::map_to_vector(
        segments, [&](Segment segment) { return getExternalOperands(segment[operation]); });
    for (unsigned operand = 0; operand < columns.front().size(); ++operand) {
      if (inner[flat++])
        continue;
      Slot slot{operation, operand};
      auto values = llvm::map_to_vector(columns, [&](auto &column) { return column[operand]; });
      if (isClosedEverywhere(slot, values)) {
        closedSlots.push_back(slot);
        continue;
      }
      std::vector<const void *> key;
      for (Value value : values)
        key.push_back(value.getAsOpaquePointer());
      auto [entry, isNew] = byValues.try_emplace(std::move(key), arguments.size());
      if (isNew) {
        arguments.push_back(slot);
        sharers.emplace_back();
      }
      sharers[entry->second].push_back(slot);
    }
  }
}

void Outlining::findResults() {
  for (Segment segment : segments) {
    unsigned start = sequence.positions.lookup(segment.front());
    for (auto [operation, op] : llvm::enumerate(segment))
      for (OpResult result : op->getResults())
        for (Operation *user : result.getUsers()) {
          Operation *ancestor = segment.front()->getBlock()->findAncestorOpInBlock(*user);
          auto position = sequence.positions.find(ancestor);
          bool isInside = position != sequence.positions.end() && position->second >= start &&
                          position->second < start + segment.size();
          if (!isInside)
            results.insert({operation, result.getResultNumber()});
        }
  }
}

/// A copy of `value` and of all it is computed from.
Value Outlining::cloneClosed(OpBuilder &builder, Value value, IRMapping &mapping) const {
  if (Value copy = mapping.lookupOrNull(value))
    return copy;
  Operation *definition = value.getDefiningOp();
  for (Value operand : getExternalOperands(definition))
    cloneClosed(builder, operand, mapping);
  builder.clone(*definition, mapping);
  return mapping.lookup(value);
}

func::FuncOp Outlining::run(StringRef name, func::FuncOp before) {
  findSlots();
  findResults();
  auto argumentTypes =
      llvm::map_to_vector(arguments, [&](Slot slot) { return getValue(0, slot).getType(); });
  auto resultTypes = llvm::map_to_vector(results, [&](auto result) {
    return segments.front()[result.first]->getResult(result.second).getType();
  });
  OpBuilder builder(before);
  auto function = func::FuncOp::create(builder, before.getLoc(), name,
                                       builder.getFunctionType(argumentTypes, resultTypes));
  function.setPrivate();
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  for (auto [index, slot] : llvm::enumerate(arguments))
    mapping.map(getValue(0, slot), function.getArgument(index));
  for (Slot slot : closedSlots)
    cloneClosed(builder, getValue(0, slot), mapping);
  // Two arguments may hold the same value in the first segment and not in others, so operands are
  // set one by one.
  SmallVector<Operation *> clones;
  for (Operation *op : segments.front())
    clones.push_back(builder.clone(*op, mapping));
  for (auto [index, slots] : llvm::enumerate(sharers))
    for (Slot slot : slots)
      if (slot.operand < clones[slot.operation]->getNumOperands())
        clones[slot.operation]->setOperand(slot.operand, function.getArgument(index));
  auto returned = llvm::map_to_vector(results, [&](auto result) -> Value {
    return clones[result.first]->getResult(result.second);
  });
  func::ReturnOp::create(builder, function.getLoc(), returned);
  for (unsigned segment = 0; segment < segments.size(); ++segment)
    replaceByCall(segment, function);
  return function;
}

/// Replaces the operations of one segment. The call stands where the last of them stood: all
/// operands are there by then.
void Outlining::replaceByCall(unsigned segment, func::FuncOp function) {
  OpBuilder builder(segments[segment].back());
  auto operands =
      llvm::map_to_vector(arguments, [&](Slot slot) { return getValue(segment, slot); });
  auto call =
      func::CallOp::create(builder, segments[segment].front()->getLoc(), function, operands);
  for (auto [index, result] : llvm::enumerate(results))
    segments[segment][result.first]
        ->getResult(result.second)
        .replaceAllUsesWith(call.getResult(index));
  for (Operation *op : llvm::reverse(segments[segment]))
    op->erase();
}

func::FuncOp outlineSegments(const LayerSequence &sequence, ArrayRef<Segment> segments,
                             StringRef name, func::FuncOp before) {
  return Outlining(sequence, segments).run(name, before);
}

} // namespace planwright
