// Writing beside the destination, then one rename.
#include "PlanFolder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>

using namespace planwright;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

void PlanFolder::fail(const llvm::Twine &what, std::error_code error) {
  if (problem.empty())
    problem = (what + ": " + error.message()).str();
}

PlanFolder::PlanFolder(llvm::StringRef wanted) { create(wanted); }

void PlanFolder::create(llvm::StringRef wanted) {
  // Absolute, because createUniqueDirectory puts relative names into the system's temporary
  // directory.
  llvm::SmallString<128> full(wanted.rtrim('/'));
  if (std::error_code error = fs::make_absolute(full))
    return fail("cannot find " + wanted, error);
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
    fail("cannot write " + file, error);
}

void PlanFolder::moveIntoPlace() {
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
