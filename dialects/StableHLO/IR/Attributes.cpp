// Text and verifiers of the structured attributes.
// Not here: enumerations, whose text is generated.
#include "dialects/StableHLO/IR/Attributes.h"

#include "llvm/Support/InterleavedRange.h"

#include <functional>

using namespace mlir;
using namespace planwright::stablehlo;

//===----------------------------------------------------------------------===//
// Fields: `name = value`, in any order, each at most once, left out where empty or zero
//===----------------------------------------------------------------------===//

namespace {
struct Field {
  StringRef name;
  std::function<ParseResult()> parse;
  bool seen = false;
};
} // namespace

static ParseResult parseValue(AsmParser &parser, int64_t &value) {
  return parser.parseInteger(value);
}
static ParseResult parseValue(AsmParser &parser, Type &value) { return parser.parseType(value); }
static ParseResult parseValue(AsmParser &parser, double &value) { return parser.parseFloat(value); }
static ParseResult parseValue(AsmParser &parser, ResultAccuracyModeAttr &value) {
  return parser.parseAttribute(value);
}
static ParseResult parseValue(AsmParser &parser, bool &value) {
  value = succeeded(parser.parseOptionalKeyword("true"));
  return value ? ParseResult(success()) : parser.parseKeyword("false");
}
static ParseResult parseValue(AsmParser &parser, SmallVector<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

template <typename T> static Field field(AsmParser &parser, StringRef name, T &value) {
  return {name, [&parser, &value] { return parseValue(parser, value); }};
}

/// Parses one field out of `fields`.
static ParseResult parseField(AsmParser &parser, MutableArrayRef<Field> fields) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  Field *found = llvm::find_if(fields, [&](const Field &field) { return field.name == name; });
  if (found == fields.end())
    return parser.emitError(loc) << "there is no field \"" << name << "\" here; fields are "
                                 << llvm::interleaved(llvm::map_to_vector(
                                        fields, [](const Field &field) { return field.name; }));
  if (std::exchange(found->seen, true))
    return parser.emitError(loc) << "field \"" << name << "\" is given twice";
  return failure(parser.parseEqual() || found->parse());
}

/// Parses fields up to and including the closing `>`; the opening one was read.
static ParseResult parseFieldsAndClose(AsmParser &parser, MutableArrayRef<Field> fields) {
  if (succeeded(parser.parseOptionalGreater()))
    return success();
  if (parser.parseCommaSeparatedList([&] { return parseField(parser, fields); }))
    return failure();
  return parser.parseGreater();
}

static ParseResult parseFields(AsmParser &parser, MutableArrayRef<Field> fields) {
  return failure(parser.parseLess() || parseFieldsAndClose(parser, fields));
}

namespace {
/// Prints `<name = value, ...>` without the fields that are empty or zero.
class FieldPrinter {
public:
  explicit FieldPrinter(AsmPrinter &printer) : printer(printer) { printer << "<"; }
  ~FieldPrinter() { printer << ">"; }

  FieldPrinter &add(StringRef name, ArrayRef<int64_t> values) {
    if (!values.empty())
      begin(name) << "[" << llvm::interleaved(values) << "]";
    return *this;
  }
  FieldPrinter &add(StringRef name, int64_t value) {
    if (value != 0)
      begin(name) << value;
    return *this;
  }
  FieldPrinter &addFlag(StringRef name, bool value) {
    if (value)
      begin(name) << "true";
    return *this;
  }
  FieldPrinter &addType(StringRef name, Type value) {
    begin(name) << value;
    return *this;
  }
  FieldPrinter &addFloat(StringRef name, const APFloat &value) {
    begin(name) << value;
    return *this;
  }
  FieldPrinter &addAttribute(StringRef name, Attribute value) {
    begin(name) << value;
    return *this;
  }

private:
  AsmPrinter &begin(StringRef name) {
    printer << separator << name << " = ";
    separator = ", ";
    return printer;
  }

  AsmPrinter &printer;
  StringRef separator = "";
};
} // namespace

//===----------------------------------------------------------------------===//
// Gather, scatter, dot
//===----------------------------------------------------------------------===//

Attribute GatherDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> offset, collapsed, operandBatching, indicesBatching, map;
  int64_t indexVectorDim = 0;
  Field fields[] = {field(parser, "offset_dims", offset),
                    field(parser, "collapsed_slice_dims", collapsed),
                    field(parser, "operand_batching_dims", operandBatching),
                    field(parser, "start_indices_batching_dims", indicesBatching),
                    field(parser, "start_index_map", map),
                    field(parser, "index_vector_dim", indexVectorDim)};
  if (parseFields(parser, fields))
    return {};
  return get(parser.getContext(), offset, collapsed, operandBatching, indicesBatching, map,
             indexVectorDim);
}

void GatherDimensionNumbersAttr::print(AsmPrinter &printer) const {
  FieldPrinter(printer)
      .add("offset_dims", getOffsetDims())
      .add("collapsed_slice_dims", getCollapsedSliceDims())
      .add("operand_batching_dims", getOperandBatchingDims())
      .add("start_indices_batching_dims", getStartIndicesBatchingDims())
      .add("start_index_map", getStartIndexMap())
      .add("index_vector_dim", getIndexVectorDim());
}

Attribute ScatterDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> window, inserted, inputBatching, indicesBatching, map;
  int64_t indexVectorDim = 0;
  Field fields[] = {field(parser, "update_window_dims", window),
                    field(parser, "inserted_window_dims", inserted),
                    field(parser, "input_batching_dims", inputBatching),
                    field(parser, "scatter_indices_batching_dims", indicesBatching),
                    field(parser, "scatter_dims_to_operand_dims", map),
                    field(parser, "index_vector_dim", indexVectorDim)};
  if (parseFields(parser, fields))
    return {};
  return get(parser.getContext(), window, inserted, inputBatching, indicesBatching, map,
             indexVectorDim);
}

void ScatterDimensionNumbersAttr::print(AsmPrinter &printer) const {
  FieldPrinter(printer)
      .add("update_window_dims", getUpdateWindowDims())
      .add("inserted_window_dims", getInsertedWindowDims())
      .add("input_batching_dims", getInputBatchingDims())
      .add("scatter_indices_batching_dims", getScatterIndicesBatchingDims())
      .add("scatter_dims_to_operand_dims", getScatterDimsToOperandDims())
      .add("index_vector_dim", getIndexVectorDim());
}

Attribute DotDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  Field fields[] = {field(parser, "lhs_batching_dimensions", lhsBatching),
                    field(parser, "rhs_batching_dimensions", rhsBatching),
                    field(parser, "lhs_contracting_dimensions", lhsContracting),
                    field(parser, "rhs_contracting_dimensions", rhsContracting)};
  if (parseFields(parser, fields))
    return {};
  return get(parser.getContext(), lhsBatching, rhsBatching, lhsContracting, rhsContracting);
}

void DotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  FieldPrinter(printer)
      .add("lhs_batching_dimensions", getLhsBatchingDimensions())
      .add("rhs_batching_dimensions", getRhsBatchingDimensions())
      .add("lhs_contracting_dimensions", getLhsContractingDimensions())
      .add("rhs_contracting_dimensions", getRhsContractingDimensions());
}

Attribute DotAlgorithmAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  Type lhs, rhs, accumulation;
  int64_t lhsComponents = 0, rhsComponents = 0, operations = 0;
  bool imprecise = false;
  Field fields[] = {field(parser, "lhs_precision_type", lhs),
                    field(parser, "rhs_precision_type", rhs),
                    field(parser, "accumulation_type", accumulation),
                    field(parser, "lhs_component_count", lhsComponents),
                    field(parser, "rhs_component_count", rhsComponents),
                    field(parser, "num_primitive_operations", operations),
                    field(parser, "allow_imprecise_accumulation", imprecise)};
  if (parseFields(parser, fields))
    return {};
  if (!lhs || !rhs || !accumulation) {
    parser.emitError(loc, "a dot algorithm needs its three types");
    return {};
  }
  return get(parser.getContext(), lhs, rhs, accumulation, lhsComponents, rhsComponents, operations,
             imprecise);
}

void DotAlgorithmAttr::print(AsmPrinter &printer) const {
  FieldPrinter(printer)
      .addType("lhs_precision_type", getLhsPrecisionType())
      .addType("rhs_precision_type", getRhsPrecisionType())
      .addType("accumulation_type", getAccumulationType())
      .add("lhs_component_count", getLhsComponentCount())
      .add("rhs_component_count", getRhsComponentCount())
      .add("num_primitive_operations", getNumPrimitiveOperations())
      .addFlag("allow_imprecise_accumulation", getAllowImpreciseAccumulation());
}

//===----------------------------------------------------------------------===//
// Attributes that are only kept
//===----------------------------------------------------------------------===//

Attribute ChannelHandleAttr::parse(AsmParser &parser, Type) {
  int64_t handle = 0, type = 0;
  Field fields[] = {field(parser, "handle", handle), field(parser, "type", type)};
  if (parseFields(parser, fields))
    return {};
  return get(parser.getContext(), handle, type);
}

void ChannelHandleAttr::print(AsmPrinter &printer) const {
  FieldPrinter(printer).add("handle", getHandle()).add("type", getType());
}

Attribute OutputOperandAliasAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> output, operandTuple;
  int64_t operand = 0;
  Field fields[] = {field(parser, "output_tuple_indices", output),
                    field(parser, "operand_index", operand),
                    field(parser, "operand_tuple_indices", operandTuple)};
  if (parseFields(parser, fields))
    return {};
  return get(parser.getContext(), output, operand, operandTuple);
}

void OutputOperandAliasAttr::print(AsmPrinter &printer) const {
  FieldPrinter(printer)
      .add("output_tuple_indices", getOutputTupleIndices())
      .add("operand_index", getOperandIndex())
      .add("operand_tuple_indices", getOperandTupleIndices());
}

Attribute ResultAccuracyAttr::parse(AsmParser &parser, Type) {
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  auto mode = ResultAccuracyModeAttr::get(parser.getContext(), ResultAccuracyMode::DEFAULT);
  Field fields[] = {field(parser, "atol", atol), field(parser, "rtol", rtol),
                    field(parser, "ulps", ulps), field(parser, "mode", mode)};
  if (parseFields(parser, fields))
    return {};
  return get(parser.getContext(), APFloat(atol), APFloat(rtol), ulps, mode);
}

void ResultAccuracyAttr::print(AsmPrinter &printer) const {
  FieldPrinter(printer)
      .addFloat("atol", getAtol())
      .addFloat("rtol", getRtol())
      .add("ulps", getUlps())
      .addAttribute("mode", getMode());
}

//===----------------------------------------------------------------------===//
// Convolution: [b, 0, f]x[0, i, o]->[b, 0, f]
//===----------------------------------------------------------------------===//

namespace {
/// Where the two lettered and the numbered dimensions of one list stand.
struct ConvList {
  int64_t first = -1;
  int64_t second = -1;
  SmallVector<int64_t> spatial;
};
} // namespace

/// Parses one list, whose lettered dimensions are `first` and `second`.
static ParseResult parseConvList(AsmParser &parser, StringRef first, StringRef second,
                                 ConvList &list) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<std::pair<int64_t, int64_t>> spatial; // number, position
  int64_t position = 0;
  auto parseDimension = [&]() -> ParseResult {
    int64_t number = 0;
    OptionalParseResult parsed = parser.parseOptionalInteger(number);
    if (parsed.has_value()) {
      spatial.emplace_back(number, position++);
      return *parsed;
    }
    StringRef letter;
    SMLoc letterLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&letter))
      return failure();
    int64_t *place = letter == first ? &list.first : letter == second ? &list.second : nullptr;
    if (!place || *place != -1)
      return parser.emitError(letterLoc) << "expected " << first << ", " << second
                                         << " or a number, each once, but found " << letter;
    *place = position++;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDimension))
    return failure();
  if (list.first == -1 || list.second == -1)
    return parser.emitError(loc) << "dimensions " << first << " and " << second
                                 << " have to be in this list";
  llvm::sort(spatial);
  for (auto [i, entry] : llvm::enumerate(spatial)) {
    if (entry.first != static_cast<int64_t>(i))
      return parser.emitError(loc) << "spatial dimension " << i << " is missing in this list";
    list.spatial.push_back(entry.second);
  }
  return success();
}

static ConvDimensionNumbersAttr getConv(AsmParser &parser, SMLoc loc, const ConvList &input,
                                        const ConvList &kernel, const ConvList &output) {
  auto report = [&] { return parser.emitError(loc); };
  return ConvDimensionNumbersAttr::getChecked(
      function_ref<InFlightDiagnostic()>(report), parser.getContext(), input.first, input.second,
      ArrayRef<int64_t>(input.spatial), kernel.first, kernel.second,
      ArrayRef<int64_t>(kernel.spatial), output.first, output.second,
      ArrayRef<int64_t>(output.spatial));
}

ConvDimensionNumbersAttr planwright::stablehlo::parseConvDimensionNumbers(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  ConvList input, kernel, output;
  if (parseConvList(parser, "b", "f", input) || parser.parseKeyword("x") ||
      parseConvList(parser, "i", "o", kernel) || parser.parseArrow() ||
      parseConvList(parser, "b", "f", output))
    return {};
  return getConv(parser, loc, input, kernel, output);
}

/// The form with named fields; `<raw` was read.
static Attribute parseRawConvDimensionNumbers(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  ConvList input, kernel, output;
  Field fields[] = {field(parser, "input_batch_dimension", input.first),
                    field(parser, "input_feature_dimension", input.second),
                    field(parser, "input_spatial_dimensions", input.spatial),
                    field(parser, "kernel_input_feature_dimension", kernel.first),
                    field(parser, "kernel_output_feature_dimension", kernel.second),
                    field(parser, "kernel_spatial_dimensions", kernel.spatial),
                    field(parser, "output_batch_dimension", output.first),
                    field(parser, "output_feature_dimension", output.second),
                    field(parser, "output_spatial_dimensions", output.spatial)};
  if (parseFieldsAndClose(parser, fields))
    return {};
  return getConv(parser, loc, input, kernel, output);
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  if (succeeded(parser.parseOptionalKeyword("raw")))
    return parseRawConvDimensionNumbers(parser);
  ConvDimensionNumbersAttr result = parseConvDimensionNumbers(parser);
  if (!result || parser.parseGreater())
    return {};
  return result;
}

static void printConvList(AsmPrinter &printer, StringRef firstLetter, int64_t first,
                          StringRef secondLetter, int64_t second, ArrayRef<int64_t> spatial) {
  SmallVector<std::string> list(spatial.size() + 2);
  list[first] = firstLetter;
  list[second] = secondLetter;
  for (auto [number, position] : llvm::enumerate(spatial))
    list[position] = std::to_string(number);
  printer << "[" << llvm::interleaved(list) << "]";
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printConvList(printer, "b", getInputBatchDimension(), "f", getInputFeatureDimension(),
                getInputSpatialDimensions());
  printer << "x";
  printConvList(printer, "i", getKernelInputFeatureDimension(), "o",
                getKernelOutputFeatureDimension(), getKernelSpatialDimensions());
  printer << "->";
  printConvList(printer, "b", getOutputBatchDimension(), "f", getOutputFeatureDimension(),
                getOutputSpatialDimensions());
  printer << ">";
}

/// Whether the three together name 0, 1, 2, ... once each.
static bool isPermutation(int64_t first, int64_t second, ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> all(spatial);
  all.append({first, second});
  llvm::sort(all);
  return llvm::all_of(llvm::enumerate(all), [](auto entry) {
    return entry.value() == static_cast<int64_t>(entry.index());
  });
}

LogicalResult ConvDimensionNumbersAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                               int64_t inputBatch, int64_t inputFeature,
                                               ArrayRef<int64_t> inputSpatial, int64_t kernelInput,
                                               int64_t kernelOutput,
                                               ArrayRef<int64_t> kernelSpatial, int64_t outputBatch,
                                               int64_t outputFeature,
                                               ArrayRef<int64_t> outputSpatial) {
  bool complete = isPermutation(inputBatch, inputFeature, inputSpatial) &&
                  isPermutation(kernelInput, kernelOutput, kernelSpatial) &&
                  isPermutation(outputBatch, outputFeature, outputSpatial);
  if (!complete) // conv_c1
    return emitError() << "each list of dimensions has to name each of its dimensions once";
  if (inputSpatial.size() != kernelSpatial.size() || inputSpatial.size() != outputSpatial.size())
    return emitError() << "input, kernel and output have different numbers of spatial dimensions: "
                       << inputSpatial.size() << ", " << kernelSpatial.size() << " and "
                       << outputSpatial.size();
  return success();
}
