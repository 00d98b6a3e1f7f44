// The checks of a strategy that need only numbers.
#include "planwright/Pipelines/Strategy.h"

#include <limits>

using namespace planwright;

namespace {
struct NamedSize {
  const char *name;
  int64_t size;
};
} // namespace

/// Multiplies `product` by `factor`, or returns false where no cluster could have so many ranks.
static bool multiply(int64_t &product, int64_t factor) {
  if (product > std::numeric_limits<int32_t>::max() / factor)
    return false;
  product *= factor;
  return true;
}

std::string planwright::checkStrategy(const Strategy &strategy, const Cluster &cluster) {
  const NamedSize sizes[] = {{"dp", strategy.dp}, {"tp", strategy.tp},
                             {"pp", strategy.pp}, {"cp", strategy.cp},
                             {"ep", strategy.ep}, {"micro-batches", strategy.microBatches}};
  for (const NamedSize &size : sizes)
    if (size.size < 1)
      return std::string("--") + size.name + " is " + std::to_string(size.size) +
             ", expected at least 1";
  // The axes that the later stages cannot divide yet; named one by one so that the message says
  // which.
  for (const NamedSize &size : {sizes[2], sizes[3], sizes[4]})
    if (size.size > 1)
      return std::string("--") + size.name + "=" + std::to_string(size.size) +
             " does not work yet: this version divides over --dp, --tp and --micro-batches";
  int64_t ranks = 1;
  for (const NamedSize &size : {sizes[0], sizes[1], sizes[2], sizes[3]})
    if (!multiply(ranks, size.size))
      return "dp*tp*pp*cp is larger than any cluster";
  if (ranks > cluster.getNumDevices())
    return "dp*tp*pp*cp = " + std::to_string(ranks) + ", but the cluster has " +
           std::to_string(cluster.getNumDevices()) + " devices";
  return "";
}
