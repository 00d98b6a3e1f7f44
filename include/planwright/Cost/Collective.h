// How long exchanges between the ranks of one group take, from bytes and the link between them.
//
//   LinkCost link{.bytesPerSecond = 25e9, .latencyNs = 5000};
//   double seconds = getAllReduceSeconds(bytes, /*ranks=*/8, link);
//
// `bytes` is the whole value: what every rank holds after an all-gather and before a
// reduce-scatter. Not here: which exchanges there are (Transforms), algorithms other than the ring
// (Collectives).
#ifndef PLANWRIGHT_COST_COLLECTIVE_H
#define PLANWRIGHT_COST_COLLECTIVE_H

#include <cstdint>

namespace planwright {

/// The slowest link of a group. Bandwidth is per rank and direction.
struct LinkCost {
  double bytesPerSecond = 0;
  double latencyNs = 0;
};

/// A ring moves a block of 1/ranks of the bytes in each of its ranks - 1 steps; an all-reduce goes
/// round twice. Source: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication
/// Operations in MPICH", 2005, section 4.
double getAllGatherSeconds(int64_t bytes, int64_t ranks, LinkCost link);
double getReduceScatterSeconds(int64_t bytes, int64_t ranks, LinkCost link);
double getAllReduceSeconds(int64_t bytes, int64_t ranks, LinkCost link);
/// Each rank sends a block of 1/ranks of its own 1/ranks of the bytes to every other one.
double getAllToAllSeconds(int64_t bytes, int64_t ranks, LinkCost link);

} // namespace planwright

#endif // PLANWRIGHT_COST_COLLECTIVE_H
