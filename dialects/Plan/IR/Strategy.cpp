// Text and verifier of #plan.strategy. Not here: what fits a model or a cluster.
#include "dialects/Plan/IR/AngleList.h"
#include "dialects/Plan/IR/Plan.h"

#include "mlir/IR/DialectImplementation.h"

#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace mlir;
using namespace planwright::plan;

namespace {

/// The fields as they are being read.
struct Fields {
  int64_t dp = 1, tp = 1, pp = 1, cp = 1, ep = 1;
  int64_t microBatches = 1;
  bool sequenceParallel = false;
  SmallVector<NamedAttribute> pins = {};
};

struct SizeField {
  StringLiteral name;
  int64_t Fields::*value;
};

} // namespace

static constexpr SizeField kSizes[] = {
    {"dp", &Fields::dp}, {"tp", &Fields::tp}, {"pp", &Fields::pp},
    {"cp", &Fields::cp}, {"ep", &Fields::ep}, {"micro_batches", &Fields::microBatches}};
static constexpr StringLiteral kSequenceParallel = "sequence_parallel";
static constexpr StringLiteral kPins = "pins";

static Fields getFields(StrategyAttr strategy) {
  return {strategy.getDp(),
          strategy.getTp(),
          strategy.getPp(),
          strategy.getCp(),
          strategy.getEp(),
          strategy.getMicroBatches(),
          strategy.getSequenceParallel(),
          llvm::to_vector(strategy.getPins())};
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// More is no machine's, and products of two cannot overflow.
static constexpr int64_t kMaxSize = std::numeric_limits<int32_t>::max();

static LogicalResult verifySize(function_ref<InFlightDiagnostic()> emitError, StringRef name,
                                int64_t size) {
  if (size < 1) // strategy_c1
    return emitError() << name << " = " << size << ", expected at least 1";
  if (size > kMaxSize) // strategy_c1
    return emitError() << name << " = " << size << ", expected at most " << kMaxSize;
  return success();
}

static LogicalResult verifyPin(function_ref<InFlightDiagnostic()> emitError, StringRef name,
                               Attribute pin) {
  static constexpr StringLiteral kAxes[] = {"dp", "tp", "pp", "cp", "ep", kMicroBatchAxis};
  auto layout = dyn_cast<LayoutAttr>(pin);
  if (!layout) // strategy_c4
    return emitError() << "pins: \"" << name << "\" is " << pin << ", expected #plan.layout<...>";
  if (layout.isPartial()) // strategy_c4
    return emitError() << "pins: \"" << name << "\" is partial over \""
                       << layout.getPartialAxes().front().getValue()
                       << "\", expected axes on dimensions only";
  for (auto [dim, axes] : llvm::enumerate(layout.getDims()))
    for (StringAttr axis : axes.getNames())
      if (!llvm::is_contained(kAxes, axis.getValue())) // strategy_c5
        return emitError() << "pins: dimension " << dim << " of \"" << name
                           << "\" lies on unknown axis \"" << axis.getValue() << "\", expected "
                           << llvm::join(ArrayRef(kAxes), ", ");
  return success();
}

LogicalResult StrategyAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t dp,
                                   int64_t tp, int64_t pp, int64_t cp, int64_t ep,
                                   int64_t microBatches, bool sequenceParallel,
                                   DictionaryAttr pins) {
  Fields fields{dp, tp, pp, cp, ep, microBatches, sequenceParallel};
  for (const SizeField &size : kSizes)
    if (failed(verifySize(emitError, size.name, fields.*size.value)))
      return failure();
  if (dp % ep != 0) // strategy_c2
    return emitError() << "ep = " << ep << " does not divide dp = " << dp
                       << ": experts lie on data-parallel ranks";
  if (sequenceParallel && tp == 1) // strategy_c3
    return emitError() << kSequenceParallel
                       << " divides positions over tensor-parallel ranks: expected a tp of at "
                          "least 2, found tp = 1";
  for (NamedAttribute pin : pins)
    if (failed(verifyPin(emitError, pin.getName(), pin.getValue())))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static ParseResult parseSize(AsmParser &parser, StringRef name, int64_t &size) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  // Words first: `true` would be read as a number.
  bool isWord = succeeded(parser.parseOptionalKeyword(&word));
  OptionalParseResult parsed;
  if (!isWord)
    parsed = parser.parseOptionalInteger(size);
  if (!parsed.has_value())
    return parser.emitError(loc) << name << ": expected a whole number";
  if (failed(*parsed))
    return failure();
  return verifySize([&] { return parser.emitError(loc); }, name, size);
}

static ParseResult parseSwitch(AsmParser &parser, StringRef name, bool &isOn) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  (void)parser.parseOptionalKeyword(&word);
  isOn = word == "true";
  if (!isOn && word != "false")
    return parser.emitError(loc) << name << ": expected true or false";
  return success();
}

/// `"w" = #plan.layout<...>`
static ParseResult parsePin(AsmParser &parser, SmallVectorImpl<NamedAttribute> &pins) {
  SMLoc loc = parser.getCurrentLocation();
  std::string name;
  if (failed(parser.parseOptionalKeywordOrString(&name)) || name.empty())
    return parser.emitError(loc) << kPins << ": expected the name of a parameter or input";
  if (llvm::any_of(pins, [&](NamedAttribute pin) { return pin.getName() == name; }))
    return parser.emitError(loc) << kPins << ": \"" << name << "\" stands here twice";
  if (parser.parseEqual())
    return failure();
  loc = parser.getCurrentLocation();
  Attribute pin;
  if (parser.parseAttribute(pin) ||
      failed(verifyPin([&] { return parser.emitError(loc); }, name, pin)))
    return failure();
  pins.emplace_back(StringAttr::get(parser.getContext(), name), pin);
  return success();
}

static ParseResult parsePins(AsmParser &parser, SmallVectorImpl<NamedAttribute> &pins) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                        [&] { return parsePin(parser, pins); });
}

static ParseResult parseValue(AsmParser &parser, StringRef name, SMLoc loc, Fields &fields) {
  for (const SizeField &size : kSizes)
    if (name == size.name)
      return failure(parser.parseEqual() || parseSize(parser, name, fields.*size.value));
  if (name == kSequenceParallel)
    return failure(parser.parseEqual() || parseSwitch(parser, name, fields.sequenceParallel));
  if (name == kPins)
    return failure(parser.parseEqual() || parsePins(parser, fields.pins));
  InFlightDiagnostic error = parser.emitError(loc, "expected ");
  for (const SizeField &size : kSizes)
    error << size.name << ", ";
  error << kSequenceParallel << ", or " << kPins;
  if (!name.empty())
    error << ", found " << name;
  return error;
}

Attribute StrategyAttr::parse(AsmParser &parser, Type) {
  Fields fields;
  SmallVector<StringRef> seen;
  SMLoc start = parser.getCurrentLocation();
  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    (void)parser.parseOptionalKeyword(&name);
    if (llvm::is_contained(seen, name))
      return parser.emitError(loc) << name << " stands here twice";
    seen.push_back(name);
    return parseValue(parser, name, loc, fields);
  };
  if (parseAngleList(parser, parseField))
    return {};
  return getChecked([&] { return parser.emitError(start); }, parser.getContext(), fields.dp,
                    fields.tp, fields.pp, fields.cp, fields.ep, fields.microBatches,
                    fields.sequenceParallel, DictionaryAttr::get(parser.getContext(), fields.pins));
}

void StrategyAttr::print(AsmPrinter &printer) const {
  const Fields fields = getFields(*this), defaults;
  StringRef separator = "";
  auto begin = [&](StringRef name) -> raw_ostream & {
    printer << separator << name << " = ";
    separator = ", ";
    return printer.getStream();
  };
  printer << '<';
  for (const SizeField &size : kSizes)
    if (fields.*size.value != defaults.*size.value)
      begin(size.name) << fields.*size.value;
  if (fields.sequenceParallel)
    begin(kSequenceParallel) << "true";
  if (!fields.pins.empty()) {
    begin(kPins) << '{';
    llvm::interleaveComma(fields.pins, printer, [&](NamedAttribute pin) {
      printer.printKeywordOrString(pin.getName());
      printer << " = " << pin.getValue();
    });
    printer << '}';
  }
  printer << '>';
}
