// Reading fields of JSON objects.
#include "Fields.h"

namespace planwright {

bool Fields::isPresent(llvm::StringRef key) const {
  const llvm::json::Value *value = object.get(key);
  return value && value->kind() != llvm::json::Value::Null;
}

void Fields::fail(const llvm::Twine &message) {
  failed = true;
  mlir::emitError(file) << where << ": " << message.str();
}

template <typename T>
std::optional<T> Fields::require(llvm::StringRef key, llvm::StringRef what,
                                 std::optional<T> value) {
  if (value)
    return value;
  if (!isPresent(key)) {
    fail("needs a '" + key + "', " + what);
    return std::nullopt;
  }
  std::string found;
  llvm::raw_string_ostream(found) << *object.get(key);
  fail("'" + key + "' is " + found + ", expected " + what);
  return std::nullopt;
}

std::optional<std::string> Fields::getString(llvm::StringRef key) {
  std::optional<llvm::StringRef> text = object.getString(key);
  return require<std::string>(key, "a string", text ? std::optional(text->str()) : std::nullopt);
}

std::optional<int64_t> Fields::getInteger(llvm::StringRef key) {
  return require<int64_t>(key, "an integer", object.getInteger(key));
}

std::optional<bool> Fields::getBoolean(llvm::StringRef key) {
  return require<bool>(key, "true or false", object.getBoolean(key));
}

std::optional<std::vector<int64_t>> Fields::getIntegers(llvm::StringRef key) {
  std::optional<std::vector<int64_t>> numbers;
  if (const llvm::json::Array *array = object.getArray(key)) {
    numbers.emplace();
    for (const llvm::json::Value &value : *array) {
      std::optional<int64_t> number = value.getAsInteger();
      if (!number) {
        numbers.reset();
        break;
      }
      numbers->push_back(*number);
    }
  }
  return require(key, "a list of integers", std::move(numbers));
}

} // namespace planwright
