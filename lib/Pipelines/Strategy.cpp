// Between numbers, attribute and text; the checks that need only a cluster.
#include "planwright/Pipelines/Strategy.h"

#include "lib/Frontend/StableHLO/Prescan.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

#include <limits>

using namespace mlir;
using namespace planwright;

//===----------------------------------------------------------------------===//
// Numbers and attribute
//===----------------------------------------------------------------------===//

Strategy planwright::getStrategy(plan::StrategyAttr attr) {
  return {attr.getDp(),
          attr.getTp(),
          attr.getPp(),
          attr.getCp(),
          attr.getEp(),
          attr.getMicroBatches(),
          attr.getSequenceParallel(),
          attr.getPins()};
}

FailureOr<plan::StrategyAttr> planwright::makeStrategyAttr(const Strategy &strategy,
                                                           MLIRContext &context) {
  auto emit = [&] { return emitError(UnknownLoc::get(&context)); };
  DictionaryAttr pins = strategy.pins ? strategy.pins : DictionaryAttr::get(&context);
  auto attr = plan::StrategyAttr::getChecked(emit, &context, strategy.dp, strategy.tp, strategy.pp,
                                             strategy.cp, strategy.ep, strategy.microBatches,
                                             strategy.sequenceParallel, pins);
  return attr ? FailureOr<plan::StrategyAttr>(attr) : FailureOr<plan::StrategyAttr>(failure());
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kPrefix = "#plan.strategy";

/// Where `offset` lies in `text`, which is called `name`.
static FileLineColLoc getPlace(StringRef text, size_t offset, StringRef name,
                               MLIRContext &context) {
  StringRef before = text.take_front(offset);
  unsigned line = before.count('\n') + 1;
  unsigned column = offset - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
  return FileLineColLoc::get(&context, name, line, column);
}

/// As MLIR's parser reads it. That one calls the text by itself: what it says is said again, in a
/// file called `name`.
static Attribute parse(StringRef text, StringRef name, MLIRContext &context) {
  std::vector<std::pair<Location, std::string>> errors;
  Attribute attr;
  {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      auto found = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
      Location place =
          found ? Location(FileLineColLoc::get(&context, name, found.getLine(), found.getColumn()))
                : diagnostic.getLocation();
      errors.emplace_back(place, diagnostic.str());
    });
    attr = parseAttribute(text, &context);
  }
  for (auto &[place, message] : errors)
    emitError(place) << message;
  return errors.empty() ? attr : Attribute();
}

FailureOr<plan::StrategyAttr> planwright::parseStrategy(StringRef text, StringRef name,
                                                        MLIRContext &context) {
  // The general parser reads every attribute, some without limit; only one is wanted.
  size_t start = text.size() - text.ltrim().size();
  if (!text.substr(start).starts_with(kPrefix))
    return emitError(getPlace(text, start, name, context))
           << "expected " << kPrefix << "<...>, found \"" << text.substr(start, 40) << "\"";
  // In a bracket, because the scan takes a name at the start of a line for a definition.
  if (std::optional<PrescanError> error = prescan(("[" + text).str()))
    return emitError(getPlace(text, error->offset - 1, name, context)) << error->message;
  Attribute attr = parse(text, name, context);
  if (!attr)
    return failure();
  if (auto strategy = dyn_cast<plan::StrategyAttr>(attr))
    return strategy;
  return emitError(getPlace(text, start, name, context))
         << "expected " << kPrefix << "<...>, found " << attr;
}

//===----------------------------------------------------------------------===//
// Against a cluster
//===----------------------------------------------------------------------===//

/// Multiplies `product` by `factor`, or returns false where no cluster could have so many ranks.
static bool multiply(int64_t &product, int64_t factor) {
  if (product > std::numeric_limits<int32_t>::max() / factor)
    return false;
  product *= factor;
  return true;
}

std::string planwright::checkStrategy(plan::StrategyAttr strategy, const Cluster &cluster) {
  // The axes that the later stages cannot divide yet; named one by one so that the message says
  // which.
  const std::pair<const char *, int64_t> later[] = {
      {"pp", strategy.getPp()}, {"cp", strategy.getCp()}, {"ep", strategy.getEp()}};
  for (auto [name, size] : later)
    if (size > 1)
      return std::string(name) + " = " + std::to_string(size) +
             " does not work yet: this version divides over dp, tp and micro-batches";
  int64_t ranks = 1;
  for (int64_t size : {strategy.getDp(), strategy.getTp(), strategy.getPp(), strategy.getCp()})
    if (!multiply(ranks, size))
      return "dp*tp*pp*cp is larger than any cluster";
  if (ranks > cluster.getNumDevices())
    return "dp*tp*pp*cp = " + std::to_string(ranks) + ", but the cluster has " +
           std::to_string(cluster.getNumDevices()) + " devices";
  return "";
}
