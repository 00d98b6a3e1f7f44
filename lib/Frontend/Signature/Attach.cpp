// A signature against a function: does it fit, and the marks on the arguments.
#include "planwright/Frontend/Signature.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace planwright {

Type getDtype(StringRef name, MLIRContext *context) {
  Builder b(context);
  auto integer = [&](unsigned width, bool isSigned) -> Type {
    return IntegerType::get(context, width,
                            isSigned ? IntegerType::Signless : IntegerType::Unsigned);
  };
  return llvm::StringSwitch<Type>(name)
      .Case("bool", b.getI1Type())
      .Case("int8", integer(8, true))
      .Case("int16", integer(16, true))
      .Case("int32", integer(32, true))
      .Case("int64", integer(64, true))
      .Case("uint8", integer(8, false))
      .Case("uint16", integer(16, false))
      .Case("uint32", integer(32, false))
      .Case("uint64", integer(64, false))
      .Case("float16", b.getF16Type())
      .Case("bfloat16", b.getBF16Type())
      .Case("float32", b.getF32Type())
      .Case("float64", b.getF64Type())
      .Default(Type());
}

/// A type as it stands in a graph, without quotes.
static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static bool checkArgument(const Signature &signature, func::FuncOp main, size_t index) {
  const SignatureArgument &argument = signature.arguments[index];
  Type expected =
      RankedTensorType::get(argument.shape, getDtype(argument.dtype, main.getContext()));
  Type found = main.getArgumentTypes()[index];
  if (found == expected)
    return true;
  auto error = emitError(signature.file)
               << "argument '" << argument.name << "' is " << print(found)
               << " in the model, but the signature says " << print(expected);
  error.attachNote(main.getArgument(index).getLoc())
      << "argument " << index << " of the model's entry function is here";
  return false;
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

static Attribute getInitAttr(Builder &b, const Initializer &init) {
  switch (init.kind) {
  case Initializer::Kind::zeros:
    return b.getStringAttr("zeros");
  case Initializer::Kind::ones:
    return b.getStringAttr("ones");
  case Initializer::Kind::normal:
    return b.getF64FloatAttr(init.deviation);
  }
  llvm_unreachable("all kinds are named above");
}

/// The row of an argument in the module's `model.signature`. Behind reading, integers have no sign.
static DictionaryAttr getRow(Builder &b, const SignatureArgument &argument) {
  Type element = getDtype(argument.dtype, b.getContext());
  if (auto integer = dyn_cast<IntegerType>(element))
    element = b.getIntegerType(integer.getWidth());
  NamedAttrList row;
  row.append("name", b.getStringAttr(argument.name));
  row.append("role", b.getStringAttr(model::stringifyRole(argument.role)));
  row.append("type", TypeAttr::get(RankedTensorType::get(argument.shape, element)));
  if (argument.batchDim >= 0)
    row.append("batch_dim", b.getI64IntegerAttr(argument.batchDim));
  if (!argument.trainable)
    row.append("trainable", b.getBoolAttr(false));
  if (argument.init)
    row.append("init", getInitAttr(b, *argument.init));
  if (argument.range)
    row.append("range", b.getDenseI64ArrayAttr({argument.range->low, argument.range->high}));
  if (!argument.from.empty())
    row.append("from", b.getStringAttr(argument.from));
  return row.getDictionary(b.getContext());
}

LogicalResult attachSignature(const Signature &signature, func::FuncOp main) {
  if (signature.arguments.size() != main.getNumArguments()) {
    auto error = emitError(signature.file)
                 << "the signature has " << signature.arguments.size()
                 << " arguments, but the model has " << main.getNumArguments();
    error.attachNote(main.getLoc()) << "the model's entry function is here; frameworks drop "
                                       "arguments that are not used, so write both in one export";
    return failure();
  }
  bool fits = true;
  for (size_t index = 0; index < signature.arguments.size(); ++index)
    fits &= checkArgument(signature, main, index);
  if (!fits)
    return failure();
  Builder b(main.getContext());
  SmallVector<Attribute> rows;
  // All at once: setting them one by one copies the list of all arguments each time.
  SmallVector<DictionaryAttr> argumentAttrs;
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    NamedAttrList attrs(main.getArgAttrDict(index));
    attrs.set(model::kArgumentAttrName,
              model::ArgumentAttr::get(main.getContext(), argument.role, argument.name,
                                       argument.batchDim, argument.trainable));
    argumentAttrs.push_back(attrs.getDictionary(main.getContext()));
    rows.push_back(getRow(b, argument));
  }
  main.setAllArgAttrs(argumentAttrs);
  main->getParentOfType<ModuleOp>()->setAttr(kSignatureAttrName, b.getArrayAttr(rows));
  return success();
}

} // namespace planwright
