// Tables for people, JSON for programs.
#include "CompileReport.h"

#include "planwright/Frontend/Signature.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace planwright;

namespace {
struct MemoryRow {
  llvm::StringLiteral name;
  int64_t MemoryTable::*bytes;
};
} // namespace

static constexpr MemoryRow kMemoryRows[] = {
    {"parameters", &MemoryTable::parameterBytes},
    {"gradients", &MemoryTable::gradientBytes},
    {"optimizer state", &MemoryTable::optimizerStateBytes},
    {"inputs", &MemoryTable::inputBytes},
    {"literals", &MemoryTable::literalBytes},
    {"residuals and temporaries", &MemoryTable::temporaryBytes},
    {"other", &MemoryTable::otherBytes},
};

/// Bytes as a person reads them: "3.4 MiB".
static std::string toText(double bytes) {
  static constexpr llvm::StringLiteral kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit)
    bytes /= 1024;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(unit ? "%.1f " : "%.0f ", bytes) << kUnits[unit];
  return text;
}

/// The level of links that the groups of a collective span: tp is the innermost axis, so its ranks
/// are neighbours; a group over dp reaches from the first rank to the last.
static StringRef getLevelName(const CompileReport &report, const CollectiveRow &row) {
  bool isInner = row.axes == std::vector<std::string>{"tp"};
  const LinkLevel *level =
      report.cluster.findLevel(isInner ? report.strategy.tp : report.strategy.getNumRanks());
  return level ? StringRef(level->name) : StringRef("?");
}

std::string planwright::describeShortage(const CompileReport &report) {
  int64_t needed = report.memory.peakBytes, capacity = report.cluster.deviceMemoryBytes;
  const MemoryRow *largest =
      llvm::max_element(kMemoryRows, [&](const MemoryRow &a, const MemoryRow &b) {
        return report.memory.*a.bytes < report.memory.*b.bytes;
      });
  return "the plan needs " + toText(needed) + " a rank, but a device has " + toText(capacity) +
         " (" + toText(needed - capacity) + " too little); most of it is " + largest->name.str() +
         ", " + toText(report.memory.*largest->bytes);
}

void planwright::printTables(const CompileReport &report, llvm::raw_ostream &os) {
  const Strategy &s = report.strategy;
  os << "plan       " << report.planPath.value_or("none: it does not fit") << "\n"
     << "cluster    " << report.cluster.name << ": " << report.cluster.getNumNodes() << " nodes x "
     << report.cluster.devicesPerNode << " " << report.cluster.deviceName << "\n"
     << "strategy   dp = " << s.dp << (s.tp > 1 ? ", tp = " + std::to_string(s.tp) : "")
     << (s.sequenceParallel ? " with sequence parallel" : "")
     << ", micro-batches = " << s.microBatches << "; " << report.globalBatch
     << " sequences a step, " << report.globalBatch / (s.dp * s.microBatches)
     << " a rank and micro-batch\n\n"
     << "memory of one rank\n";
  for (const MemoryRow &row : kMemoryRows)
    if (int64_t bytes = report.memory.*row.bytes)
      os << "  " << llvm::left_justify(row.name, 28) << llvm::right_justify(toText(bytes), 12)
         << "\n";
  os << "  " << llvm::left_justify("peak", 28)
     << llvm::right_justify(toText(report.memory.peakBytes), 12) << " of "
     << toText(report.cluster.deviceMemoryBytes) << "\n\n";
  if (report.collectives.empty()) {
    os << "no collectives\n";
    return;
  }
  os << "collectives of one step\n";
  for (const CollectiveRow &row : report.collectives)
    os << "  " << llvm::left_justify(row.kind, 16) << "over "
       << llvm::left_justify(llvm::join(row.axes, ", "), 6)
       << llvm::right_justify(toText(row.bytes), 12) << " x " << row.count << "  on "
       << getLevelName(report, row) << "\n";
}

void planwright::printJson(const CompileReport &report, llvm::raw_ostream &os) {
  llvm::json::Object memory{{"peak_bytes", report.memory.peakBytes},
                            {"capacity_bytes", report.cluster.deviceMemoryBytes}};
  for (const MemoryRow &row : kMemoryRows) {
    std::string key = row.name.str() + " bytes";
    std::replace(key.begin(), key.end(), ' ', '_');
    memory[key] = report.memory.*row.bytes;
  }
  llvm::json::Array collectives;
  for (const CollectiveRow &row : report.collectives)
    collectives.push_back(llvm::json::Object{{"kind", row.kind},
                                             {"axes", llvm::json::Array(row.axes)},
                                             {"bytes", row.bytes},
                                             {"count", row.count},
                                             {"level", getLevelName(report, row)}});
  llvm::json::Object strategy{{"dp", report.strategy.dp},
                              {"tp", report.strategy.tp},
                              {"sequence_parallel", report.strategy.sequenceParallel},
                              {"micro_batches", report.strategy.microBatches}};
  os << llvm::json::Value(llvm::json::Object{{"plan", report.planPath},
                                             {"cluster", report.cluster.name},
                                             {"global_batch", report.globalBatch},
                                             {"strategy", std::move(strategy)},
                                             {"memory", std::move(memory)},
                                             {"collectives", std::move(collectives)}})
     << "\n";
}

/// One row of the module's signature as the plan keeps it.
static PlanArgument toPlanArgument(DictionaryAttr row) {
  PlanArgument argument;
  argument.name = row.getAs<StringAttr>("name").str();
  argument.role = llvm::StringSwitch<ArgumentRole>(row.getAs<StringAttr>("role").getValue())
                      .Case("input", ArgumentRole::input)
                      .Case("label", ArgumentRole::label)
                      .Case("constant", ArgumentRole::constant)
                      .Default(ArgumentRole::parameter);
  argument.type = cast<RankedTensorType>(row.getAs<TypeAttr>("type").getValue());
  if (auto dim = row.getAs<IntegerAttr>("batch_dim"))
    argument.batchDim = dim.getInt();
  if (auto trainable = row.getAs<BoolAttr>("trainable"))
    argument.trainable = trainable.getValue();
  if (auto deviation = row.getAs<FloatAttr>("init")) {
    argument.init = ArgumentInit::normal;
    argument.standardDeviation = deviation.getValueAsDouble();
  } else if (auto word = row.getAs<StringAttr>("init")) {
    argument.init = word == "ones" ? ArgumentInit::ones : ArgumentInit::zeros;
  }
  if (auto range = row.getAs<DenseI64ArrayAttr>("range"))
    argument.range = {range[0], range[1]};
  if (auto source = row.getAs<StringAttr>("from"))
    argument.tokens = source == "tokens" ? ArgumentTokens::tokens : ArgumentTokens::nextTokens;
  return argument;
}

std::vector<PlanArgument> planwright::getPlanArguments(ModuleOp module) {
  std::vector<PlanArgument> arguments;
  auto rows = module->getAttrOfType<ArrayAttr>(kSignatureAttrName);
  for (Attribute row : rows ? rows.getValue() : ArrayRef<Attribute>())
    arguments.push_back(toPlanArgument(cast<DictionaryAttr>(row)));
  return arguments;
}
