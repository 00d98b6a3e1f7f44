// From the cluster dialect to plain numbers.
#include "planwright/Topology/Cluster.h"

#include "dialects/Cluster/IR/Cluster.h"

using namespace planwright;

const LinkLevel *Cluster::findLevel(int64_t devices) const {
  for (const LinkLevel &level : levels)
    if (level.devices >= devices)
      return &level;
  return nullptr;
}

Cluster planwright::getCluster(cluster::ClusterOp op) {
  Cluster result;
  result.name = op.getSymName().str();
  cluster::DeviceOp device = *op.getOps<cluster::DeviceOp>().begin();
  result.deviceName = device.getName().str();
  result.hasGpus = device.getKind() == cluster::DeviceKind::gpu;
  result.deviceMemoryBytes = device.getMemoryBytes();
  result.memoryBytesPerSecond = device.getMemoryBytesPerSecond().convertToDouble();
  for (mlir::NamedAttribute rate : device.getFlopsPerSecond())
    result.flopsPerSecond[rate.getName().str()] =
        llvm::cast<mlir::FloatAttr>(rate.getValue()).getValueAsDouble();
  result.targetCpu = device.getTargetCpu().value_or("").str();
  result.targetFeatures = device.getTargetFeatures().value_or("").str();
  result.devicesPerNode = (*op.getOps<cluster::NodeOp>().begin()).getDevices();
  for (cluster::LevelOp level : op.getOps<cluster::LevelOp>())
    result.levels.push_back({level.getName().str(), static_cast<int64_t>(level.getDevices()),
                             level.getBytesPerSecond().convertToDouble(),
                             static_cast<int64_t>(level.getLatencyNs()),
                             level.getOversubscription().convertToDouble()});
  return result;
}
