// Runs the linker on object files in a temporary folder.
#include "SharedObject.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <unistd.h>

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

/// Makes sure that a file of `bytes` fits at `path`; none is left there. The linker writes through
/// a mapping, where a full disk is a bus error.
static LogicalResult checkSpace(StringRef path, size_t bytes, ReportError reportError) {
  int file = -1;
  std::error_code error = sys::fs::openFileForWrite(path, file);
  if (!error) {
    error = std::error_code(::posix_fallocate(file, 0, bytes), std::generic_category());
    ::close(file);
    sys::fs::remove(path);
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
  constexpr size_t kHeaderBytes = 1 << 14; // tables that no object has, padding to pages
  size_t bytes = kHeaderBytes;
  for (auto [number, object] : llvm::enumerate(objects)) {
    std::string name = folder.file(Twine(number) + ".o");
    if (failed(writeFile(name, object, reportError)))
      return failure();
    list += "\"" + name + "\"\n";
    bytes += object.size();
  }
  std::string response = folder.file("objects"), log = folder.file("log");
  if (failed(writeFile(response, list, reportError)) ||
      failed(checkSpace(path, bytes, reportError)))
    return failure();
  std::string files = "@" + response;
  StringRef arguments[] = {*linker, "-shared", "-z", "noexecstack", "--hash-style=gnu",
                           "-o",    path,      files};
  std::optional<StringRef> redirects[] = {std::nullopt, std::nullopt, StringRef(log)};
  std::string message;
  int status = sys::ExecuteAndWait(*linker, arguments, std::nullopt, redirects, 0, 0, &message);
  if (status == 0)
    return success();
  // A signal left its name in the message, and in the log a stack that says nothing of ours.
  if (auto text = MemoryBuffer::getFile(log); text && message.empty())
    message += (*text)->getBuffer().rtrim();
  reportError("the linker failed on " + path + ": " + message);
  return failure();
}
