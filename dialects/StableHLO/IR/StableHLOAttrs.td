// Enumerations and structured attributes of the stablehlo dialect, named as in the StableHLO specification.
// Not here: attributes that are plain arrays or integers; they stand in the operations.

#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_STABLEHLOATTRS_TD
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_STABLEHLOATTRS_TD

include "dialects/StableHLO/IR/StableHLOBase.td"

//===----------------------------------------------------------------------===//
// Enumerations, written #stablehlo<comparison_direction LT>
//===----------------------------------------------------------------------===//

class SH_Enum<string name, string text, list<string> cases>
    : I32EnumAttr<name, text, !foreach(i, !range(!size(cases)), I32EnumAttrCase<cases[i], i>)> {
  let cppNamespace = "::planwright::stablehlo";
  let genSpecializedAttr = 0;
}

def SH_ComparisonDirection : SH_Enum<"ComparisonDirection", "which comparison", ["EQ", "NE", "GE", "GT", "LE", "LT"]>;
def SH_ComparisonType : SH_Enum<"ComparisonType", "how two elements are compared",
    ["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"]>;
def SH_Precision : SH_Enum<"Precision", "how much accuracy may be traded for speed", ["DEFAULT", "HIGH", "HIGHEST"]>;
def SH_FftType : SH_Enum<"FftType", "which Fourier transform", ["FFT", "IFFT", "RFFT", "IRFFT"]>;
def SH_Transpose : SH_Enum<"Transpose", "how a matrix is read",
    ["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]>;
def SH_RngDistribution : SH_Enum<"RngDistribution", "how random numbers are distributed", ["UNIFORM", "NORMAL"]>;
def SH_RngAlgorithm : SH_Enum<"RngAlgorithm", "which random bit generator", ["DEFAULT", "THREE_FRY", "PHILOX"]>;
def SH_ResultAccuracyMode : SH_Enum<"ResultAccuracyMode", "what an accuracy bound asks for",
    ["DEFAULT", "HIGHEST", "TOLERANCE"]>;

def SH_ComparisonDirectionAttr : EnumAttr<StableHLO_Dialect, SH_ComparisonDirection, "comparison_direction">;
def SH_ComparisonTypeAttr : EnumAttr<StableHLO_Dialect, SH_ComparisonType, "comparison_type">;
def SH_PrecisionAttr : EnumAttr<StableHLO_Dialect, SH_Precision, "precision">;
def SH_FftTypeAttr : EnumAttr<StableHLO_Dialect, SH_FftType, "fft_type">;
def SH_TransposeAttr : EnumAttr<StableHLO_Dialect, SH_Transpose, "transpose">;
def SH_RngDistributionAttr : EnumAttr<StableHLO_Dialect, SH_RngDistribution, "rng_distribution">;
def SH_RngAlgorithmAttr : EnumAttr<StableHLO_Dialect, SH_RngAlgorithm, "rng_algorithm">;
def SH_ResultAccuracyModeAttr : EnumAttr<StableHLO_Dialect, SH_ResultAccuracyMode, "result_accuracy_mode"> {
  // The one enumeration that is written with a dot: #stablehlo.result_accuracy_mode<DEFAULT>.
  let assemblyFormat = "`<` $value `>`";
}

def SH_PrecisionConfig : TypedArrayAttrBase<SH_PrecisionAttr, "one precision for each operand">;

//===----------------------------------------------------------------------===//
// Structured attributes, written #stablehlo.gather<offset_dims = [2], ...>
//===----------------------------------------------------------------------===//

/// Fields come in any order and default to nothing or zero (Attributes.cpp has the shared reader and writer).
class SH_Struct<string name, string attrMnemonic> : AttrDef<StableHLO_Dialect, name> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
}

def SH_Dims : ArrayRefParameter<"int64_t", "dimensions">;

def SH_GatherDimensionNumbersAttr : SH_Struct<"GatherDimensionNumbers", "gather"> {
  let summary = "Which dimension is which in a gather";
  let description = [{
    `offset_dims` are the result's dimensions that walk through a slice, the others are batch dimensions;
    `collapsed_slice_dims` and `operand_batching_dims` are the operand's dimensions that do not appear among them;
    `start_index_map` says which operand dimension each element of an index vector addresses.
  }];
  let parameters = (ins SH_Dims:$offsetDims, SH_Dims:$collapsedSliceDims, SH_Dims:$operandBatchingDims,
                        SH_Dims:$startIndicesBatchingDims, SH_Dims:$startIndexMap, "int64_t":$indexVectorDim);
}

def SH_ScatterDimensionNumbersAttr : SH_Struct<"ScatterDimensionNumbers", "scatter"> {
  let summary = "Which dimension is which in a scatter";
  let description = "The mirror image of `#stablehlo.gather`: updates take the part of a gather's result.";
  let parameters = (ins SH_Dims:$updateWindowDims, SH_Dims:$insertedWindowDims, SH_Dims:$inputBatchingDims,
                        SH_Dims:$scatterIndicesBatchingDims, SH_Dims:$scatterDimsToOperandDims,
                        "int64_t":$indexVectorDim);
}

def SH_DotDimensionNumbersAttr : SH_Struct<"DotDimensionNumbers", "dot"> {
  let summary = "Batching and contracting dimensions of a dot_general";
  let description = "Dimensions come in pairs: the i-th of the left side goes with the i-th of the right side.";
  let parameters = (ins SH_Dims:$lhsBatchingDimensions, SH_Dims:$rhsBatchingDimensions,
                        SH_Dims:$lhsContractingDimensions, SH_Dims:$rhsContractingDimensions);
}

def SH_DotAlgorithmAttr : SH_Struct<"DotAlgorithm", "dot_algorithm"> {
  let summary = "Which arithmetic a dot_general may use";
  let description = "A hint to the code generator. Types are those of the multiplication and of the accumulation.";
  let parameters = (ins "::mlir::Type":$lhsPrecisionType, "::mlir::Type":$rhsPrecisionType,
                        "::mlir::Type":$accumulationType, "int64_t":$lhsComponentCount, "int64_t":$rhsComponentCount,
                        "int64_t":$numPrimitiveOperations, "bool":$allowImpreciseAccumulation);
}

def SH_ConvDimensionNumbersAttr : SH_Struct<"ConvDimensionNumbers", "conv"> {
  let summary = "Which dimension is which in a convolution";
  let description = [{
    Written as three lists, `#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>`: input, kernel, output. `b` is the batch,
    `f` the feature, `i` and `o` the kernel's input and output feature, a number a spatial dimension. A form with
    named fields, `#stablehlo.conv<raw input_batch_dimension = 0, ...>`, is read as well.

    **Constraints**
    1. Each list names each of its dimensions once, and all three have the same number of spatial dimensions.
  }];
  let parameters = (ins "int64_t":$inputBatchDimension, "int64_t":$inputFeatureDimension,
                        SH_Dims:$inputSpatialDimensions, "int64_t":$kernelInputFeatureDimension,
                        "int64_t":$kernelOutputFeatureDimension, SH_Dims:$kernelSpatialDimensions,
                        "int64_t":$outputBatchDimension, "int64_t":$outputFeatureDimension,
                        SH_Dims:$outputSpatialDimensions);
  let genVerifyDecl = 1;
}

def SH_ChannelHandleAttr : SH_Struct<"ChannelHandle", "channel_handle"> {
  let summary = "Names a channel between devices";
  let description = "Read and kept; nothing in Planwright gives it a meaning.";
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
}

def SH_OutputOperandAliasAttr : SH_Struct<"OutputOperandAlias", "output_operand_alias"> {
  let summary = "Says that a result of a custom call lies where an operand lies";
  let description = "Read and kept; nothing in Planwright gives it a meaning.";
  let parameters = (ins SH_Dims:$outputTupleIndices, "int64_t":$operandIndex, SH_Dims:$operandTupleIndices);
}

def SH_ResultAccuracyAttr : SH_Struct<"ResultAccuracy", "result_accuracy"> {
  let summary = "How accurate an elementwise result has to be";
  let description = "Absolute and relative tolerance, units in the last place, and which of them is meant.";
  let parameters = (ins APFloatParameter<"">:$atol, APFloatParameter<"">:$rtol, "int64_t":$ulps,
                        "::planwright::stablehlo::ResultAccuracyModeAttr":$mode);
}

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_STABLEHLOATTRS_TD
