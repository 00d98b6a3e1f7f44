// The ranks of a mesh as a grid: coordinates and groups. Numbers only.
//
//   RankGrid grid({"dp", "tp"}, {2, 4});
//   grid.getCoordinate(5, "tp");          // 1
//   grid.getGroups({"tp"});               // {{0, 1, 2, 3}, {4, 5, 6, 7}}

#ifndef PLANWRIGHT_REFERENCE_RANKGRID_H
#define PLANWRIGHT_REFERENCE_RANKGRID_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace planwright::reference {

class RankGrid {
public:
  /// One rank, no axes.
  RankGrid() = default;

  /// Axes outermost first; rank numbers count row-major. The axis "mb" lies in time and has no
  /// ranks: leave it out.
  RankGrid(llvm::ArrayRef<std::string> names, llvm::ArrayRef<int64_t> sizes);

  int64_t getNumRanks() const;

  /// The size of an axis, 1 where there is none of that name.
  int64_t getSize(llvm::StringRef axis) const;

  /// Where a rank stands on an axis, 0 where there is none of that name.
  int64_t getCoordinate(int64_t rank, llvm::StringRef axis) const;

  /// Where a rank stands on several axes taken as one, the first of them outermost.
  int64_t getCoordinate(int64_t rank, llvm::ArrayRef<llvm::StringRef> axes) const;

  /// The ranks that agree on all axes but these, one group each, every group in the order of its
  /// members' coordinate on `axes`.
  llvm::SmallVector<llvm::SmallVector<int64_t>>
  getGroups(llvm::ArrayRef<llvm::StringRef> axes) const;

  llvm::ArrayRef<std::string> getNames() const { return names; }

private:
  llvm::SmallVector<std::string> names;
  llvm::SmallVector<int64_t> sizes;
};

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_RANKGRID_H
