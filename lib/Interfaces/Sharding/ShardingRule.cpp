// From an assignment of axes to factors to the layouts of operands and results.
// Not here: the rules of single ops.
#include "planwright/Interfaces/Sharding/ShardingRule.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace planwright;

SmallVector<StringAttr> planwright::getDividingAxes(plan::MeshAttr mesh) {
  SmallVector<StringAttr> axes;
  StringAttr time;
  for (auto [name, size] : llvm::zip_equal(mesh.getNames(), mesh.getSizes())) {
    if (size == 1)
      continue;
    if (name.getValue() == plan::kMicroBatchAxis)
      time = name;
    else
      axes.push_back(name);
  }
  if (time)
    axes.push_back(time);
  return axes;
}

unsigned ShardingRule::addFactor(int64_t size, FactorKind kind) {
  factors.push_back({size, kind});
  return factors.size() - 1;
}

std::optional<SmallVector<Axes>>
ShardingRule::split(ArrayRef<StringAttr> axes, const DimFactors &dim, plan::MeshAttr mesh) const {
  SmallVector<Axes> perFactor(dim.size());
  size_t current = 0;
  int64_t left = dim.empty() ? 1 : factors[dim[0]].size;
  for (StringAttr axis : axes) {
    while (left == 1 && current + 1 < dim.size())
      left = factors[dim[++current]].size;
    int64_t size = mesh.getSize(axis);
    if (dim.empty() || left % size != 0)
      return std::nullopt;
    left /= size;
    perFactor[current].push_back(axis);
  }
  return perFactor;
}

std::optional<Axes> ShardingRule::join(const DimFactors &dim, ArrayRef<Axes> factorAxes,
                                       plan::MeshAttr mesh) const {
  Axes joined;
  for (unsigned factor : dim)
    llvm::append_range(joined, factorAxes[factor]);
  // Contiguous blocks are exactly those that splitting gives back.
  auto perFactor = split(joined, dim, mesh);
  if (!perFactor)
    return std::nullopt;
  for (auto [factor, axes] : llvm::zip_equal(dim, *perFactor))
    if (axes != factorAxes[factor])
      return std::nullopt;
  return joined;
}

/// The dimensions' part of a layout; absent where the assignment does not fit.
static std::optional<SmallVector<plan::AxesAttr>> joinDims(const ShardingRule &rule,
                                                           const ValueFactors &value,
                                                           plan::AssignmentAttr assignment,
                                                           plan::MeshAttr mesh) {
  if (assignment.getFactors().size() != rule.factors.size())
    return std::nullopt;
  SmallVector<Axes> factorAxes;
  for (plan::AxesAttr axes : assignment.getFactors())
    factorAxes.emplace_back(axes.getNames());
  SmallVector<plan::AxesAttr> dims;
  for (const DimFactors &dim : value) {
    std::optional<Axes> axes = rule.join(dim, factorAxes, mesh);
    if (!axes)
      return std::nullopt;
    dims.push_back(plan::AxesAttr::get(assignment.getContext(), *axes));
  }
  return dims;
}

plan::LayoutAttr ShardingRule::getOperandLayout(unsigned operand, plan::AssignmentAttr assignment,
                                                plan::MeshAttr mesh) const {
  auto dims = joinDims(*this, operands[operand], assignment, mesh);
  if (!dims ||
      (!assignment.getPartial().empty() && assignment.getPartial().size() != operands.size()))
    return {};
  ArrayRef<StringAttr> partial;
  if (!assignment.getPartial().empty())
    partial = assignment.getPartial()[operand].getNames();
  SmallVector<plan::Combiner> combiners(partial.size(), plan::Combiner::sum);
  return plan::LayoutAttr::get(assignment.getContext(), *dims, partial, combiners);
}

plan::LayoutAttr ShardingRule::getResultLayout(unsigned result, plan::AssignmentAttr assignment,
                                               Linearity linearity, plan::MeshAttr mesh) const {
  auto dims = joinDims(*this, results[result], assignment, mesh);
  if (!dims)
    return {};
  llvm::SmallDenseMap<StringAttr, plan::Combiner> combiners;
  for (auto [factor, axes] : llvm::zip_equal(factors, assignment.getFactors()))
    for (StringAttr axis : axes.getNames())
      if (factor.kind == FactorKind::Reduced)
        combiners[axis] = factor.combiner;
  if (linearity == Linearity::Linear)
    for (plan::AxesAttr axes : assignment.getPartial())
      for (StringAttr axis : axes.getNames())
        combiners[axis] = plan::Combiner::sum;
  // In the mesh's order, so that equal layouts are one attribute.
  SmallVector<StringAttr> partial;
  SmallVector<plan::Combiner> partialCombiners;
  for (StringAttr axis : getDividingAxes(mesh))
    if (auto found = combiners.find(axis); found != combiners.end()) {
      partial.push_back(axis);
      partialCombiners.push_back(found->second);
    }
  return plan::LayoutAttr::get(assignment.getContext(), *dims, partial, partialCombiners);
}
