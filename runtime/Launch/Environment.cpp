// One row per launcher.

#include "runtime/Launch/Environment.h"

#include "runtime/Format/StatusMacros.h"

#include "absl/strings/numbers.h"

#include <array>
#include <cstdlib>

namespace planwright::rt {

namespace {

struct LauncherRow {
  const char *name;
  const char *rank;
  const char *size;
  const char *localSize;
};

// In this order: srun and mpirun set RANK for nobody, but torchrun may itself run under Slurm.
constexpr std::array<LauncherRow, 4> launcherTable = {{
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE"},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
    {"Slurm", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_NTASKS_PER_NODE"},
}};

} // namespace

std::optional<std::string> getProcessVariable(const char *name) {
  const char *value = std::getenv(name);
  return value && *value ? std::optional<std::string>(value) : std::nullopt;
}

static absl::StatusOr<int> parse(const char *name, const std::string &value, int low, int high) {
  int number = 0;
  if (!absl::SimpleAtoi(value, &number) || number < low || number > high)
    return absl::InvalidArgumentError(absl::StrCat("environment variable ", name, "=", value,
                                                   " is not a number from ", low, " to ", high));
  return number;
}

std::string getFirstNode(const std::string &nodeList) {
  size_t bracket = nodeList.find('[');
  size_t end = nodeList.find(',');
  if (bracket == std::string::npos || end < bracket)
    return nodeList.substr(0, end);
  size_t stop = nodeList.find_first_of(",-]", bracket + 1);
  return nodeList.substr(0, bracket) + nodeList.substr(bracket + 1, stop - bracket - 1);
}

/// Where rank 0 is. Without MASTER_ADDR only Slurm knows; one machine needs no address.
static absl::Status readMasterAddress(const GetVariable &get, RankEnvironment &environment) {
  if (std::optional<std::string> address = get("MASTER_ADDR")) {
    environment.masterAddress = *address;
    return absl::OkStatus();
  }
  for (const char *name : {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST"})
    if (std::optional<std::string> nodes = get(name); nodes && environment.launcher == "Slurm") {
      environment.masterAddress = getFirstNode(*nodes);
      return absl::OkStatus();
    }
  if (environment.localSize < environment.size && environment.launcher != "Slurm")
    return absl::InvalidArgumentError(absl::StrCat(
        environment.launcher, " started ", environment.size, " ranks, ", environment.localSize,
        " of them here: set MASTER_ADDR to the machine of rank 0 on all of them"));
  return absl::OkStatus();
}

static absl::StatusOr<RankEnvironment> readLauncher(const LauncherRow &row,
                                                    const GetVariable &get) {
  RankEnvironment environment;
  environment.launcher = row.name;
  std::optional<std::string> size = get(row.size);
  if (!size)
    return absl::InvalidArgumentError(
        absl::StrCat("environment variable ", row.rank, " is set, but ", row.size, " is not"));
  PLANWRIGHT_ASSIGN_OR_RETURN(environment.size, parse(row.size, *size, 1, 1 << 20));
  PLANWRIGHT_ASSIGN_OR_RETURN(environment.rank,
                              parse(row.rank, *get(row.rank), 0, environment.size - 1));
  // Absent under a bare RANK/WORLD_SIZE environment: assume one machine, where it only sets the
  // number of threads.
  environment.localSize = environment.size;
  if (std::optional<std::string> local = get(row.localSize))
    if (absl::StatusOr<int> number = parse(row.localSize, *local, 1, 1 << 20); number.ok())
      environment.localSize = std::min(*number, environment.size);
  PLANWRIGHT_RETURN_IF_ERROR(readMasterAddress(get, environment));
  if (std::optional<std::string> port = get("MASTER_PORT")) {
    PLANWRIGHT_ASSIGN_OR_RETURN(environment.masterPort, parse("MASTER_PORT", *port, 1, 65534));
  }
  if (get("TORCHELASTIC_USE_AGENT_STORE") == "True")
    ++environment.masterPort;
  environment.isSupervised = get("PLANWRIGHT_SUPERVISED").has_value();
  if (environment.isSupervised)
    environment.launcher = "plan-run";
  return environment;
}

absl::StatusOr<std::optional<RankEnvironment>> readEnvironment(const GetVariable &get) {
  for (const LauncherRow &row : launcherTable)
    if (get(row.rank)) {
      PLANWRIGHT_ASSIGN_OR_RETURN(RankEnvironment environment, readLauncher(row, get));
      return std::optional(environment);
    }
  return std::optional<RankEnvironment>();
}

absl::StatusOr<RankEnvironment> readMaster(const GetVariable &get) {
  RankEnvironment environment;
  environment.masterPort = 0;
  if (std::optional<std::string> address = get("MASTER_ADDR"))
    environment.masterAddress = *address;
  if (std::optional<std::string> port = get("MASTER_PORT")) {
    PLANWRIGHT_ASSIGN_OR_RETURN(environment.masterPort, parse("MASTER_PORT", *port, 1, 65535));
  }
  return environment;
}

} // namespace planwright::rt
