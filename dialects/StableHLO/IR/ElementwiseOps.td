// Operations that work element by element.
// Not here: anything that moves, combines or counts elements.

#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_ELEMENTWISEOPS_TD
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_ELEMENTWISEOPS_TD

include "dialects/StableHLO/IR/StableHLOAttrs.td"

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

class SH_UnaryOp<string mnemonic, Type type, string what, string formula, list<Trait> traits = [SH_SameType]>
    : SH_Op<mnemonic, !listconcat([Pure], traits)> {
  let summary = what;
  let description = "`result = " # formula # "`, element by element.\n\n"
                    # "**Constraints**\n1. Operand and result have the same type.\n";
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
}

/// A function that has no exact answer in floating point.
class SH_InexactOp<string mnemonic, string what, string formula>
    : SH_UnaryOp<mnemonic, SH_FloatOrComplexTensor, what, formula> {
  let arguments = (ins SH_FloatOrComplexTensor:$operand, OptionalAttr<SH_ResultAccuracyAttr>:$result_accuracy);
}

def SH_CbrtOp : SH_InexactOp<"cbrt", "Cube root", "x ^ (1/3)">;
def SH_CosineOp : SH_InexactOp<"cosine", "Cosine", "cos(x)">;
def SH_ExpOp : SH_InexactOp<"exponential", "Exponential", "e ^ x">;
def SH_Expm1Op : SH_InexactOp<"exponential_minus_one", "Exponential minus one", "e ^ x - 1">;
def SH_LogOp : SH_InexactOp<"log", "Natural logarithm", "ln(x)">;
def SH_Log1pOp : SH_InexactOp<"log_plus_one", "Logarithm of one plus the operand", "ln(1 + x)">;
def SH_LogisticOp : SH_InexactOp<"logistic", "Logistic function", "1 / (1 + e ^ -x)">;
def SH_RsqrtOp : SH_InexactOp<"rsqrt", "Reciprocal of the square root", "1 / sqrt(x)">;
def SH_SineOp : SH_InexactOp<"sine", "Sine", "sin(x)">;
def SH_SqrtOp : SH_InexactOp<"sqrt", "Square root", "sqrt(x)">;
def SH_TanOp : SH_InexactOp<"tan", "Tangent", "tan(x)">;
def SH_TanhOp : SH_InexactOp<"tanh", "Hyperbolic tangent", "tanh(x)">;

def SH_CeilOp : SH_UnaryOp<"ceil", SH_FloatTensor, "Round up", "ceil(x)">;
def SH_FloorOp : SH_UnaryOp<"floor", SH_FloatTensor, "Round down", "floor(x)">;
def SH_RoundOp : SH_UnaryOp<"round_nearest_afz", SH_FloatTensor, "Round, ties away from zero", "round(x)">;
def SH_RoundNearestEvenOp : SH_UnaryOp<"round_nearest_even", SH_FloatTensor, "Round, ties to even", "roundeven(x)">;
def SH_NegOp : SH_UnaryOp<"negate", SH_NumberTensor, "Negation", "-x">;
def SH_SignOp : SH_UnaryOp<"sign", SH_NumberTensor, "Sign", "-1, 0 or 1, with the sign of x">;
def SH_NotOp : SH_UnaryOp<"not", SH_LogicTensor, "Complement of each bit", "~x">;
def SH_ClzOp : SH_UnaryOp<"count_leading_zeros", SH_IntTensor, "Count of leading zero bits", "clz(x)">;
def SH_PopulationCountOp : SH_UnaryOp<"popcnt", SH_IntTensor, "Count of bits that are set", "popcount(x)">;

def SH_AbsOp : SH_UnaryOp<"abs", SH_NumberTensor, "Absolute value", "|x|", [SH_SameShape]> {
  let description = [{
    **Constraints**
    1. The result has the operand's type; that of a complex operand has its real element type.
  }];
  let hasVerifier = 1;
}

class SH_ComplexPartOp<string mnemonic, string what> : SH_UnaryOp<mnemonic, SH_FloatOrComplexTensor, what, what,
                                                                  [SH_SameShape]> {
  let description = [{
    **Constraints**
    1. The result has the operand's shape and real element type.
  }];
  let results = (outs SH_FloatTensor:$result);
  let hasVerifier = 1;
}
def SH_RealOp : SH_ComplexPartOp<"real", "Real part">;
def SH_ImagOp : SH_ComplexPartOp<"imag", "Imaginary part">;

def SH_IsFiniteOp : SH_Op<"is_finite", [Pure, SH_SameShape]> {
  let summary = "Whether an element is neither infinite nor NaN";
  let description = [{
    **Constraints**
    1. Operand and result have the same shape.
  }];
  let arguments = (ins SH_FloatTensor:$x);
  let results = (outs SH_BoolTensor:$y);
}

def SH_ConvertOp : SH_Op<"convert", [Pure, SH_SameShape]> {
  let summary = "Change of element type that keeps the value";
  let description = [{
    Booleans become 0 and 1; a float becomes an integer by rounding towards zero.

    **Constraints**
    1. Operand and result have the same shape.
  }];
  let arguments = (ins SH_Tensor:$operand);
  let results = (outs SH_Tensor:$result);
}

def SH_BitcastConvertOp : SH_Op<"bitcast_convert", [Pure]> {
  let summary = "Change of element type that keeps the bits";
  let description = [{
    **Constraints**
    1. Operand and result hold the same number of bits: of equal width with equal shapes, or the side with the
       narrower element type has one trailing dimension more, of the ratio of the widths.
  }];
  let arguments = (ins SH_Tensor:$operand);
  let results = (outs SH_Tensor:$result);
  let hasVerifier = 1;
}

def SH_ReducePrecisionOp : SH_Op<"reduce_precision", [Pure, SH_SameType]> {
  let summary = "Rounding to a narrower float and back";
  let description = [{
    **Constraints**
    1. `exponent_bits` is at least 1, `mantissa_bits` at least 0.
  }];
  let arguments = (ins SH_FloatTensor:$operand, I32Attr:$exponent_bits, I32Attr:$mantissa_bits);
  let results = (outs SH_FloatTensor:$output);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

class SH_BinaryOp<string mnemonic, Type type, string what, string formula, list<Trait> traits = []>
    : SH_Op<mnemonic, !listconcat([Pure, SH_SameType], traits)> {
  let summary = what;
  let description = "`result = " # formula # "`, element by element.\n\n"
                    # "**Constraints**\n1. Operands and result have the same type.\n";
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
}

def SH_AddOp : SH_BinaryOp<"add", SH_Tensor, "Sum", "lhs + rhs (or, for booleans)", [Commutative]>;
def SH_AndOp : SH_BinaryOp<"and", SH_LogicTensor, "Conjunction of each bit", "lhs & rhs", [Commutative]>;
def SH_Atan2Op : SH_BinaryOp<"atan2", SH_FloatOrComplexTensor, "Angle of a point", "atan2(lhs, rhs)">;
def SH_DivOp : SH_BinaryOp<"divide", SH_NumberTensor, "Quotient", "lhs / rhs, towards zero for integers">;
def SH_MaxOp : SH_BinaryOp<"maximum", SH_Tensor, "Greater of two", "max(lhs, rhs); NaN wins", [Commutative]>;
def SH_MinOp : SH_BinaryOp<"minimum", SH_Tensor, "Lesser of two", "min(lhs, rhs); NaN wins", [Commutative]>;
def SH_MulOp : SH_BinaryOp<"multiply", SH_Tensor, "Product", "lhs * rhs (and, for booleans)", [Commutative]>;
def SH_OrOp : SH_BinaryOp<"or", SH_LogicTensor, "Disjunction of each bit", "lhs | rhs", [Commutative]>;
def SH_PowOp : SH_BinaryOp<"power", SH_NumberTensor, "Power", "lhs ^ rhs">;
def SH_RemOp : SH_BinaryOp<"remainder", SH_NumberTensor, "Remainder", "lhs - rhs * trunc(lhs / rhs)">;
def SH_ShiftLeftOp : SH_BinaryOp<"shift_left", SH_IntTensor, "Shift to the left", "lhs << rhs">;
def SH_ShiftRightArithmeticOp : SH_BinaryOp<"shift_right_arithmetic", SH_IntTensor,
    "Shift to the right that keeps the sign", "lhs >> rhs">;
def SH_ShiftRightLogicalOp : SH_BinaryOp<"shift_right_logical", SH_IntTensor,
    "Shift to the right that fills with zeros", "lhs >> rhs">;
def SH_SubtractOp : SH_BinaryOp<"subtract", SH_NumberTensor, "Difference", "lhs - rhs">;
def SH_XorOp : SH_BinaryOp<"xor", SH_LogicTensor, "Exclusive disjunction of each bit", "lhs ^ rhs", [Commutative]>;

def SH_ComplexOp : SH_Op<"complex", [Pure, SH_SameShape]> {
  let summary = "Complex number from its parts";
  let description = [{
    **Constraints**
    1. Both operands have the result's shape and its real element type.
  }];
  let arguments = (ins SH_FloatTensor:$lhs, SH_FloatTensor:$rhs);
  let results = (outs SH_ComplexTensor:$result);
  let hasVerifier = 1;
}

def SH_CompareOp : SH_Op<"compare", [Pure, SH_SameShape]> {
  let summary = "Comparison of two elements";
  let description = [{
    ```mlir
    %m = stablehlo.compare LT, %a, %b, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    ```

    **Constraints**
    1. Both operands have the same type, the result their shape.
    2. Complex numbers have no order: only EQ and NE compare them.
    3. `compare_type`, where given, suits the element type.
  }];
  let arguments = (ins SH_Tensor:$lhs, SH_Tensor:$rhs, SH_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<SH_ComparisonTypeAttr>:$compare_type);
  let results = (outs SH_BoolTensor:$result);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Three operands
//===----------------------------------------------------------------------===//

def SH_SelectOp : SH_Op<"select", [Pure]> {
  let summary = "One of two elements, by a predicate";
  let description = [{
    **Constraints**
    1. Both branches and the result have the same type.
    2. The predicate is a scalar or has their shape.
  }];
  let arguments = (ins SH_BoolTensor:$pred, SH_Tensor:$on_true, SH_Tensor:$on_false);
  let results = (outs SH_Tensor:$result);
  let hasVerifier = 1;
}

def SH_ClampOp : SH_Op<"clamp", [Pure]> {
  let summary = "Element moved between two bounds";
  let description = [{
    `result = minimum(maximum(operand, min), max)`.

    **Constraints**
    1. Operand and result have the same type.
    2. Each bound has their element type and is a scalar or has their shape.
  }];
  let arguments = (ins SH_Tensor:$min, SH_Tensor:$operand, SH_Tensor:$max);
  let results = (outs SH_Tensor:$result);
  let hasVerifier = 1;
}

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_ELEMENTWISEOPS_TD
