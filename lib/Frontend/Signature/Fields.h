// Reading fields of JSON objects, with messages that say where and what was expected.
#ifndef PLANWRIGHT_LIB_FRONTEND_SIGNATURE_FIELDS_H
#define PLANWRIGHT_LIB_FRONTEND_SIGNATURE_FIELDS_H

#include "planwright/Frontend/Signature.h"

#include "llvm/Support/JSON.h"

namespace planwright {

/// An object of the file, how it is called in messages, and whether anything about it was wrong.
class Fields {
public:
  Fields(const llvm::json::Object &object, std::string where, mlir::Location file)
      : object(object), where(std::move(where)), file(file) {}

  mlir::MLIRContext *getContext() const { return file.getContext(); }
  bool hasFailed() const { return failed; }
  bool has(llvm::StringRef key) const { return isPresent(key); }
  void setWhere(std::string text) { where = std::move(text); }

  std::optional<std::string> getString(llvm::StringRef key);
  std::optional<int64_t> getInteger(llvm::StringRef key);
  std::optional<bool> getBoolean(llvm::StringRef key);
  std::optional<std::vector<int64_t>> getIntegers(llvm::StringRef key);
  const llvm::json::Value *getAny(llvm::StringRef key) const { return object.get(key); }

  /// An error about this object.
  void fail(const llvm::Twine &message);

private:
  bool isPresent(llvm::StringRef key) const;
  template <typename T>
  std::optional<T> require(llvm::StringRef key, llvm::StringRef what, std::optional<T> value);

  const llvm::json::Object &object;
  std::string where;
  mlir::Location file;
  bool failed = false;
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_FRONTEND_SIGNATURE_FIELDS_H
