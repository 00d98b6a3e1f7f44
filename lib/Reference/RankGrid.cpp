// Coordinates and groups of ranks.

#include "planwright/Reference/RankGrid.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <numeric>

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace planwright::reference {

RankGrid::RankGrid(ArrayRef<std::string> names, ArrayRef<int64_t> sizes)
    : names(names), sizes(sizes) {}

int64_t RankGrid::getNumRanks() const {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
}

int64_t RankGrid::getSize(StringRef axis) const {
  auto it = llvm::find(names, axis);
  return it == names.end() ? 1 : sizes[it - names.begin()];
}

int64_t RankGrid::getCoordinate(int64_t rank, StringRef axis) const {
  for (size_t a = names.size(); a-- > 0; rank /= sizes[a])
    if (names[a] == axis)
      return rank % sizes[a];
  return 0;
}

int64_t RankGrid::getCoordinate(int64_t rank, ArrayRef<StringRef> axes) const {
  int64_t result = 0;
  for (StringRef axis : axes)
    result = result * getSize(axis) + getCoordinate(rank, axis);
  return result;
}

SmallVector<SmallVector<int64_t>> RankGrid::getGroups(ArrayRef<StringRef> axes) const {
  std::map<SmallVector<int64_t>, SmallVector<int64_t>> groups;
  for (int64_t rank = 0; rank < getNumRanks(); ++rank) {
    SmallVector<int64_t> others;
    for (const std::string &name : names)
      if (!llvm::is_contained(axes, StringRef(name)))
        others.push_back(getCoordinate(rank, name));
    groups[others].push_back(rank);
  }
  SmallVector<SmallVector<int64_t>> result;
  for (auto &[others, members] : groups) {
    llvm::sort(members, [&](int64_t a, int64_t b) {
      return getCoordinate(a, axes) < getCoordinate(b, axes);
    });
    result.push_back(members);
  }
  return result;
}

} // namespace planwright::reference
