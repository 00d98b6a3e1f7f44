// Parsers of the pretty syntax, for operations without regions.
//
// Nearly all of it has one shape: operands, clauses `keyword = value`, attributes, types. Which
// clauses an operation has, and which attribute each one fills, is the table below; what is left
// has a parser of its own. Not here: reduce, while and convolution (SyntaxRegions.cpp).
#include "dialects/StableHLO/IR/Syntax.h"

#include "dialects/StableHLO/IR/Attributes.h"
#include "dialects/StableHLO/IR/SyntaxRegions.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace planwright::stablehlo;

using Operands = SmallVector<OpAsmParser::UnresolvedOperand, 4>;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
/// What stands behind the colon: `t, t`, `t, t -> t` or `(t, t) -> t`.
struct TypeText {
  SmallVector<Type> listed;
  SmallVector<Type> results;
  bool hasArrow = false;
};
} // namespace

static ParseResult parseTypeText(OpAsmParser &parser, TypeText &text) {
  if (parser.parseColon() || parser.parseTypeList(text.listed))
    return failure();
  if (text.listed.size() == 1 && isa<FunctionType>(text.listed.front())) {
    auto function = cast<FunctionType>(text.listed.front());
    text.listed = llvm::to_vector(function.getInputs());
    text.results = llvm::to_vector(function.getResults());
    text.hasArrow = true;
    return success();
  }
  text.hasArrow = succeeded(parser.parseOptionalArrow());
  if (!text.hasArrow)
    return success();
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parser.parseTypeList(text.results) || parser.parseRParen());
  return parser.parseType(text.results.emplace_back());
}

static ParseResult parseAttributesAndTypes(OpAsmParser &parser, OperationState &result,
                                           const Operands &operands) {
  SMLoc loc = parser.getCurrentLocation();
  TypeText text;
  if (parser.parseOptionalAttrDict(result.attributes) || parseTypeText(parser, text))
    return failure();
  if (!text.hasArrow && text.listed.size() == 1) { // one type for all
    text.results.assign(1, text.listed.front());
    text.listed.assign(operands.size(), text.results.front());
  } else if (!text.hasArrow) {
    return parser.emitError(loc,
                            "expected one type for all, or the results' types behind an arrow");
  }
  result.addTypes(text.results);
  return parser.resolveOperands(operands, text.listed, loc, result.operands);
}

/// Reads operands up to a clause or to what follows them. `clauseFollows` says that a comma was
/// read last, or nothing.
static ParseResult parseOperandsBeforeClause(OpAsmParser &parser, Operands &operands,
                                             bool &clauseFollows) {
  clauseFollows = true;
  while (clauseFollows) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value())
      return success();
    if (failed(*parsed))
      return failure();
    operands.push_back(operand);
    clauseFollows = succeeded(parser.parseOptionalComma());
  }
  return success();
}

ParseResult planwright::stablehlo::parseOperandsAndTypes(OpAsmParser &parser,
                                                         OperationState &result) {
  Operands operands;
  if (parser.parseOperandList(operands))
    return failure();
  return parseAttributesAndTypes(parser, result, operands);
}

//===----------------------------------------------------------------------===//
// Values of clauses
//===----------------------------------------------------------------------===//

using ValueFn = FailureOr<Attribute> (*)(OpAsmParser &);

static FailureOr<Attribute> parseDims(OpAsmParser &parser) {
  SmallVector<int64_t> values;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parser.parseInteger(values.emplace_back()); }))
    return failure();
  return Attribute(parser.getBuilder().getDenseI64ArrayAttr(values));
}

static FailureOr<Attribute> parseNumber(OpAsmParser &parser) {
  int64_t value = 0;
  if (parser.parseInteger(value))
    return failure();
  return Attribute(parser.getBuilder().getI64IntegerAttr(value));
}

static FailureOr<Attribute> parseAny(OpAsmParser &parser) {
  Attribute value;
  if (parser.parseAttribute(value))
    return failure();
  return value;
}

/// A case of an enumeration, as a bare word.
template <typename EnumAttr> static FailureOr<Attribute> parseWord(OpAsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  auto value = symbolizeEnum<decltype(std::declval<EnumAttr>().getValue())>(word);
  if (!value)
    return parser.emitError(loc) << "\"" << word << "\" is no case of " << EnumAttr::getMnemonic();
  return Attribute(EnumAttr::get(parser.getContext(), *value));
}

static FailureOr<Attribute> parsePrecisions(OpAsmParser &parser) {
  SmallVector<Attribute> values;
  auto parseOne = [&]() -> ParseResult {
    FailureOr<Attribute> value = parseWord<PrecisionAttr>(parser);
    if (failed(value))
      return failure();
    values.push_back(*value);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  return Attribute(parser.getBuilder().getArrayAttr(values));
}

//===----------------------------------------------------------------------===//
// Operations with clauses
//===----------------------------------------------------------------------===//

namespace {
struct Clause {
  StringRef operation;
  StringRef keyword;
  StringRef attribute;
  ValueFn parse;
};
} // namespace

static constexpr Clause clauses[] = {
    {"stablehlo.broadcast", "sizes", "broadcast_sizes", parseDims},
    {"stablehlo.broadcast_in_dim", "dims", "broadcast_dimensions", parseDims},
    {"stablehlo.cholesky", "lower", "lower", parseAny},
    {"stablehlo.concatenate", "dim", "dimension", parseNumber},
    {"stablehlo.dot", "precision", "precision_config", parsePrecisions},
    {"stablehlo.dynamic_broadcast_in_dim", "dims", "broadcast_dimensions", parseDims},
    {"stablehlo.dynamic_iota", "dim", "iota_dimension", parseNumber},
    {"stablehlo.dynamic_slice", "sizes", "slice_sizes", parseDims},
    {"stablehlo.einsum", "config", "einsum_config", parseAny},
    {"stablehlo.fft", "type", "fft_type", parseWord<FftTypeAttr>},
    {"stablehlo.fft", "length", "fft_length", parseDims},
    {"stablehlo.get_dimension_size", "dim", "dimension", parseNumber},
    {"stablehlo.iota", "dim", "iota_dimension", parseNumber},
    {"stablehlo.pad", "low", "edge_padding_low", parseDims},
    {"stablehlo.pad", "high", "edge_padding_high", parseDims},
    {"stablehlo.pad", "interior", "interior_padding", parseDims},
    {"stablehlo.reverse", "dims", "dimensions", parseDims},
    {"stablehlo.rng", "distribution", "rng_distribution", parseWord<RngDistributionAttr>},
    {"stablehlo.rng_bit_generator", "algorithm", "rng_algorithm", parseWord<RngAlgorithmAttr>},
    {"stablehlo.set_dimension_size", "dim", "dimension", parseNumber},
    {"stablehlo.transpose", "dims", "permutation", parseDims},
};

static ParseResult parseClause(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword) || parser.parseEqual())
    return failure();
  const Clause *clause = llvm::find_if(clauses, [&](const Clause &clause) {
    return clause.operation == result.name.getStringRef() && clause.keyword == keyword;
  });
  if (clause == std::end(clauses))
    return parser.emitError(loc) << result.name << " has no \"" << keyword << "\"";
  FailureOr<Attribute> value = clause->parse(parser);
  if (failed(value))
    return failure();
  result.addAttribute(clause->attribute, *value);
  return success();
}

static ParseResult parseWithClauses(OpAsmParser &parser, OperationState &result) {
  Operands operands;
  bool clauseFollows;
  if (parseOperandsBeforeClause(parser, operands, clauseFollows))
    return failure();
  if (clauseFollows && parser.parseCommaSeparatedList([&] { return parseClause(parser, result); }))
    return failure();
  return parseAttributesAndTypes(parser, result, operands);
}

//===----------------------------------------------------------------------===//
// Operations with a syntax of their own
//===----------------------------------------------------------------------===//

ParseResult planwright::stablehlo::parseConstant(OpAsmParser &parser, OperationState &result) {
  SMLoc loc;
  Attribute value;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.getCurrentLocation(&loc) ||
      parser.parseAttribute(value))
    return failure();
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements)
    return parser.emitError(loc) << "a constant needs a tensor of elements, but found " << value;
  result.addAttribute("value", elements);
  result.addTypes(elements.getType());
  return success();
}

/// `LT, %a, %b, SIGNED : types`.
static ParseResult parseCompare(OpAsmParser &parser, OperationState &result) {
  Operands operands;
  bool typeFollows;
  FailureOr<Attribute> direction = parseWord<ComparisonDirectionAttr>(parser);
  if (failed(direction) || parser.parseComma() ||
      parseOperandsBeforeClause(parser, operands, typeFollows))
    return failure();
  result.addAttribute("comparison_direction", *direction);
  if (typeFollows) {
    FailureOr<Attribute> type = parseWord<ComparisonTypeAttr>(parser);
    if (failed(type))
      return failure();
    result.addAttribute("compare_type", *type);
  }
  return parseAttributesAndTypes(parser, result, operands);
}

/// `%p, %a, %b : t, t`: the predicate's type, and the type of all others.
static ParseResult parseSelect(OpAsmParser &parser, OperationState &result) {
  Operands operands;
  TypeText text;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, 3) || parser.parseOptionalAttrDict(result.attributes) ||
      parseTypeText(parser, text))
    return failure();
  if (!text.hasArrow) {
    if (text.listed.size() != 2)
      return parser.emitError(loc, "expected the predicate's type and the type of the rest");
    text.results.assign(1, text.listed.back());
    text.listed.push_back(text.listed.back());
  }
  result.addTypes(text.results);
  return parser.resolveOperands(operands, text.listed, loc, result.operands);
}

/// `%a, %b : t, t`, results being what operands are. Nothing at all is `()`.
static ParseResult parsePairwise(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parser.parseRParen() || parser.parseOptionalAttrDict(result.attributes));
  Operands operands;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseOperandList(operands) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonTypeList(types))
    return failure();
  result.addTypes(types);
  return parser.resolveOperands(operands, types, loc, result.operands);
}

/// `%a, %b : t, t`, or nothing.
static ParseResult parseReturn(OpAsmParser &parser, OperationState &result) {
  Operands operands;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseOptionalColonTypeList(types))
    return failure();
  return parser.resolveOperands(operands, types, loc, result.operands);
}

/// `%a, %b : tuple<t, t>`.
static ParseResult parseTuple(OpAsmParser &parser, OperationState &result) {
  Operands operands;
  TupleType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  result.addTypes(Type(type));
  return parser.resolveOperands(operands, type.getTypes(), loc, result.operands);
}

/// `%t[0] : types`.
static ParseResult parseGetTupleElement(OpAsmParser &parser, OperationState &result) {
  Operands operands(1);
  int32_t index = 0;
  if (parser.parseOperand(operands.front()) || parser.parseLSquare() ||
      parser.parseInteger(index) || parser.parseRSquare())
    return failure();
  result.addAttribute("index", parser.getBuilder().getI32IntegerAttr(index));
  return parseAttributesAndTypes(parser, result, operands);
}

/// `%x [0:8, 0:64:2] : types`.
static ParseResult parseSlice(OpAsmParser &parser, OperationState &result) {
  Operands operands(1);
  SmallVector<int64_t> starts, limits, strides;
  auto parseRange = [&]() -> ParseResult {
    strides.push_back(1);
    if (parser.parseInteger(starts.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limits.emplace_back()))
      return failure();
    if (failed(parser.parseOptionalColon()))
      return success();
    return parser.parseInteger(strides.back());
  };
  if (parser.parseOperand(operands.front()) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  Builder &builder = parser.getBuilder();
  result.addAttribute("start_indices", builder.getDenseI64ArrayAttr(starts));
  result.addAttribute("limit_indices", builder.getDenseI64ArrayAttr(limits));
  result.addAttribute("strides", builder.getDenseI64ArrayAttr(strides));
  return parseAttributesAndTypes(parser, result, operands);
}

/// `%x, format = e5m10 : t`.
static ParseResult parseReducePrecision(OpAsmParser &parser, OperationState &result) {
  Operands operands(1);
  SMLoc loc;
  StringRef format;
  if (parser.parseOperand(operands.front()) || parser.parseComma() ||
      parser.parseKeyword("format") || parser.parseEqual() || parser.getCurrentLocation(&loc) ||
      parser.parseKeyword(&format))
    return failure();
  int32_t exponent = 0, mantissa = 0;
  StringRef rest = format;
  bool wellFormed = rest.consume_front("e") && !rest.consumeInteger(10, exponent) &&
                    rest.consume_front("m") && !rest.getAsInteger(10, mantissa);
  if (!wellFormed)
    return parser.emitError(loc) << "expected a format such as e5m10, but found " << format;
  result.addAttribute("exponent_bits", parser.getBuilder().getI32IntegerAttr(exponent));
  result.addAttribute("mantissa_bits", parser.getBuilder().getI32IntegerAttr(mantissa));
  return parseAttributesAndTypes(parser, result, operands);
}

/// `@target(%a, %b) {attributes} : types`.
static ParseResult parseCustomCall(OpAsmParser &parser, OperationState &result) {
  Operands operands;
  StringAttr target;
  if (parser.parseSymbolName(target) ||
      parser.parseOperandList(operands, AsmParser::Delimiter::Paren))
    return failure();
  result.addAttribute("call_target_name", target);
  return parseAttributesAndTypes(parser, result, operands);
}

/// `"name" %a, %b {attributes} : types`.
static ParseResult parseComposite(OpAsmParser &parser, OperationState &result) {
  Operands operands;
  StringAttr name;
  if (parser.parseAttribute(name) || parser.parseOperandList(operands))
    return failure();
  result.addAttribute("name", name);
  return parseAttributesAndTypes(parser, result, operands);
}

ParseResult planwright::stablehlo::parseTopK(OpAsmParser &parser, OperationState &result) {
  Operands operands(1);
  int64_t k = 0;
  if (parser.parseLParen() || parser.parseOperand(operands.front()) || parser.parseComma() ||
      parser.parseKeyword("k") || parser.parseEqual() || parser.parseInteger(k) ||
      parser.parseRParen())
    return failure();
  result.addAttribute("k", parser.getBuilder().getI64IntegerAttr(k));
  return parseAttributesAndTypes(parser, result, operands);
}

/// `[0, 2] x [0, 1]`.
static ParseResult parseDimPairs(OpAsmParser &parser, SmallVector<int64_t> &lhs,
                                 SmallVector<int64_t> &rhs) {
  auto parseList = [&](SmallVector<int64_t> &dims) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                          [&] { return parser.parseInteger(dims.emplace_back()); });
  };
  return failure(parseList(lhs) || parser.parseKeyword("x") || parseList(rhs));
}

/// `%a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [..], algorithm =
/// <..> : types`.
static ParseResult parseDotGeneral(OpAsmParser &parser, OperationState &result) {
  Operands operands;
  SmallVector<int64_t> lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword) || parser.parseEqual())
      return failure();
    if (keyword == "batching_dims")
      return parseDimPairs(parser, lhsBatching, rhsBatching);
    if (keyword == "contracting_dims")
      return parseDimPairs(parser, lhsContracting, rhsContracting);
    if (keyword == "precision") {
      FailureOr<Attribute> precision = parsePrecisions(parser);
      if (succeeded(precision))
        result.addAttribute("precision_config", *precision);
      return failure(failed(precision));
    }
    if (keyword != "algorithm")
      return parser.emitError(loc) << result.name << " has no \"" << keyword << "\"";
    Attribute algorithm = DotAlgorithmAttr::parse(parser, {});
    if (!algorithm)
      return failure();
    result.addAttribute("algorithm", algorithm);
    return success();
  };
  bool clauseFollows;
  if (parseOperandsBeforeClause(parser, operands, clauseFollows) ||
      (clauseFollows && parser.parseCommaSeparatedList(parseOne)))
    return failure();
  result.addAttribute("dot_dimension_numbers",
                      DotDimensionNumbersAttr::get(parser.getContext(), lhsBatching, rhsBatching,
                                                   lhsContracting, rhsContracting));
  return parseAttributesAndTypes(parser, result, operands);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static const llvm::StringMap<SyntaxFn> &getSyntaxTable() {
  static const llvm::StringMap<SyntaxFn> table = [] {
    llvm::StringMap<SyntaxFn> result = {
        {"stablehlo.compare", parseCompare},
        {"stablehlo.composite", parseComposite},
        {"stablehlo.constant", parseConstant},
        {"stablehlo.convolution", parseConvolution},
        {"stablehlo.custom_call", parseCustomCall},
        {"stablehlo.dot_general", parseDotGeneral},
        {"stablehlo.get_tuple_element", parseGetTupleElement},
        {"stablehlo.optimization_barrier", parsePairwise},
        {"stablehlo.reduce", parseReduce},
        {"stablehlo.reduce_precision", parseReducePrecision},
        {"stablehlo.return", parseReturn},
        {"stablehlo.select", parseSelect},
        {"stablehlo.slice", parseSlice},
        {"stablehlo.tuple", parseTuple},
        {"stablehlo.while", parseWhile},
    };
    for (const Clause &clause : clauses)
      result[clause.operation] = parseWithClauses;
    return result;
  }();
  return table;
}

/// Operations whose attributes or regions have no pretty form in StableHLO.
static bool isGenericOnly(StringRef name) {
  static const llvm::StringSet<> names = {"stablehlo.all_gather",
                                          "stablehlo.all_reduce",
                                          "stablehlo.all_to_all",
                                          "stablehlo.batch_norm_grad",
                                          "stablehlo.batch_norm_inference",
                                          "stablehlo.batch_norm_training",
                                          "stablehlo.case",
                                          "stablehlo.collective_broadcast",
                                          "stablehlo.collective_permute",
                                          "stablehlo.cross-replica-sum",
                                          "stablehlo.gather",
                                          "stablehlo.if",
                                          "stablehlo.map",
                                          "stablehlo.reduce_scatter",
                                          "stablehlo.reduce_window",
                                          "stablehlo.scatter",
                                          "stablehlo.select_and_scatter",
                                          "stablehlo.sort",
                                          "stablehlo.torch_index_select",
                                          "stablehlo.triangular_solve"};
  return names.contains(name);
}

std::optional<Dialect::ParseOpHook> planwright::stablehlo::lookUpSyntax(StringRef name) {
  static constexpr SyntaxFn plain = parseOperandsAndTypes;
  auto found = getSyntaxTable().find(name);
  if (found != getSyntaxTable().end())
    return found->second;
  if (isGenericOnly(name))
    return std::nullopt;
  return plain;
}
