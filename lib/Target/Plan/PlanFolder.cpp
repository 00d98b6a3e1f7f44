// Writing beside the destination, then one rename.
#include "PlanFolder.h"

#include "planwright/Target/Plan/EmitPlan.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>

using namespace planwright;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

//===----------------------------------------------------------------------===//
// What may be replaced
//===----------------------------------------------------------------------===//

/// The file `name` in `folder`.
static std::string join(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<128> full(folder);
  path::append(full, name);
  return full.str().str();
}

/// Is this the manifest of a plan, of whatever version?
static bool isManifest(llvm::StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return false;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse((*buffer)->getBuffer());
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const llvm::json::Object *manifest = value->getAsObject();
  return manifest && manifest->getInteger("format_version") && manifest->getObject("files");
}

/// Why the folder is not a plan; empty if it is one.
static std::string describeForeign(llvm::StringRef folder) {
  std::string manifest = join(folder, "manifest.json");
  if (!fs::exists(manifest))
    return "has no manifest.json";
  if (!isManifest(manifest))
    return "has a manifest.json that is not a plan's";
  if (!fs::exists(join(folder, "program.fb")))
    return "has no program.fb";
  return "";
}

std::string planwright::checkPlanDestination(llvm::StringRef wanted) {
  static constexpr llvm::StringLiteral kExpected =
      "; expected nothing there, an empty folder or an older plan";
  if (!fs::exists(wanted))
    return "";
  if (!fs::is_directory(wanted))
    return ("will not replace " + wanted + ": it is a file" + kExpected).str();
  std::error_code error;
  bool isEmpty = fs::directory_iterator(wanted, error) == fs::directory_iterator();
  if (error)
    return ("cannot look into " + wanted + ": " + error.message()).str();
  std::string foreign = isEmpty ? "" : describeForeign(wanted);
  if (foreign.empty())
    return "";
  return ("will not replace " + wanted + ": the folder " + foreign + kExpected).str();
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

void PlanFolder::fail(const llvm::Twine &what, std::error_code error) {
  if (problem.empty())
    problem = (what + ": " + error.message()).str();
}

PlanFolder::PlanFolder(llvm::StringRef wanted) { create(wanted); }

void PlanFolder::create(llvm::StringRef wanted) {
  problem = checkPlanDestination(wanted);
  if (!problem.empty())
    return;
  // Absolute, because createUniqueDirectory puts relative names into the system's temporary
  // directory.
  llvm::SmallString<128> full(wanted.rtrim('/'));
  if (std::error_code error = fs::make_absolute(full))
    return fail("cannot find " + wanted, error);
  // Where a link leads to, so that the link stays and the plan behind it is replaced.
  llvm::SmallString<128> real;
  if (!fs::real_path(full, real))
    full = real;
  destination = full.str().str();
  llvm::StringRef parent = path::parent_path(destination);
  if (std::error_code error = fs::create_directories(parent))
    return fail("cannot create " + parent, error);
  llvm::SmallString<128> made;
  if (std::error_code error = fs::createUniqueDirectory(destination + ".new", made))
    return fail("cannot create a folder beside " + destination, error);
  folder = made.str().str();
}

PlanFolder::~PlanFolder() {
  if (!folder.empty())
    fs::remove_directories(folder);
}

std::string PlanFolder::getPath(llvm::StringRef file) {
  llvm::SmallString<128> full(folder);
  path::append(full, file);
  if (std::error_code error = fs::create_directories(path::parent_path(full)))
    fail("cannot create " + path::parent_path(full), error);
  return full.str().str();
}

void PlanFolder::write(llvm::StringRef file, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream os(getPath(file), error);
  if (!error) {
    os << bytes;
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    fail("cannot write " + file + " of " + destination, error);
}

void PlanFolder::moveIntoPlace() {
  if (problem.empty())
    problem = checkPlanDestination(destination); // it may have come while kernels were compiled
  if (!problem.empty())
    return;
  // Exchange is the one way to replace a folder that is not empty without a moment in which there
  // is none.
  if (fs::exists(destination)) {
    if (renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, destination.c_str(), RENAME_EXCHANGE) == 0)
      return; // what was there before is removed with this object
    if (std::error_code error = fs::remove_directories(destination, /*IgnoreErrors=*/false))
      return fail("cannot replace " + destination, error);
  }
  if (std::error_code error = fs::rename(folder, destination))
    return fail("cannot create " + destination, error);
  folder.clear();
}
