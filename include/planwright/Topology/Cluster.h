// A cluster as plain numbers: what the planner, the cost model and the driver read. No IR.
//
//   Cluster cluster = getCluster(clusterOp);
//   const LinkLevel *level = cluster.findLevel(/*devices=*/16);   // the innermost level that joins 16 devices
//
// Not here: reading files (Frontend/ClusterYaml), costs of transfers (Cost).
#ifndef PLANWRIGHT_TOPOLOGY_CLUSTER_H
#define PLANWRIGHT_TOPOLOGY_CLUSTER_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace planwright {

namespace cluster {
class ClusterOp;
}

/// Links that join `devices` devices. Bandwidth is per device and direction.
struct LinkLevel {
  std::string name;
  int64_t devices = 1;
  double bytesPerSecond = 0;
  int64_t latencyNs = 0;
  double oversubscription = 1;
};

struct Cluster {
  std::string name;
  std::string deviceName;
  bool hasGpus = false;
  int64_t deviceMemoryBytes = 0;
  double memoryBytesPerSecond = 0;
  std::map<std::string, double> flopsPerSecond; // by element type, datasheet peak
  std::string targetCpu;                        // empty: the CPU of the compiling machine
  std::string targetFeatures;
  int64_t devicesPerNode = 1;
  std::vector<LinkLevel> levels; // innermost first

  int64_t getNumDevices() const { return levels.empty() ? devicesPerNode : levels.back().devices; }
  int64_t getNumNodes() const { return getNumDevices() / devicesPerNode; }
  /// The innermost level that joins `devices` neighbouring devices; nullptr if the cluster has fewer.
  const LinkLevel *findLevel(int64_t devices) const;
};

/// The numbers of a verified cluster op.
Cluster getCluster(cluster::ClusterOp op);

} // namespace planwright

#endif // PLANWRIGHT_TOPOLOGY_CLUSTER_H
