// The kernels of a plan as functions. Opened once, closed when the object dies.

#ifndef PLANWRIGHT_RUNTIME_EXECUTOR_KERNELLIBRARIES_H
#define PLANWRIGHT_RUNTIME_EXECUTOR_KERNELLIBRARIES_H

#include "runtime/Device/Device.h"
#include "runtime/Format/program_generated.h"

#include <map>
#include <string>

namespace planwright::rt {

class KernelLibraries {
public:
  /// Opens every library below `folder` that the program's kernels name and finds their symbols.
  static absl::StatusOr<KernelLibraries> open(const fb::Program &program,
                                              const std::string &folder);

  /// Kernels that are part of this program; for benchmarks and fuzzers.
  static KernelLibraries fromFunctions(std::vector<KernelFunction> functions);

  KernelLibraries() = default;
  KernelLibraries(KernelLibraries &&other) noexcept;
  KernelLibraries &operator=(KernelLibraries &&other) noexcept;
  ~KernelLibraries();

  /// The function of kernel `index` of the program.
  KernelFunction getKernel(size_t index) const { return kernels[index]; }

private:
  std::map<std::string, void *> handles;
  std::vector<KernelFunction> kernels;
};

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_EXECUTOR_KERNELLIBRARIES_H
