// What times of single instructions are predicted from: rates of a device, links between devices.
//
//   double seconds = getWorkSeconds({.flops = 2e9, .bytes = 1e6}, rates);
//   if (const LinkCost *link = rates.findLink(/*devices=*/8)) ...
//
// Not here: reading them off a cluster (Pipelines), how instructions overlap (nobody knows that
// yet).
#ifndef PLANWRIGHT_COST_MACHINE_H
#define PLANWRIGHT_COST_MACHINE_H

#include "planwright/Cost/Collective.h"

#include <vector>

namespace planwright {

/// The link that joins up to `devices` neighbouring devices.
struct LinkRate {
  int64_t devices = 1;
  LinkCost link;
};

/// Rates that are 0 are unknown, and so is every time that depends on one.
struct MachineRates {
  double flopsPerSecond = 0;
  double memoryBytesPerSecond = 0;
  std::vector<LinkRate> links = {}; ///< innermost first

  /// The innermost link that joins `devices` neighbours; nullptr if none does.
  const LinkCost *findLink(int64_t devices) const;
};

/// What an instruction does on one device.
struct Work {
  double flops = 0;
  double bytes = 0; ///< read and written
};

/// The longer of computing and of moving bytes, for they overlap. 0: unknown.
/// Source: Williams, Waterman, Patterson, "Roofline: An Insightful Visual Performance Model for
/// Multicore Architectures", 2009.
double getWorkSeconds(Work work, const MachineRates &rates);

} // namespace planwright

#endif // PLANWRIGHT_COST_MACHINE_H
