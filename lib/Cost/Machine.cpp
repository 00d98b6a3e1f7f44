// The roofline, and finding links.
#include "planwright/Cost/Machine.h"

#include <algorithm>

using namespace planwright;

const LinkCost *MachineRates::findLink(int64_t devices) const {
  for (const LinkRate &rate : links)
    if (rate.devices >= devices && rate.link.bytesPerSecond > 0)
      return &rate.link;
  return nullptr;
}

double planwright::getWorkSeconds(Work work, const MachineRates &rates) {
  if ((work.flops > 0 && rates.flopsPerSecond <= 0) ||
      (work.bytes > 0 && rates.memoryBytesPerSecond <= 0))
    return 0;
  double computing = work.flops > 0 ? work.flops / rates.flopsPerSecond : 0;
  double moving = work.bytes > 0 ? work.bytes / rates.memoryBytesPerSecond : 0;
  return std::max(computing, moving);
}
