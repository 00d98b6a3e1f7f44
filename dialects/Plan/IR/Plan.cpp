// Definition and verifiers of the plan dialect's attributes.
#include "dialects/Plan/IR/Plan.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
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

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes;
  SMLoc loc = parser.getCurrentLocation();
  auto parseAxis = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name) || parser.parseEqual() ||
        parser.parseInteger(sizes.emplace_back()))
      return failure();
    names.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseAxis))
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), names, sizes);
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
