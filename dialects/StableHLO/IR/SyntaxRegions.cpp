// Parsers of the pretty syntax of reduce, while and convolution.
#include "dialects/StableHLO/IR/SyntaxRegions.h"

#include "dialects/StableHLO/IR/Attributes.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace planwright::stablehlo;

using Operands = SmallVector<OpAsmParser::UnresolvedOperand, 4>;

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

namespace {
struct ReduceText {
  Operands inputs;
  Operands initValues;
  std::optional<OperationName> applied;
};
} // namespace

/// `(%a init: %c), (%b init: %d)`.
static ParseResult parseReduceOperands(OpAsmParser &parser, ReduceText &text) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    return failure(parser.parseLParen() || parser.parseOperand(text.inputs.emplace_back()) ||
                   parser.parseKeyword("init") || parser.parseColon() ||
                   parser.parseOperand(text.initValues.emplace_back()) || parser.parseRParen());
  });
}

/// `applies stablehlo.add`, if it is there.
static ParseResult parseApplied(OpAsmParser &parser, ReduceText &text) {
  if (failed(parser.parseOptionalKeyword("applies")))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<OperationName> name = parser.parseCustomOperationName();
  if (failed(name))
    return failure();
  bool combinesTwo = name->hasTrait<SameType>() && name->hasTrait<OpTrait::OneResult>() &&
                     name->hasTrait<OpTrait::NOperands<2>::Impl>();
  if (!combinesTwo)
    return parser.emitError(loc) << *name << " cannot combine two elements of one type";
  text.applied = *name;
  return success();
}

/// `across dimensions = [2] {attributes} : (t, t) -> t`.
static ParseResult parseReduceAttributesAndTypes(OpAsmParser &parser, OperationState &result,
                                                 ReduceText &text) {
  SmallVector<int64_t> dimensions;
  FunctionType type;
  SMLoc loc;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&] { return parser.parseInteger(dimensions.emplace_back()); }) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.getCurrentLocation(&loc) ||
      parser.parseColonType(type))
    return failure();
  result.addAttribute("dimensions", parser.getBuilder().getDenseI64ArrayAttr(dimensions));
  result.addTypes(type.getResults());
  Operands operands = text.inputs;
  llvm::append_range(operands, text.initValues);
  return parser.resolveOperands(operands, type.getInputs(), loc, result.operands);
}

/// The region that `applies` stands for.
static ParseResult buildAppliedRegion(OpAsmParser &parser, OperationState &result,
                                      OperationName applied, SMLoc loc) {
  auto type = result.operands.size() == 2 ? dyn_cast<ShapedType>(result.operands[1].getType())
                                          : ShapedType();
  if (!type)
    return parser.emitError(loc, "only one tensor can be reduced by an operation's name");
  Type scalar = RankedTensorType::get({}, type.getElementType());
  Block &block = result.addRegion()->emplaceBlock();
  block.addArguments({scalar, scalar}, {result.location, result.location});
  OpBuilder builder(parser.getContext()); // The block has no operation around it yet.
  builder.setInsertionPointToStart(&block);
  OperationState combine(result.location, applied);
  combine.addOperands(block.getArguments());
  combine.addTypes(scalar);
  Operation *combined = builder.create(combine);
  ReturnOp::create(builder, result.location, combined->getResults());
  return success();
}

/// `reducer(%a: t, %x: t) (%b: t, %y: t) {...}`: pairs of accumulator and element.
static ParseResult parseReducer(OpAsmParser &parser, OperationState &result, size_t inputCount) {
  SmallVector<OpAsmParser::Argument> accumulators, arguments;
  if (parser.parseKeyword("reducer"))
    return failure();
  SmallVector<OpAsmParser::Argument> elements;
  for (size_t i = 0; i < inputCount; ++i)
    if (parser.parseLParen() ||
        parser.parseArgument(accumulators.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() || parser.parseArgument(elements.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  llvm::append_range(arguments, accumulators);
  llvm::append_range(arguments, elements);
  return parser.parseRegion(*result.addRegion(), arguments);
}

ParseResult planwright::stablehlo::parseReduce(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  ReduceText text;
  if (parseReduceOperands(parser, text) || parseApplied(parser, text) ||
      parseReduceAttributesAndTypes(parser, result, text))
    return failure();
  if (text.applied)
    return buildAppliedRegion(parser, result, *text.applied, loc);
  return parseReducer(parser, result, text.inputs.size());
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

/// `(%iterArg = %a, ...) : t, t attributes {...} cond {...} do {...}`.
ParseResult planwright::stablehlo::parseWhile(OpAsmParser &parser, OperationState &result) {
  Operands operands;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parsePair) ||
      parser.parseOptionalColonTypeList(types) ||
      parser.resolveOperands(operands, types, loc, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addTypes(types);
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  if (parser.parseKeyword("cond") || parser.parseRegion(*result.addRegion(), arguments) ||
      parser.parseKeyword("do"))
    return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

template <typename T, typename ParseOne>
static FailureOr<SmallVector<T>> parseList(OpAsmParser &parser, ParseOne parseOne) {
  SmallVector<T> values;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parseOne(values.emplace_back()); }))
    return failure();
  return values;
}

/// `[[1, 1], [0, 2]]`, low and high for each dimension.
static FailureOr<Attribute> parsePadding(OpAsmParser &parser) {
  SmallVector<int64_t> flat;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseLSquare() || parser.parseInteger(flat.emplace_back()) ||
                   parser.parseComma() || parser.parseInteger(flat.emplace_back()) ||
                   parser.parseRSquare());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePair))
    return failure();
  auto type = RankedTensorType::get({static_cast<int64_t>(flat.size() / 2), 2},
                                    parser.getBuilder().getI64Type());
  return Attribute(DenseIntElementsAttr::get(type, flat));
}

/// The value of window field `keyword`, whose attribute is named in `attribute`.
static FailureOr<Attribute> parseWindowValue(OpAsmParser &parser, StringRef keyword,
                                             StringRef &attribute) {
  Builder &builder = parser.getBuilder();
  if (keyword == "pad") {
    attribute = "padding";
    return parsePadding(parser);
  }
  if (keyword == "reverse") {
    attribute = "window_reversal";
    FailureOr<SmallVector<bool>> flags = parseList<bool>(parser, [&](bool &flag) -> ParseResult {
      flag = succeeded(parser.parseOptionalKeyword("true"));
      return flag ? ParseResult(success()) : parser.parseKeyword("false");
    });
    return failed(flags) ? FailureOr<Attribute>()
                         : Attribute(builder.getDenseBoolArrayAttr(*flags));
  }
  attribute = llvm::StringSwitch<StringRef>(keyword)
                  .Case("stride", "window_strides")
                  .Case("lhs_dilate", "lhs_dilation")
                  .Case("rhs_dilate", "rhs_dilation")
                  .Default("");
  if (attribute.empty())
    return parser.emitError(parser.getNameLoc())
           << "a window has stride, pad, lhs_dilate, rhs_dilate and reverse, but no " << keyword;
  FailureOr<SmallVector<int64_t>> values =
      parseList<int64_t>(parser, [&](int64_t &value) { return parser.parseInteger(value); });
  return failed(values) ? FailureOr<Attribute>() : Attribute(builder.getDenseI64ArrayAttr(*values));
}

/// `{stride = [2], pad = [[1, 1]], ...}`.
static ParseResult parseWindow(OpAsmParser &parser, OperationState &result) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, [&]() -> ParseResult {
    StringRef keyword, attribute;
    if (parser.parseKeyword(&keyword) || parser.parseEqual())
      return failure();
    FailureOr<Attribute> value = parseWindowValue(parser, keyword, attribute);
    if (failed(value))
      return failure();
    result.addAttribute(attribute, *value);
    return success();
  });
}

/// `(%a, %b) dim_numbers = [..]x[..]->[..], window = {..} {attributes} : (t, t) -> t`.
ParseResult planwright::stablehlo::parseConvolution(OpAsmParser &parser, OperationState &result) {
  Operands operands;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, AsmParser::Delimiter::Paren) ||
      parser.parseKeyword("dim_numbers") || parser.parseEqual())
    return failure();
  ConvDimensionNumbersAttr dimensions = parseConvDimensionNumbers(parser);
  FunctionType type;
  if (!dimensions || parser.parseComma() || parser.parseKeyword("window") || parser.parseEqual() ||
      parseWindow(parser, result) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  result.addAttribute("dimension_numbers", dimensions);
  result.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), loc, result.operands);
}
