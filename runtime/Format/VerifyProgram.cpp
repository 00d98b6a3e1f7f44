// Verification of a program's frame: version, axes, communicators, kernels. Buffers and
// instructions have files of their own.

#include "runtime/Format/Mesh.h"
#include "runtime/Format/Plan.h"
#include "runtime/Format/StatusMacros.h"
#include "runtime/Format/Verify.h"

#include <set>

namespace planwright::rt {

/// More than any machine addresses; keeps sums of offsets far from overflow.
static constexpr uint64_t maxArenaBytes = uint64_t(1) << 47;
static constexpr int64_t maxRanks = 1 << 20;

static absl::Status verifyAxes(const fb::Program &program) {
  std::set<std::string> names;
  int64_t ranks = 1;
  int64_t microBatches = 1;
  if (program.axes())
    for (const fb::Axis *axis : *program.axes()) {
      std::string name = axis->name()->str();
      if (name.empty() || !names.insert(name).second)
        return absl::DataLossError(absl::StrCat("axis \"", name, "\" has no name or has it twice"));
      if (axis->size() < 1 || axis->size() > maxRanks)
        return absl::DataLossError(absl::StrCat("axis \"", name, "\" has size ", axis->size()));
      if (name == "mb")
        microBatches = axis->size();
      else if ((ranks *= axis->size()) > maxRanks)
        return absl::DataLossError("the axes make more than a million ranks");
    }
  if (program.ranks() != ranks)
    return absl::DataLossError(
        absl::StrCat("the axes make ", ranks, " ranks, the program says ", program.ranks()));
  if (program.micro_batches() != microBatches)
    return absl::DataLossError(absl::StrCat("axis \"mb\" has size ", microBatches,
                                            ", the program says ", program.micro_batches()));
  return absl::OkStatus();
}

static absl::Status verifyCommunicators(const fb::Program &program) {
  size_t numAxes = program.axes() ? program.axes()->size() : 0;
  if (!program.communicators())
    return absl::OkStatus();
  for (size_t i = 0; i < program.communicators()->size(); ++i) {
    std::set<uint32_t> seen;
    for (uint32_t axis : toSpan(program.communicators()->Get(i)->axes())) {
      if (axis >= numAxes || !seen.insert(axis).second)
        return absl::DataLossError(
            absl::StrCat("communicator ", i, ": axis ", axis, " does not exist or is named twice"));
      if (program.axes()->Get(axis)->name()->string_view() == "mb")
        return absl::DataLossError(absl::StrCat("communicator ", i, " lies on \"mb\""));
    }
  }
  return absl::OkStatus();
}

/// True for "kernels/host.so"; false for "/lib/x.so", "../x.so", "kernels//../..".
static bool staysInside(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.find('\0') != std::string_view::npos)
    return false;
  for (size_t begin = 0; begin <= path.size();) {
    size_t end = std::min(path.find('/', begin), path.size());
    std::string_view part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..")
      return false;
    begin = end + 1;
  }
  return true;
}

static absl::Status verifyKernels(const fb::Program &program) {
  if (!program.kernels())
    return absl::OkStatus();
  for (const fb::Kernel *kernel : *program.kernels()) {
    if (kernel->symbol()->size() == 0)
      return absl::DataLossError("a kernel has no symbol");
    if (!staysInside({kernel->library()->data(), kernel->library()->size()}))
      return absl::DataLossError(absl::StrCat("kernel ", kernel->symbol()->str(), ": library \"",
                                              kernel->library()->str(),
                                              "\" is not a file inside the plan folder"));
  }
  return absl::OkStatus();
}

absl::Status verifyProgram(const fb::Program &program) {
  if (program.format_version() != programFormatVersion)
    return absl::FailedPreconditionError(absl::StrCat(
        "format version ", program.format_version(), ", but this plan-run reads version ",
        programFormatVersion, "; compile the model again with the plan-opt of this version"));
  if (program.arena_bytes() > maxArenaBytes)
    return absl::DataLossError(absl::StrCat("an arena of ", program.arena_bytes(), " bytes"));
  PLANWRIGHT_RETURN_IF_ERROR(verifyAxes(program));
  PLANWRIGHT_RETURN_IF_ERROR(verifyCommunicators(program));
  PLANWRIGHT_RETURN_IF_ERROR(verifyKernels(program));
  PLANWRIGHT_RETURN_IF_ERROR(verifyArguments(program));
  PLANWRIGHT_RETURN_IF_ERROR(verifyBuffers(program));
  return verifyInstructions(program);
}

} // namespace planwright::rt
