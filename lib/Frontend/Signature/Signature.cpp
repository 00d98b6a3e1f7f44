// From signature.json to a Signature.
// Not here: comparing it with a function (Attach.cpp).
#include "Fields.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace planwright {

//===----------------------------------------------------------------------===//
// Fields of an argument
//===----------------------------------------------------------------------===//

static void readRole(Fields &fields, SignatureArgument &argument) {
  std::optional<std::string> text = fields.getString("role");
  if (!text)
    return;
  std::optional<model::Role> role = model::symbolizeRole(*text);
  if (!role)
    return fields.fail("'role' is '" + *text + "', expected parameter, input, label or constant");
  argument.role = *role;
}

static void readShape(Fields &fields, SignatureArgument &argument) {
  std::optional<std::vector<int64_t>> shape = fields.getIntegers("shape");
  if (!shape)
    return;
  if (llvm::any_of(*shape, [](int64_t size) { return size < 0; }))
    return fields.fail("'shape' has a negative size");
  argument.shape = std::move(*shape);
}

static void readDtype(Fields &fields, SignatureArgument &argument) {
  std::optional<std::string> dtype = fields.getString("dtype");
  if (!dtype)
    return;
  argument.dtype = std::move(*dtype);
  if (!getDtype(argument.dtype, fields.getContext()))
    fields.fail("'dtype' is '" + argument.dtype +
                "', expected a name of numpy such as float32, bfloat16, int32, uint8 or bool");
}

static bool mayHaveBatch(model::Role role) {
  return role == model::Role::input || role == model::Role::label;
}

static void readBatchDim(Fields &fields, SignatureArgument &argument) {
  if (!fields.has("batch_dim"))
    return;
  std::optional<int64_t> dim = fields.getInteger("batch_dim");
  if (!dim)
    return;
  int64_t rank = argument.shape.size();
  if (*dim < 0 || *dim >= rank)
    return fields.fail("'batch_dim' must be null or a dimension below " + Twine(rank));
  if (!mayHaveBatch(argument.role))
    return fields.fail("has a 'batch_dim', but only inputs and labels count examples");
  argument.batchDim = *dim;
}

static void readTrainable(Fields &fields, SignatureArgument &argument) {
  if (!fields.has("trainable"))
    return;
  std::optional<bool> trainable = fields.getBoolean("trainable");
  if (!trainable)
    return;
  if (argument.role != model::Role::parameter)
    return fields.fail("has a 'trainable', but only parameters are trained");
  argument.trainable = *trainable;
}

/// "zeros", "ones" or {"normal": deviation}.
static void readInit(Fields &fields, SignatureArgument &argument) {
  if (!fields.has("init"))
    return;
  const llvm::json::Value &value = *fields.getAny("init");
  if (value.getAsString() == "zeros")
    argument.init = Initializer{Initializer::Kind::zeros};
  else if (value.getAsString() == "ones")
    argument.init = Initializer{Initializer::Kind::ones};
  else if (const llvm::json::Object *object = value.getAsObject())
    if (std::optional<double> deviation = object->getNumber("normal"); deviation && *deviation >= 0)
      argument.init = Initializer{Initializer::Kind::normal, *deviation};
  if (!argument.init)
    fields.fail("'init' must be \"zeros\", \"ones\" or {\"normal\": standard deviation}");
}

static void readRange(Fields &fields, SignatureArgument &argument) {
  if (!fields.has("range"))
    return;
  std::optional<std::vector<int64_t>> range = fields.getIntegers("range");
  if (!range)
    return;
  if (range->size() != 2 || (*range)[0] >= (*range)[1])
    return fields.fail("'range' must be [lowest value, one past the highest]");
  argument.range = InputRange{(*range)[0], (*range)[1]};
}

static void readFrom(Fields &fields, SignatureArgument &argument) {
  if (!fields.has("from"))
    return;
  std::optional<std::string> from = fields.getString("from");
  if (!from)
    return;
  if (*from != "tokens" && *from != "next_tokens")
    return fields.fail("'from' is '" + *from + "', expected tokens or next_tokens");
  argument.from = std::move(*from);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

namespace {

/// Reads all arguments, and goes on after an error, so that one run says everything.
class Reader {
public:
  explicit Reader(Location file) : signature{file, {}} {}

  FailureOr<Signature> read(const llvm::json::Array &arguments) {
    signature.arguments.resize(arguments.size());
    present.assign(arguments.size(), false);
    for (auto [position, value] : llvm::enumerate(arguments)) {
      std::string where = "argument " + std::to_string(position);
      if (const llvm::json::Object *object = value.getAsObject())
        readArgument(Fields(*object, where, signature.file), position);
      else
        fail() << where << " is not an object";
    }
    if (hasFailed)
      return failure();
    checkNames();
    if (hasFailed)
      return failure();
    return std::move(signature);
  }

private:
  InFlightDiagnostic fail() {
    hasFailed = true;
    return emitError(signature.file);
  }

  void readArgument(Fields fields, size_t position) {
    SignatureArgument argument;
    if (std::optional<std::string> name = fields.getString("name")) {
      if (name->empty())
        fields.fail("'name' is empty");
      else
        fields.setWhere("argument '" + *name + "'");
      argument.name = std::move(*name);
    }
    for (auto read : {readRole, readShape, readDtype, readBatchDim, readTrainable, readInit,
                      readRange, readFrom})
      read(fields, argument);
    place(fields, position, std::move(argument));
    hasFailed |= fields.hasFailed();
  }

  /// By its index, where there is one: arguments may come in any order.
  void place(Fields &fields, size_t position, SignatureArgument argument) {
    int64_t index = position;
    if (fields.has("index")) {
      std::optional<int64_t> given = fields.getInteger("index");
      if (!given)
        return;
      index = *given;
    }
    if (index < 0 || index >= static_cast<int64_t>(present.size()))
      return fields.fail("'index' is " + Twine(index) + ", but there are " + Twine(present.size()) +
                         " arguments");
    if (present[index])
      return fields.fail("'index' " + Twine(index) + " stands twice");
    present[index] = true;
    signature.arguments[index] = std::move(argument);
  }

  void checkNames() {
    llvm::StringMap<size_t> seen;
    for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
      auto [first, isNew] = seen.try_emplace(argument.name, index);
      if (!isNew)
        fail() << "arguments " << first->second << " and " << index << " are both named '"
               << argument.name << "'";
    }
  }

  Signature signature;
  std::vector<bool> present;
  bool hasFailed = false;
};

} // namespace

/// The parser calls itself for each level: text that nests deeper than any signature is refused
/// before it is called.
static bool nestsTooDeep(StringRef text) {
  constexpr int kMaxDepth = 64;
  int depth = 0;
  for (char c : text) {
    if ((c == '[' || c == '{') && ++depth > kMaxDepth)
      return true;
    if (c == ']' || c == '}')
      --depth;
  }
  return false;
}

FailureOr<Signature> parseSignature(llvm::MemoryBufferRef buffer, MLIRContext &context) {
  auto locate = [&](unsigned line) -> Location {
    return FileLineColLoc::get(&context, buffer.getBufferIdentifier(), line, 1);
  };
  if (nestsTooDeep(buffer.getBuffer()))
    return emitError(locate(1), "nests deeper than a signature can");
  llvm::Expected<llvm::json::Value> root = llvm::json::parse(buffer.getBuffer());
  if (!root)
    return emitError(locate(1), "not JSON: ") << llvm::toString(root.takeError());
  const llvm::json::Object *object = root->getAsObject();
  const llvm::json::Array *arguments = object ? object->getArray("arguments") : nullptr;
  if (!arguments)
    return emitError(locate(1), "needs a list 'arguments' at its top level");
  return Reader(locate(1)).read(*arguments);
}

FailureOr<Signature> readSignature(StringRef path, MLIRContext &context) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return emitError(UnknownLoc::get(&context), "cannot read the signature ")
           << path << ": " << buffer.getError().message();
  return parseSignature((*buffer)->getMemBufferRef(), context);
}

} // namespace planwright
