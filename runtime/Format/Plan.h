// A JOB.plan folder in memory: read, hashed and verified. What it says is done elsewhere.
//
//   absl::StatusOr<Plan> plan = Plan::load("gpt2.plan");
//   if (!plan.ok())
//     return plan.status();
//   const fb::Program &program = plan->getProgram();
//
// Everything that comes out of `load` may be believed: indices lie in range and addresses inside
// the arena.

#ifndef PLANWRIGHT_RUNTIME_FORMAT_PLAN_H
#define PLANWRIGHT_RUNTIME_FORMAT_PLAN_H

#include "runtime/Format/Manifest.h"
#include "runtime/Format/program_generated.h"

#include <memory>
#include <vector>

namespace planwright::rt {

/// The format that this runtime reads: Program.format_version.
inline constexpr uint32_t programFormatVersion = 1;

class Plan {
public:
  /// Reads `folder`, checks manifest.json's hash of every file that is used, and verifies the
  /// program.
  static absl::StatusOr<Plan> load(const std::string &folder);

  const fb::Program &getProgram() const { return *program; }
  const Manifest &getManifest() const { return manifest; }
  const std::string &getFolder() const { return folder; }

  /// The manifest's hash of program.fb: equal on ranks that run the same plan.
  const std::string &getHash() const { return hash; }

private:
  std::string folder;
  std::string hash;
  Manifest manifest;
  std::vector<std::byte> bytes;
  const fb::Program *program = nullptr; // Points into `bytes`.
};

/// Verifies the bytes of a program.fb: FlatBuffers' own checks, then everything in Verify.h.
absl::StatusOr<const fb::Program *> parseProgram(std::span<const std::byte> bytes);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_FORMAT_PLAN_H
