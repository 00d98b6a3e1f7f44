// Loading of a plan folder.

#include "runtime/Format/Plan.h"

#include "runtime/Format/StatusMacros.h"
#include "runtime/Format/Verify.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

namespace planwright::rt {

/// The file `name` of the plan in `folder`.
static absl::StatusOr<std::vector<std::byte>> readFile(const std::filesystem::path &folder,
                                                       const std::string &name) {
  std::filesystem::path path = folder / name;
  std::error_code error;
  auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    return absl::NotFoundError(absl::StrCat(name, " is missing"));
  if (!std::filesystem::is_regular_file(status))
    return absl::DataLossError(absl::StrCat(
        name, std::filesystem::is_directory(status) ? " is a folder" : " is a pipe or a device",
        ", expected a file"));
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
    return absl::UnavailableError(absl::StrCat("cannot read ", name, ": ", std::strerror(errno)));
  std::vector<std::byte> bytes(static_cast<size_t>(file.tellg()));
  file.seekg(0);
  file.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file)
    return absl::UnavailableError(absl::StrCat("cannot read ", name));
  return bytes;
}

absl::StatusOr<const fb::Program *> parseProgram(std::span<const std::byte> bytes) {
  const auto *data = reinterpret_cast<const uint8_t *>(bytes.data());
  if (bytes.size() < 16 || bytes.size() > FLATBUFFERS_MAX_BUFFER_SIZE ||
      !fb::ProgramBufferHasIdentifier(data))
    return absl::DataLossError("program.fb is not a Planwright program");
  flatbuffers::Verifier verifier(data, bytes.size(), /*max_depth=*/16, /*max_tables=*/100'000'000);
  if (!fb::VerifyProgramBuffer(verifier))
    return absl::DataLossError("program.fb is damaged: its tables leave the file");
  const fb::Program *program = fb::GetProgram(data);
  PLANWRIGHT_RETURN_IF_ERROR(annotate(verifyProgram(*program), "program.fb"));
  return program;
}

/// Every library that a kernel names must be in the folder as the manifest knows it.
static absl::Status checkLibraries(const fb::Program &program, const Manifest &manifest,
                                   const std::filesystem::path &folder) {
  std::set<std::string> libraries;
  if (program.kernels())
    for (const fb::Kernel *kernel : *program.kernels())
      libraries.insert(kernel->library()->str());
  for (const std::string &library : libraries) {
    PLANWRIGHT_ASSIGN_OR_RETURN(std::vector<std::byte> bytes, readFile(folder, library));
    PLANWRIGHT_RETURN_IF_ERROR(checkHash(manifest, library, bytes));
  }
  return absl::OkStatus();
}

static absl::Status loadInto(const std::filesystem::path &folder, Manifest &manifest,
                             std::vector<std::byte> &bytes, const fb::Program *&program) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error))
    return absl::NotFoundError("there is no such plan folder");
  if (!std::filesystem::is_directory(folder, error))
    return absl::InvalidArgumentError("is a file, expected a plan folder");
  PLANWRIGHT_ASSIGN_OR_RETURN(std::vector<std::byte> text, readFile(folder, "manifest.json"));
  PLANWRIGHT_ASSIGN_OR_RETURN(
      manifest, parseManifest({reinterpret_cast<const char *>(text.data()), text.size()}));
  PLANWRIGHT_ASSIGN_OR_RETURN(bytes, readFile(folder, "program.fb"));
  PLANWRIGHT_RETURN_IF_ERROR(checkHash(manifest, "program.fb", bytes));
  PLANWRIGHT_ASSIGN_OR_RETURN(program, parseProgram(bytes));
  return checkLibraries(*program, manifest, folder);
}

absl::StatusOr<Plan> Plan::load(const std::string &folder) {
  Plan plan;
  plan.folder = folder;
  PLANWRIGHT_RETURN_IF_ERROR(
      annotate(loadInto(folder, plan.manifest, plan.bytes, plan.program), folder));
  plan.hash = plan.manifest.files["program.fb"];
  return plan;
}

} // namespace planwright::rt
