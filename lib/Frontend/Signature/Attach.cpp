// A signature against a function: does it fit, and the marks on the arguments.
#include "planwright/Frontend/Signature.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace planwright {

StringRef getDtypeName(Type elementType) {
  if (auto floatType = dyn_cast<FloatType>(elementType)) {
    if (floatType.isBF16())
      return "bfloat16";
    return floatType.isF16()   ? "float16"
           : floatType.isF32() ? "float32"
           : floatType.isF64() ? "float64"
                               : "";
  }
  auto integer = dyn_cast<IntegerType>(elementType);
  if (!integer)
    return "";
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return "bool";
  case 8:
    return isUnsigned ? "uint8" : "int8";
  case 16:
    return isUnsigned ? "uint16" : "int16";
  case 32:
    return isUnsigned ? "uint32" : "int32";
  case 64:
    return isUnsigned ? "uint64" : "int64";
  default:
    return "";
  }
}

static std::string formatShape(ArrayRef<int64_t> shape) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(shape, os);
  os << "]";
  return text;
}

/// The start of every message about one argument.
static InFlightDiagnostic emitArgumentError(const Signature &signature, func::FuncOp main,
                                            size_t index) {
  return emitError(main.getArgument(index).getLoc())
         << signature.file << ": argument " << index << " (" << signature.arguments[index].name
         << ") ";
}

static bool checkArgument(const Signature &signature, func::FuncOp main, size_t index) {
  const SignatureArgument &argument = signature.arguments[index];
  auto type = dyn_cast<RankedTensorType>(main.getArgumentTypes()[index]);
  if (!type) {
    emitArgumentError(signature, main, index)
        << "is not a tensor in the graph but " << main.getArgumentTypes()[index];
    return false;
  }
  bool fits = true;
  if (type.getShape() != ArrayRef(argument.shape)) {
    emitArgumentError(signature, main, index)
        << "has shape " << formatShape(argument.shape) << " here and "
        << formatShape(type.getShape()) << " in the graph";
    fits = false;
  }
  if (getDtypeName(type.getElementType()) != argument.dtype) {
    emitArgumentError(signature, main, index)
        << "has dtype " << argument.dtype << " here and "
        << getDtypeName(type.getElementType()) << " in the graph";
    fits = false;
  }
  return fits;
}

static Attribute getInitAttr(Builder &b, const Initializer &init) {
  switch (init.kind) {
  case Initializer::Kind::zeros:
    return b.getStringAttr("zeros");
  case Initializer::Kind::ones:
    return b.getStringAttr("ones");
  case Initializer::Kind::normal:
    return b.getDictionaryAttr(b.getNamedAttr("normal", b.getF64FloatAttr(init.deviation)));
  }
  llvm_unreachable("all kinds are named above");
}

static void markArgument(const SignatureArgument &argument, func::FuncOp main, size_t index) {
  Builder b(main.getContext());
  main.setArgAttr(index, model::kArgumentAttrName,
                  model::ArgumentAttr::get(main.getContext(), argument.role, argument.name,
                                           argument.batchDim, argument.trainable));
  if (argument.init)
    main.setArgAttr(index, "model.init", getInitAttr(b, *argument.init));
  if (argument.range)
    main.setArgAttr(index, "model.range",
                    b.getDenseI64ArrayAttr({argument.range->low, argument.range->high}));
  if (!argument.from.empty())
    main.setArgAttr(index, "model.from", b.getStringAttr(argument.from));
}

LogicalResult attachSignature(const Signature &signature, func::FuncOp main) {
  if (signature.arguments.size() != main.getNumArguments())
    return main.emitError("@main has ")
           << main.getNumArguments() << " arguments, but " << signature.file << " describes "
           << signature.arguments.size()
           << "; frameworks drop arguments that are not used, so write both in one export";
  bool fits = true;
  for (size_t index = 0; index < signature.arguments.size(); ++index)
    fits &= checkArgument(signature, main, index);
  if (!fits)
    return failure();
  for (auto [index, argument] : llvm::enumerate(signature.arguments))
    markArgument(argument, main, index);
  return success();
}

} // namespace planwright
