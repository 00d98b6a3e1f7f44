// The chlo dialect: functions that JAX prints beside StableHLO because StableHLO has no single word for them.
// Shares types and traits with stablehlo and nothing else.

#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_CHLO_TD
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_CHLO_TD

include "dialects/StableHLO/IR/StableHLOAttrs.td"

def Chlo_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::planwright::chlo";
  let summary = "The part of CHLO that Planwright reads";
  let description = [{
    Read in pretty form (`chlo.erf %x : tensor<4xf32> -> tensor<4xf32>`) and in generic form, printed in generic form
    only, and gone after the first stage.
  }];
  let dependentDialects = ["::planwright::stablehlo::StableHLODialect"];
  let extraClassDeclaration = [{
    /// The pretty syntax of an operation. Operations have no printer of their own.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef opName) const override;
  }];
}

class Chlo_Op<string mnemonic, list<Trait> traits = []> : Op<Chlo_Dialect, mnemonic, !listconcat([Pure], traits)>;

//===----------------------------------------------------------------------===//
// Functions of one element
//===----------------------------------------------------------------------===//

class Chlo_UnaryOp<string mnemonic, string what, string formula, Type type = SH_FloatOrComplexTensor>
    : Chlo_Op<mnemonic, [SH_SameType]> {
  let summary = what;
  let description = "`result = " # formula # "`, element by element.\n\n"
                    # "**Constraints**\n1. Operand and result have the same type.\n";
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
}

def Chlo_AcosOp : Chlo_UnaryOp<"acos", "Arc cosine", "acos(x)">;
def Chlo_AcoshOp : Chlo_UnaryOp<"acosh", "Inverse hyperbolic cosine", "acosh(x)">;
def Chlo_AsinOp : Chlo_UnaryOp<"asin", "Arc sine", "asin(x)">;
def Chlo_AsinhOp : Chlo_UnaryOp<"asinh", "Inverse hyperbolic sine", "asinh(x)">;
def Chlo_AtanOp : Chlo_UnaryOp<"atan", "Arc tangent", "atan(x)">;
def Chlo_AtanhOp : Chlo_UnaryOp<"atanh", "Inverse hyperbolic tangent", "atanh(x)">;
def Chlo_BesselI1eOp : Chlo_UnaryOp<"bessel_i1e", "Scaled Bessel function of order one", "e ^ -|x| * I1(x)">;
def Chlo_ConjOp : Chlo_UnaryOp<"conj", "Complex conjugate", "conj(x)">;
def Chlo_CoshOp : Chlo_UnaryOp<"cosh", "Hyperbolic cosine", "cosh(x)">;
def Chlo_DigammaOp : Chlo_UnaryOp<"digamma", "Derivative of lgamma", "digamma(x)", SH_FloatTensor>;
def Chlo_ErfOp : Chlo_UnaryOp<"erf", "Error function", "erf(x)", SH_FloatTensor>;
def Chlo_ErfInvOp : Chlo_UnaryOp<"erf_inv", "Inverse of the error function", "erf_inv(x)", SH_FloatTensor>;
def Chlo_ErfcOp : Chlo_UnaryOp<"erfc", "One minus the error function", "1 - erf(x)", SH_FloatTensor>;
def Chlo_LgammaOp : Chlo_UnaryOp<"lgamma", "Logarithm of the gamma function", "ln(|gamma(x)|)", SH_FloatTensor>;
def Chlo_SinhOp : Chlo_UnaryOp<"sinh", "Hyperbolic sine", "sinh(x)">;
def Chlo_SquareOp : Chlo_UnaryOp<"square", "Square", "x * x", SH_NumberTensor>;
def Chlo_TanOp : Chlo_UnaryOp<"tan", "Tangent", "tan(x)">;

class Chlo_PredicateOp<string mnemonic, string what> : Chlo_Op<mnemonic, [SH_SameShape]> {
  let summary = what;
  let description = [{
    **Constraints**
    1. Operand and result have the same shape.
  }];
  let arguments = (ins SH_FloatTensor:$operand);
  let results = (outs SH_BoolTensor:$result);
}

def Chlo_IsInfOp : Chlo_PredicateOp<"is_inf", "Whether an element is infinite">;
def Chlo_IsNegInfOp : Chlo_PredicateOp<"is_neg_inf", "Whether an element is minus infinity">;
def Chlo_IsPosInfOp : Chlo_PredicateOp<"is_pos_inf", "Whether an element is plus infinity">;

//===----------------------------------------------------------------------===//
// Functions of two elements
//===----------------------------------------------------------------------===//

class Chlo_BinaryOp<string mnemonic, string left, string right, string what, string formula>
    : Chlo_Op<mnemonic, [SH_SameType]> {
  let summary = what;
  let description = "`result = " # formula # "`, element by element.\n\n"
                    # "**Constraints**\n1. Operands and result have the same type.\n";
  let arguments = !dag(ins, [SH_FloatTensor, SH_FloatTensor], [left, right]);
  let results = (outs SH_FloatTensor:$result);
}

def Chlo_NextAfterOp : Chlo_BinaryOp<"next_after", "x", "y", "Next float in a direction", "nextafter(x, y)">;
def Chlo_PolygammaOp : Chlo_BinaryOp<"polygamma", "n", "x", "Polygamma function", "polygamma(n, x)">;
def Chlo_ZetaOp : Chlo_BinaryOp<"zeta", "x", "q", "Hurwitz zeta function", "zeta(x, q)">;

/// The shorter shape is aligned with the end of the longer one, as numpy does.
class Chlo_BroadcastBinaryOp<string mnemonic> : Chlo_Op<mnemonic> {
  let summary = "stablehlo's operation of the same name on shapes that are broadcast";
  let description = "Read so that it can be reported. JAX broadcasts before it prints.";
  let arguments = (ins SH_Tensor:$lhs, SH_Tensor:$rhs, OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions);
  let results = (outs SH_Tensor:$result);
}

def Chlo_BroadcastAddOp : Chlo_BroadcastBinaryOp<"broadcast_add">;
def Chlo_BroadcastAndOp : Chlo_BroadcastBinaryOp<"broadcast_and">;
def Chlo_BroadcastDivOp : Chlo_BroadcastBinaryOp<"broadcast_divide">;
def Chlo_BroadcastMaxOp : Chlo_BroadcastBinaryOp<"broadcast_maximum">;
def Chlo_BroadcastMinOp : Chlo_BroadcastBinaryOp<"broadcast_minimum">;
def Chlo_BroadcastMulOp : Chlo_BroadcastBinaryOp<"broadcast_multiply">;
def Chlo_BroadcastOrOp : Chlo_BroadcastBinaryOp<"broadcast_or">;
def Chlo_BroadcastPowOp : Chlo_BroadcastBinaryOp<"broadcast_power">;
def Chlo_BroadcastSubOp : Chlo_BroadcastBinaryOp<"broadcast_subtract">;

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

def Chlo_ConstantOp : Chlo_Op<"constant", [ConstantLike]> {
  let summary = "Literal tensor";
  let description = [{
    **Constraints**
    1. The value's type is the result's.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs SH_Tensor:$output);
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Chlo_TopKOp : Chlo_Op<"top_k"> {
  let summary = "The k largest elements along the last dimension, and where they stand";
  let description = [{
    ```mlir
    %values, %indices = chlo.top_k(%x, k = 2) : tensor<8x4xf32> -> (tensor<8x2xf32>, tensor<8x2xi32>)
    ```

    **Constraints**
    1. The operand has at least one dimension, and `k` is between 0 and the size of the last.
    2. Values and indices have the operand's shape but for the last dimension, which is `k`; values have its element
       type.
  }];
  let arguments = (ins SH_RealTensor:$operand, I64Attr:$k);
  let results = (outs SH_RealTensor:$values, SH_IntTensor:$indices);
  let hasVerifier = 1;
}

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_CHLO_TD
