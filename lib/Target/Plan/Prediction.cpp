// From work and groups of ranks to nanoseconds.
#include "Prediction.h"

#include <cmath>

using namespace mlir;
using namespace planwright;
namespace fb = planwright::rt::fb;

/// No prediction is longer than a day: whoever reads it may multiply it.
static constexpr double kMaxSeconds = 86400;

/// What takes less than a nanosecond takes one: 0 means that nobody knows.
static uint64_t toNanoseconds(double seconds) {
  if (seconds <= 0)
    return 0;
  return std::max<uint64_t>(std::llround(std::min(seconds, kMaxSeconds) * 1e9), 1);
}

uint64_t Prediction::predict(Work work) const { return toNanoseconds(getWorkSeconds(work, rates)); }

/// In a mesh of dp = 2, tp = 4 a group over tp lies on 4 neighbouring devices, one over dp is
/// spread over all 8.
const LinkCost *Prediction::findLink(ArrayAttr axes) const {
  int64_t devices = 1, spread = 1;
  exec::ProgramOp mesh = program;
  for (auto [name, size] : llvm::reverse(llvm::zip_equal(mesh.getAxes(), mesh.getSizes()))) {
    if (cast<StringAttr>(name).getValue() == "mb")
      continue;
    devices *= size;
    if (llvm::is_contained(axes, name))
      spread = devices;
  }
  return rates.findLink(spread);
}

/// `bytes` of the source on one rank.
static double getSeconds(fb::CollectiveKind kind, int64_t bytes, int64_t ranks, LinkCost link) {
  switch (kind) {
  case fb::CollectiveKind::all_reduce:
  case fb::CollectiveKind::broadcast: // Scatter, then all-gather.
    return getAllReduceSeconds(bytes, ranks, link);
  case fb::CollectiveKind::all_gather:
    return getAllGatherSeconds(bytes * ranks, ranks, link);
  case fb::CollectiveKind::reduce_scatter:
    return getReduceScatterSeconds(bytes, ranks, link);
  case fb::CollectiveKind::all_to_all:
    return getAllToAllSeconds(bytes * ranks, ranks, link);
  }
  llvm_unreachable("every kind of collective is known");
}

uint64_t Prediction::predict(fb::CollectiveKind kind, int64_t bytes,
                             exec::CommunicatorOp group) const {
  const LinkCost *link = findLink(group.getAxes());
  if (!link)
    return 0;
  int64_t ranks = 1;
  for (StringRef axis : group.getAxes().getAsValueRange<StringAttr>())
    ranks *= exec::ProgramOp(program).getSize(axis);
  return toNanoseconds(getSeconds(kind, bytes, ranks, *link));
}
