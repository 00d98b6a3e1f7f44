// The stablehlo dialect itself, and what all of its operations share: types, traits and base classes.
// Not here: any single operation or attribute.

#ifndef PLANWRIGHT_DIALECTS_STABLEHLO_IR_STABLEHLOBASE_TD
#define PLANWRIGHT_DIALECTS_STABLEHLO_IR_STABLEHLOBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def StableHLO_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::planwright::stablehlo";
  let summary = "The part of StableHLO that Planwright reads";
  let description = [{
    Operations, operands and attributes carry the names of the public StableHLO specification. Text is read in its
    pretty form, as JAX prints it, and in its generic form; it is printed in generic form only, for no operation of
    this dialect survives the first stage. All shapes are static.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// The pretty syntax of an operation, out of one table (Syntax.cpp). Operations have no printer of their own.
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef opName) const override;
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def SH_TokenType : TypeDef<StableHLO_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "Orders operations with side effects";
  let description = "Carries no data. Written `!stablehlo.token`.";
}

defvar SH_Widths = [2, 4, 8, 16, 32, 64];
def SH_Bool : TypeAlias<I1, "boolean">;
def SH_Int : AnyTypeOf<[SignlessIntOfWidths<SH_Widths>, UnsignedIntOfWidths<SH_Widths>], "integer">;
def SH_Float : TypeAlias<AnyFloat, "float">;
def SH_Complex : AnyTypeOf<[Complex<F32>, Complex<F64>], "complex">;

def SH_Tensor : StaticShapeTensorOf<[SH_Bool, SH_Int, SH_Float, SH_Complex]>;
def SH_BoolTensor : StaticShapeTensorOf<[SH_Bool]>;
def SH_IntTensor : StaticShapeTensorOf<[SH_Int]>;
def SH_LogicTensor : StaticShapeTensorOf<[SH_Bool, SH_Int]>;
def SH_RealTensor : StaticShapeTensorOf<[SH_Bool, SH_Int, SH_Float]>;
def SH_FloatTensor : StaticShapeTensorOf<[SH_Float]>;
def SH_FloatOrComplexTensor : StaticShapeTensorOf<[SH_Float, SH_Complex]>;
def SH_ComplexTensor : StaticShapeTensorOf<[SH_Complex]>;
def SH_NumberTensor : StaticShapeTensorOf<[SH_Int, SH_Float, SH_Complex]>;

/// What a while loop carries, a tuple holds or a call outside passes.
def SH_TensorOrToken : AnyTypeOf<[SH_Tensor, SH_TokenType, AnyTuple]>;

//===----------------------------------------------------------------------===//
// Traits and operation classes
//===----------------------------------------------------------------------===//

class SH_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::planwright::stablehlo";
}

/// Operands and results all have one type; the message names the first that differs.
def SH_SameType : SH_Trait<"SameType">;
/// Operands and results have one shape; element types are the operation's own business.
def SH_SameShape : SH_Trait<"SameShape">;
/// Each region has one block that ends in `stablehlo.return`.
def SH_Regions : SH_Trait<"ReturningRegions">;

class SH_Op<string mnemonic, list<Trait> traits = []> : Op<StableHLO_Dialect, mnemonic, traits>;

#endif // PLANWRIGHT_DIALECTS_STABLEHLO_IR_STABLEHLOBASE_TD
