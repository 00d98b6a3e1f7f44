// dlopen and dlsym.

#include "runtime/Executor/KernelLibraries.h"

#include "runtime/Format/StatusMacros.h"

#include <dlfcn.h>
#include <filesystem>
#include <utility>

namespace planwright::rt {

static absl::StatusOr<void *> openLibrary(const std::string &folder, const std::string &library) {
  // With a slash in it dlopen takes a path as it is and searches nowhere else.
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(folder, error) / library;
  void *handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return absl::FailedPreconditionError(
        absl::StrCat("cannot open kernel library ", library, ": ", ::dlerror()));
  return handle;
}

absl::StatusOr<KernelLibraries> KernelLibraries::open(const fb::Program &program,
                                                      const std::string &folder) {
  KernelLibraries libraries;
  if (!program.kernels())
    return libraries;
  for (const fb::Kernel *kernel : *program.kernels()) {
    std::string name = kernel->library()->str();
    auto it = libraries.handles.find(name);
    if (it == libraries.handles.end()) {
      PLANWRIGHT_ASSIGN_OR_RETURN(void *handle, openLibrary(folder, name));
      it = libraries.handles.emplace(name, handle).first;
    }
    void *symbol = ::dlsym(it->second, kernel->symbol()->c_str());
    if (!symbol)
      return absl::FailedPreconditionError(
          absl::StrCat(name, " has no kernel ", kernel->symbol()->str()));
    libraries.kernels.push_back(reinterpret_cast<KernelFunction>(symbol));
  }
  return libraries;
}

KernelLibraries KernelLibraries::fromFunctions(std::vector<KernelFunction> functions) {
  KernelLibraries libraries;
  libraries.kernels = std::move(functions);
  return libraries;
}

KernelLibraries::KernelLibraries(KernelLibraries &&other) noexcept { *this = std::move(other); }

KernelLibraries &KernelLibraries::operator=(KernelLibraries &&other) noexcept {
  std::swap(handles, other.handles);
  std::swap(kernels, other.kernels);
  return *this;
}

KernelLibraries::~KernelLibraries() {
  for (auto &[name, handle] : handles)
    ::dlclose(handle);
}

} // namespace planwright::rt
