// Runs the linker on object files in a temporary folder.
#include "SharedObject.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace planwright::codegen;

namespace {
/// A folder that is removed with all it holds.
class TemporaryFolder {
public:
  TemporaryFolder() { error = sys::fs::createUniqueDirectory("planwright-kernels", path); }
  ~TemporaryFolder() {
    if (!error)
      sys::fs::remove_directories(path);
  }
  std::error_code getError() const { return error; }
  std::string file(const Twine &name) const {
    SmallString<128> full(path);
    sys::path::append(full, name);
    return full.str().str();
  }

private:
  SmallString<128> path;
  std::error_code error;
};
} // namespace

static LogicalResult writeFile(StringRef path, StringRef content, ReportError reportError) {
  std::error_code error;
  raw_fd_ostream stream(path, error);
  if (!error) {
    stream << content;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (!error)
    return success();
  reportError("cannot write " + path + ": " + error.message());
  return failure();
}

/// The linker of our own LLVM, or else the one on the PATH.
static ErrorOr<std::string> findLinker() {
  const StringRef own[] = {PLANWRIGHT_LLVM_TOOLS_DIR};
  ErrorOr<std::string> linker = sys::findProgramByName("ld.lld", own);
  for (StringRef name : {"ld.lld-22", "ld.lld"})
    if (!linker)
      linker = sys::findProgramByName(name);
  return linker;
}

LogicalResult planwright::codegen::linkSharedObject(ArrayRef<std::string> objects, StringRef path,
                                                    ReportError reportError) {
  ErrorOr<std::string> linker = findLinker();
  if (!linker) {
    reportError("no linker: ld.lld (package lld-22) is not on the PATH");
    return failure();
  }
  TemporaryFolder folder;
  if (folder.getError()) {
    reportError("cannot make a temporary folder: " + folder.getError().message());
    return failure();
  }
  // Names go through a file: a command line has limits, and ten thousand kernels are not
  // unthinkable.
  std::string list;
  for (auto [number, object] : llvm::enumerate(objects)) {
    std::string name = folder.file(Twine(number) + ".o");
    if (failed(writeFile(name, object, reportError)))
      return failure();
    list += "\"" + name + "\"\n";
  }
  std::string response = folder.file("objects"), log = folder.file("log");
  if (failed(writeFile(response, list, reportError)))
    return failure();
  std::string files = "@" + response;
  StringRef arguments[] = {*linker, "-shared", "-z", "noexecstack", "--hash-style=gnu",
                           "-o",    path,      files};
  std::optional<StringRef> redirects[] = {std::nullopt, std::nullopt, StringRef(log)};
  std::string message;
  int status = sys::ExecuteAndWait(*linker, arguments, std::nullopt, redirects, 0, 0, &message);
  if (status == 0)
    return success();
  if (auto text = MemoryBuffer::getFile(log))
    message += (*text)->getBuffer();
  reportError("the linker failed on " + path + ": " + message);
  return failure();
}
