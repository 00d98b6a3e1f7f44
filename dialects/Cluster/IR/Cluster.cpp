// Definition and verifiers of the cluster dialect.
#include "dialects/Cluster/IR/Cluster.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace planwright::cluster;

#include "dialects/Cluster/IR/ClusterDialect.cpp.inc"
#include "dialects/Cluster/IR/ClusterEnums.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Cluster/IR/ClusterOps.cpp.inc"

void ClusterDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Cluster/IR/ClusterOps.cpp.inc"
      >();
}

/// One number of an op: its name in messages, its value (absent is fine) and the least it may be.
struct Number {
  StringRef name;
  std::optional<double> value;
  bool mayBeZero = false;
};

/// Reports every number of `op` that is too small or not finite.
static LogicalResult verifyNumbers(Operation *op, ArrayRef<Number> numbers) {
  bool ok = true;
  for (const Number &number : numbers) {
    if (!number.value)
      continue;
    double value = *number.value;
    bool isFine = std::isfinite(value) && (number.mayBeZero ? value >= 0 : value > 0);
    if (!isFine) {
      op->emitOpError() << number.name << " is " << value << ", expected a "
                        << (number.mayBeZero ? "number that is not negative" : "positive number");
      ok = false;
    }
  }
  return success(ok);
}

static std::optional<double> toDouble(std::optional<APFloat> value) {
  return value ? std::optional<double>(value->convertToDouble()) : std::nullopt;
}

static std::optional<double> toDouble(std::optional<uint64_t> value) {
  return value ? std::optional<double>(static_cast<double>(static_cast<int64_t>(*value)))
               : std::nullopt;
}

static double toDouble(uint64_t value) { return static_cast<double>(static_cast<int64_t>(value)); }

LogicalResult ClusterOp::verifyRegions() {
  auto levels = llvm::to_vector(getOps<LevelOp>());
  if (!llvm::hasSingleElement(getOps<DeviceOp>()) || !llvm::hasSingleElement(getOps<NodeOp>()) ||
      levels.empty()) // cluster_c1
    return emitOpError("needs exactly one device, exactly one node and at least one level");
  for (auto [inner, outer] : llvm::zip(levels, llvm::drop_begin(levels)))
    if (inner.getDevices() == 0 || outer.getDevices() % inner.getDevices() != 0) { // cluster_c2
      InFlightDiagnostic error = outer.emitOpError("\"")
                                 << outer.getName() << "\" groups " << outer.getDevices()
                                 << " devices, which is not a multiple of the level inside it";
      error.attachNote(inner.getLoc())
          << "\"" << inner.getName() << "\" groups " << inner.getDevices();
      return error;
    }
  NodeOp node = *getOps<NodeOp>().begin();
  if (node.getDevices() == 0 || levels.back().getDevices() % node.getDevices() != 0) // cluster_c3
    return node.emitOpError("has ") << node.getDevices() << " devices, which do not divide the "
                                    << levels.back().getDevices() << " devices of the cluster";
  return success();
}

LogicalResult DeviceOp::verify() {
  SmallVector<Number> numbers = {{"memory", toDouble(getMemoryBytes())},
                                 {"memory bandwidth", getMemoryBytesPerSecond().convertToDouble()},
                                 {"power", toDouble(getPowerWatts())}};
  for (NamedAttribute rate : getFlopsPerSecond()) {
    auto value = dyn_cast<FloatAttr>(rate.getValue());
    if (!value)
      return emitOpError("peak rate of ") << rate.getName() << " is not a number";
    numbers.push_back({rate.getName().getValue(), value.getValueAsDouble()});
  }
  return verifyNumbers(*this, numbers); // device_c1, device_c2
}

LogicalResult NodeOp::verify() {
  bool hasAll = getNicCount() && getNicBytesPerSecond() && getNicLatencyNs();
  bool hasAny = getNicCount() || getNicBytesPerSecond() || getNicLatencyNs();
  if (hasAny && !hasAll) // node_c2
    return emitOpError("needs all of count, bandwidth and latency of its network interfaces");
  return verifyNumbers(*this, {{"number of devices", toDouble(getDevices())}, // node_c1
                               {"memory", toDouble(getMemoryBytes())},
                               {"power", toDouble(getPowerWatts())},
                               {"number of interfaces", toDouble(getNicCount())},
                               {"interface bandwidth", toDouble(getNicBytesPerSecond())},
                               {"interface latency", toDouble(getNicLatencyNs())}});
}

LogicalResult LevelOp::verify() {
  double oversubscription = getOversubscription().convertToDouble();
  if (!(oversubscription >= 1)) // level_c2
    return emitOpError("oversubscription is ") << oversubscription << ", expected at least 1";
  return verifyNumbers(*this, {{"number of devices", toDouble(getDevices())}, // level_c1
                               {"bandwidth", getBytesPerSecond().convertToDouble()},
                               {"latency", toDouble(getLatencyNs())}});
}

LogicalResult RackOp::verify() {
  return verifyNumbers(*this, {{"number of nodes", toDouble(getNodes())}, // rack_c1
                               {"power", toDouble(getPowerWatts())},
                               {"cooling", toDouble(getCoolingWatts())}});
}

LogicalResult StorageOp::verify() {
  return verifyNumbers(*this,
                       {{"read rate", getReadBytesPerSecond().convertToDouble()}, // storage_c1
                        {"write rate", getWriteBytesPerSecond().convertToDouble()},
                        {"rate of a node", toDouble(getNodeBytesPerSecond())}});
}

LogicalResult PriceOp::verify() {
  double subsidy = getSubsidy().convertToDouble();
  if (!(subsidy >= 0 && subsidy < 1)) // price_c1
    return emitOpError("subsidised fraction is ") << subsidy << ", expected a number in [0, 1)";
  return verifyNumbers(*this, {{"price", getUsdPerDeviceHour().convertToDouble(), true}});
}

LogicalResult FailuresOp::verify() {
  return verifyNumbers(
      *this,
      {{"rate of devices", getPerMillionDeviceHours().convertToDouble(), true}, // failures_c1
       {"rate of nodes", getPerMillionNodeHours().convertToDouble(), true}});
}
