// The schema of cluster files: which keys there are, in which units, and which op each becomes.
#include "planwright/Frontend/ClusterYaml.h"

#include "Section.h"
#include "dialects/Cluster/IR/Cluster.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace planwright;

namespace {

/// Collects the attributes of one op; absent values add nothing.
class Attributes {
public:
  explicit Attributes(Builder &builder) : builder(builder) {}

  void add(StringRef name, std::optional<double> value) {
    if (value)
      list.append(name, builder.getF64FloatAttr(*value));
  }
  void add(StringRef name, std::optional<int64_t> value) {
    if (value)
      list.append(name, builder.getI64IntegerAttr(*value));
  }
  void add(StringRef name, std::optional<std::string> value) {
    if (value)
      list.append(name, builder.getStringAttr(*value));
  }
  void add(StringRef name, Attribute value) { list.append(name, value); }

  NamedAttrList list;

private:
  Builder &builder;
};

/// Reads sections into ops inside the body of one cluster.
class ClusterReader {
public:
  explicit ClusterReader(OpBuilder builder) : builder(builder) {}

  void readCluster(Section &root) {
    root.section("device", Need::required, [&](Section &s) { readDevice(s); });
    root.section("node", Need::required, [&](Section &s) { readNode(s); });
    root.list("levels", Need::required, [&](Section &s) { readLevel(s); });
    root.section("rack", Need::optional, [&](Section &s) { readRack(s); });
    root.section("storage", Need::optional, [&](Section &s) { readStorage(s); });
    root.section("price", Need::optional, [&](Section &s) { readPrice(s); });
    root.section("failures", Need::optional, [&](Section &s) { readFailures(s); });
  }

private:
  void readDevice(Section &s) {
    Attributes attributes(builder);
    attributes.add("name", s.text("name", Need::required));
    if (std::optional<std::string> kind = s.text("kind", Need::required)) {
      std::optional<cluster::DeviceKind> parsed = cluster::symbolizeDeviceKind(*kind);
      if (parsed)
        attributes.add("kind", cluster::DeviceKindAttr::get(builder.getContext(), *parsed));
      else
        s.error(s.get("kind", Need::optional)->loc)
            << "'kind' cannot be '" << *kind << "', expected cpu or gpu";
    }
    attributes.add("memory_bytes", s.integer("memory", Dimension::bytes, Need::required));
    attributes.add("memory_bytes_per_second",
                   s.number("memory_bandwidth", Dimension::bytesPerSecond, Need::required));
    attributes.add("power_watts", s.number("power", Dimension::watts, Need::optional));
    s.section("peak", Need::required, [&](Section &peak) {
      NamedAttrList rates;
      for (StringRef type : peak.keys())
        if (auto rate = peak.number(type, Dimension::flopsPerSecond, Need::optional))
          rates.append(type, builder.getF64FloatAttr(*rate));
      attributes.add("flops_per_second", rates.getDictionary(builder.getContext()));
    });
    s.section("target", Need::optional, [&](Section &target) {
      attributes.add("target_cpu", target.text("cpu", Need::required));
      attributes.add("target_features", target.text("features", Need::optional));
    });
    create(s, cluster::DeviceOp::getOperationName(), attributes);
  }

  void readNode(Section &s) {
    Attributes attributes(builder);
    attributes.add("devices", s.integer("devices", Dimension::none, Need::required));
    attributes.add("memory_bytes", s.integer("memory", Dimension::bytes, Need::optional));
    attributes.add("power_watts", s.number("power", Dimension::watts, Need::optional));
    s.section("nics", Need::optional, [&](Section &nics) {
      attributes.add("nic_count", nics.integer("count", Dimension::none, Need::required));
      attributes.add("nic_bytes_per_second",
                     nics.number("bandwidth", Dimension::bytesPerSecond, Need::required));
      attributes.add("nic_latency_ns",
                     nics.integer("latency", Dimension::nanoseconds, Need::required));
    });
    create(s, cluster::NodeOp::getOperationName(), attributes);
  }

  void readLevel(Section &s) {
    Attributes attributes(builder);
    attributes.add("name", s.text("name", Need::required));
    attributes.add("devices", s.integer("devices", Dimension::none, Need::required));
    attributes.add("bytes_per_second",
                   s.number("bandwidth", Dimension::bytesPerSecond, Need::required));
    attributes.add("latency_ns", s.integer("latency", Dimension::nanoseconds, Need::required));
    attributes.add("oversubscription",
                   s.number("oversubscription", Dimension::none, Need::optional, 1, 1000));
    create(s, cluster::LevelOp::getOperationName(), attributes);
  }

  void readRack(Section &s) {
    Attributes attributes(builder);
    attributes.add("nodes", s.integer("nodes", Dimension::none, Need::required));
    attributes.add("power_watts", s.number("power", Dimension::watts, Need::optional));
    attributes.add("cooling_watts", s.number("cooling", Dimension::watts, Need::optional));
    create(s, cluster::RackOp::getOperationName(), attributes);
  }

  void readStorage(Section &s) {
    Attributes attributes(builder);
    attributes.add("read_bytes_per_second",
                   s.number("read", Dimension::bytesPerSecond, Need::required));
    attributes.add("write_bytes_per_second",
                   s.number("write", Dimension::bytesPerSecond, Need::required));
    attributes.add("node_bytes_per_second",
                   s.number("per_node", Dimension::bytesPerSecond, Need::optional));
    create(s, cluster::StorageOp::getOperationName(), attributes);
  }

  void readPrice(Section &s) {
    Attributes attributes(builder);
    attributes.add("usd_per_device_hour",
                   s.number("per_device_hour", Dimension::dollars, Need::required, 0, 1e6));
    attributes.add("subsidy", s.number("subsidy", Dimension::none, Need::optional, 0, 0.999999));
    attributes.add("source", s.text("source", Need::optional));
    create(s, cluster::PriceOp::getOperationName(), attributes);
  }

  void readFailures(Section &s) {
    Attributes attributes(builder);
    attributes.add("per_million_device_hours",
                   s.number("per_million_device_hours", Dimension::none, Need::required, 0, 1e9));
    attributes.add("per_million_node_hours",
                   s.number("per_million_node_hours", Dimension::none, Need::optional, 0, 1e9));
    attributes.add("source", s.text("source", Need::optional));
    create(s, cluster::FailuresOp::getOperationName(), attributes);
  }

  void create(Section &s, StringRef opName, Attributes &attributes) {
    OperationState state(s.getLoc(), opName);
    state.addAttributes(attributes.list);
    builder.create(state);
  }

  OpBuilder builder;
};

} // namespace

FailureOr<OwningOpRef<ModuleOp>> planwright::readClusterYaml(llvm::MemoryBufferRef buffer,
                                                             MLIRContext &context) {
  context.loadDialect<cluster::ClusterDialect>();
  FailureOr<YamlNode> tree = parseYamlTree(buffer, context);
  if (failed(tree))
    return failure();
  OwningOpRef<ModuleOp> module = ModuleOp::create(tree->loc);
  bool ok = true;
  Section::read(*tree, "the cluster file", ok, [&](Section &root) {
    std::string name = root.text("cluster", Need::required).value_or("unnamed");
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    auto cluster = cluster::ClusterOp::create(builder, tree->loc, name);
    cluster.getBody().emplaceBlock();
    ClusterReader(OpBuilder::atBlockEnd(&cluster.getBody().front())).readCluster(root);
  });
  // Ops of a file with errors may lack attributes, so only a file without any is verified.
  if (!ok || failed(verify(*module)))
    return failure();
  return module;
}

FailureOr<OwningOpRef<ModuleOp>> planwright::readClusterFile(StringRef path, MLIRContext &context) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return emitError(UnknownLoc::get(&context), "cannot read the cluster file ")
           << path << ": " << file.getError().message();
  return readClusterYaml((*file)->getMemBufferRef(), context);
}
