// Definition and verifiers of the plan dialect's attributes. Not here: the strategy (Strategy.cpp).
#include "dialects/Plan/IR/Plan.h"

#include "dialects/Plan/IR/AngleList.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace planwright::plan;

#include "dialects/Plan/IR/PlanDialect.cpp.inc"
#include "dialects/Plan/IR/PlanEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Plan/IR/PlanAttrs.cpp.inc"

void PlanDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Plan/IR/PlanAttrs.cpp.inc"
      >();
}

LogicalResult ObjectAttr::verify(function_ref<InFlightDiagnostic()> emitError, ObjectKind kind,
                                 StringRef name) {
  if (name.empty()) // object_c1
    return emitError() << "an arena object needs a name";
  return success();
}

LogicalResult MeshAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<StringAttr> names, ArrayRef<int64_t> sizes) {
  llvm::StringSet<> seen;
  for (auto [name, size] : llvm::zip_equal(names, sizes)) {
    if (name.empty() || !seen.insert(name.getValue()).second) // mesh_c1
      return emitError() << "axis names must be distinct and not empty, found \"" << name.getValue()
                         << "\"";
    if (size < 1) // mesh_c2
      return emitError() << "axis \"" << name.getValue() << "\" has size " << size
                         << ", expected at least 1";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Mesh
//===----------------------------------------------------------------------===//

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes;
  SMLoc loc = parser.getCurrentLocation();
  auto parseAxis = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name) || parser.parseEqual() ||
        parser.parseInteger(sizes.emplace_back()))
      return failure();
    names.push_back(StringAttr::get(parser.getContext(), name));
    return success();
  };
  if (parseAngleList(parser, parseAxis))
    return {};
  auto emitError = [&] { return parser.emitError(loc); };
  return getChecked(emitError, parser.getContext(), names, sizes);
}

void MeshAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(llvm::zip_equal(getNames(), getSizes()), printer, [&](auto axis) {
    printer.printKeywordOrString(std::get<0>(axis).getValue());
    printer << " = " << std::get<1>(axis);
  });
  printer << '>';
}

int64_t MeshAttr::getSize(StringRef name) const {
  for (auto [axis, size] : llvm::zip_equal(getNames(), getSizes()))
    if (axis.getValue() == name)
      return size;
  return 1;
}

int64_t MeshAttr::getNumRanks() const {
  int64_t ranks = 1;
  for (auto [axis, size] : llvm::zip_equal(getNames(), getSizes()))
    if (axis.getValue() != "mb")
      ranks *= size;
  return ranks;
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

LogicalResult AxesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<StringAttr> names) {
  llvm::SmallPtrSet<Attribute, 4> seen;
  for (StringAttr name : names)
    if (!seen.insert(name).second) // axes_c1
      return emitError() << "axis \"" << name.getValue() << "\" stands twice in one list";
  return success();
}

bool AxesAttr::contains(StringAttr name) const { return llvm::is_contained(getNames(), name); }

static ParseResult parseBareAxes(AsmParser &parser, AxesAttr &axes) {
  SmallVector<StringAttr> names;
  SMLoc loc = parser.getCurrentLocation();
  auto parseName = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    names.push_back(StringAttr::get(parser.getContext(), name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseName))
    return failure();
  auto emitError = [&] { return parser.emitError(loc); };
  axes = AxesAttr::getChecked(emitError, parser.getContext(), names);
  return success(axes != nullptr);
}

static void printBareAxes(AsmPrinter &printer, AxesAttr axes) {
  printer << '[';
  llvm::interleaveComma(axes.getNames(), printer,
                        [&](StringAttr name) { printer.printKeywordOrString(name.getValue()); });
  printer << ']';
}

Attribute AxesAttr::parse(AsmParser &parser, Type) {
  AxesAttr axes;
  if (parser.parseLess() || parseBareAxes(parser, axes) || parser.parseGreater())
    return {};
  return axes;
}

void AxesAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printBareAxes(printer, *this);
  printer << '>';
}

/// `[[dp, mb], []]`
static ParseResult parseListOfAxes(AsmParser &parser, SmallVectorImpl<AxesAttr> &lists) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&] { return parseBareAxes(parser, lists.emplace_back()); });
}

static void printListOfAxes(AsmPrinter &printer, ArrayRef<AxesAttr> lists) {
  printer << '[';
  llvm::interleaveComma(lists, printer, [&](AxesAttr axes) { printBareAxes(printer, axes); });
  printer << ']';
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<AxesAttr> dims, ArrayRef<StringAttr> partialAxes,
                                 ArrayRef<Combiner> partialCombiners) {
  SmallVector<StringAttr> all(partialAxes);
  for (AxesAttr axes : dims)
    llvm::append_range(all, axes.getNames());
  llvm::SmallPtrSet<Attribute, 4> seen;
  for (StringAttr name : all)
    if (!seen.insert(name).second) // layout_c1
      return emitError() << "axis \"" << name.getValue() << "\" stands twice in one layout";
  return success();
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SmallVector<AxesAttr> dims;
  SmallVector<StringAttr> axes;
  SmallVector<Combiner> combiners;
  SMLoc loc = parser.getCurrentLocation();
  auto parsePartial = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name) || parser.parseEqual())
      return failure();
    FailureOr<Combiner> combiner = FieldParser<Combiner>::parse(parser);
    if (failed(combiner))
      return failure();
    axes.push_back(StringAttr::get(parser.getContext(), name));
    combiners.push_back(*combiner);
    return success();
  };
  if (parser.parseLess() || parseListOfAxes(parser, dims))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("partial") || parser.parseEqual() ||
       parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parsePartial)))
    return {};
  if (parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(loc); };
  return getChecked(emitError, parser.getContext(), dims, axes, combiners);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printListOfAxes(printer, getDims());
  if (isPartial()) {
    printer << ", partial = {";
    llvm::interleaveComma(llvm::zip_equal(getPartialAxes(), getPartialCombiners()), printer,
                          [&](auto entry) {
                            printer.printKeywordOrString(std::get<0>(entry).getValue());
                            printer << " = " << stringifyCombiner(std::get<1>(entry));
                          });
    printer << '}';
  }
  printer << '>';
}

LayoutAttr LayoutAttr::getWhole(MLIRContext *context, int64_t rank) {
  SmallVector<AxesAttr> dims(rank, AxesAttr::get(context, {}));
  return get(context, dims, {}, {});
}

bool LayoutAttr::isWhole() const {
  return !isPartial() && llvm::all_of(getDims(), [](AxesAttr axes) { return axes.empty(); });
}

std::optional<Combiner> LayoutAttr::getCombiner(StringAttr axis) const {
  for (auto [name, combiner] : llvm::zip_equal(getPartialAxes(), getPartialCombiners()))
    if (name == axis)
      return combiner;
  return std::nullopt;
}

LayoutAttr LayoutAttr::dropPartial(ArrayRef<StringRef> names) const {
  SmallVector<StringAttr> axes;
  SmallVector<Combiner> combiners;
  for (auto [name, combiner] : llvm::zip_equal(getPartialAxes(), getPartialCombiners())) {
    if (llvm::is_contained(names, name.getValue()))
      continue;
    axes.push_back(name);
    combiners.push_back(combiner);
  }
  return get(getContext(), getDims(), axes, combiners);
}

/// Number of blocks that `axes` cut a dimension into.
static int64_t getNumBlocks(AxesAttr axes, MeshAttr mesh) {
  int64_t blocks = 1;
  for (StringAttr axis : axes.getNames())
    blocks *= mesh.getSize(axis);
  return blocks;
}

SmallVector<int64_t> LayoutAttr::getGlobalShape(ArrayRef<int64_t> local, MeshAttr mesh) const {
  SmallVector<int64_t> shape;
  for (auto [size, axes] : llvm::zip_equal(local, getDims()))
    shape.push_back(size * getNumBlocks(axes, mesh));
  return shape;
}

std::optional<SmallVector<int64_t>> LayoutAttr::getLocalShape(ArrayRef<int64_t> global,
                                                              MeshAttr mesh) const {
  SmallVector<int64_t> shape;
  for (auto [size, axes] : llvm::zip_equal(global, getDims())) {
    int64_t blocks = getNumBlocks(axes, mesh);
    if (size % blocks != 0)
      return std::nullopt;
    shape.push_back(size / blocks);
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// Assignment
//===----------------------------------------------------------------------===//

LogicalResult AssignmentAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                     ArrayRef<AxesAttr> factors, ArrayRef<AxesAttr> partial) {
  llvm::SmallPtrSet<Attribute, 4> seen;
  for (AxesAttr axes : factors)
    for (StringAttr name : axes.getNames())
      if (!seen.insert(name).second) // assignment_c1
        return emitError() << "axis \"" << name.getValue() << "\" lies on two factors";
  for (AxesAttr axes : partial)
    for (StringAttr name : axes.getNames())
      if (seen.contains(name)) // assignment_c2
        return emitError() << "axis \"" << name.getValue()
                           << "\" lies on a factor, so no operand is partial over it";
  return success();
}

Attribute AssignmentAttr::parse(AsmParser &parser, Type) {
  SmallVector<AxesAttr> factors, partial;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseListOfAxes(parser, factors))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("partial") || parser.parseEqual() || parseListOfAxes(parser, partial)))
    return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), factors, partial);
}

void AssignmentAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printListOfAxes(printer, getFactors());
  if (!getPartial().empty()) {
    printer << ", partial = ";
    printListOfAxes(printer, getPartial());
  }
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Step
//===----------------------------------------------------------------------===//

LogicalResult StepAttr::verify(function_ref<InFlightDiagnostic()> emitError, FlatSymbolRefAttr task,
                               int64_t mb) {
  if (mb < -1) // step_c1
    return emitError() << "there is no micro-batch " << mb;
  return success();
}

std::string planwright::plan::getPartName(StringRef name, int64_t part) {
  return (name + "[" + Twine(part) + "]").str();
}

std::optional<std::pair<StringRef, int64_t>> planwright::plan::parsePartName(StringRef name) {
  if (!name.consume_back("]"))
    return std::nullopt;
  auto [argument, digits] = name.rsplit('[');
  int64_t part;
  if (argument.empty() || digits.getAsInteger(10, part) || part < 0)
    return std::nullopt;
  return std::pair(argument, part);
}
