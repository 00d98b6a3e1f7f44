// Which rank are we, according to whoever started us? Environment variables are read here and
// nowhere else.

#ifndef PLANWRIGHT_RUNTIME_LAUNCH_ENVIRONMENT_H
#define PLANWRIGHT_RUNTIME_LAUNCH_ENVIRONMENT_H

#include "absl/status/statusor.h"

#include <functional>
#include <optional>
#include <string>

namespace planwright::rt {

struct RankEnvironment {
  std::string launcher; // "torchrun", "Open MPI", ...; "plan-run" for our own supervisor.
  int rank = 0;
  int size = 1;
  int localSize = 1; // Ranks on this machine.
  std::string masterAddress = "127.0.0.1";
  int masterPort = 29500;
  bool isSupervised = false; // The store's server lives in our supervisor.
};

/// Looks up one variable.
using GetVariable = std::function<std::optional<std::string>(const char *name)>;

/// The variables of this process.
std::optional<std::string> getProcessVariable(const char *name);

/// Nothing if no launcher started us.
///
/// | launcher | rank, size, ranks here | rank 0's machine |
/// |---|---|---|
/// | torchrun | RANK, WORLD_SIZE, LOCAL_WORLD_SIZE | MASTER_ADDR, MASTER_PORT (+ 1 where torchrun's
/// own store has that port) | | Open MPI | OMPI_COMM_WORLD_RANK, _SIZE, _LOCAL_SIZE | MASTER_ADDR,
/// MASTER_PORT | | MPICH | PMI_RANK, PMI_SIZE, MPI_LOCALNRANKS | MASTER_ADDR, MASTER_PORT | | Slurm
/// | SLURM_PROCID, SLURM_NTASKS, SLURM_NTASKS_PER_NODE | MASTER_ADDR or the first node of the job,
/// MASTER_PORT |
absl::StatusOr<std::optional<RankEnvironment>> readEnvironment(const GetVariable &get);

/// MASTER_ADDR and MASTER_PORT for the supervisor: loopback and any free port (0) unless given.
absl::StatusOr<RankEnvironment> readMaster(const GetVariable &get);

/// "node" of "node[03-07,11]" as "node03"; the first of "a,b".
std::string getFirstNode(const std::string &nodeList);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_LAUNCH_ENVIRONMENT_H
