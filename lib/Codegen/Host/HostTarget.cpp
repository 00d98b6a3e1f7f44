// What machine this is.
#include "planwright/Codegen/Host/HostKernels.h"

#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace planwright::codegen;

HostTarget HostTarget::native() {
  HostTarget target;
  target.cpu = llvm::sys::getHostCPUName().str();
  // A fixed order: the map's own differs between runs, and features stand in the manifest.
  std::vector<std::string> names;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    names.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(names, [](llvm::StringRef left, llvm::StringRef right) {
    return left.drop_front() < right.drop_front();
  });
  target.features = llvm::join(names, ",");
  return target;
}
