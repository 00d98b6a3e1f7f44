// Times of collectives on a ring.
#include "planwright/Cost/Collective.h"

using namespace planwright;

/// `steps` messages of `bytes` one after the other.
static double getSteps(double steps, double bytes, LinkCost link) {
  return steps * (link.latencyNs * 1e-9 + bytes / link.bytesPerSecond);
}

double planwright::getAllGatherSeconds(int64_t bytes, int64_t ranks, LinkCost link) {
  return getSteps(ranks - 1, static_cast<double>(bytes) / ranks, link);
}

double planwright::getReduceScatterSeconds(int64_t bytes, int64_t ranks, LinkCost link) {
  return getAllGatherSeconds(bytes, ranks, link);
}

double planwright::getAllReduceSeconds(int64_t bytes, int64_t ranks, LinkCost link) {
  return getReduceScatterSeconds(bytes, ranks, link) + getAllGatherSeconds(bytes, ranks, link);
}

double planwright::getAllToAllSeconds(int64_t bytes, int64_t ranks, LinkCost link) {
  return getSteps(ranks - 1, static_cast<double>(bytes) / (ranks * ranks), link);
}
