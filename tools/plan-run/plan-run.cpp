// The command line of plan-run. What the flags mean is done in runtime/Launch.

#include "Flags.h"

#include "runtime/Launch/Run.h"
#include "runtime/Launch/Threads.h"

#include "absl/flags/flag.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

ABSL_FLAG(std::string, weights, "",
          "safetensors file with every parameter and constant of the model");
ABSL_FLAG(std::string, init, "",
          "\"random\": parameters by the signature's rules instead of --weights");
ABSL_FLAG(uint64_t, seed, 0, "seed of --init random");
ABSL_FLAG(std::string, data, "", ".bin token file, or .safetensors file with batch<k>/<argument>");
ABSL_FLAG(std::string, token_type, "auto", "tokens in a .bin file: auto, uint16 or uint32");
ABSL_FLAG(int64_t, steps, 1, "number of steps");
ABSL_FLAG(std::string, metrics, "", "file to write one JSON object a step to");
ABSL_FLAG(std::string, save_weights, "",
          "safetensors file to write the full weights to at the end");
ABSL_FLAG(std::string, save_gradients, "",
          "safetensors file to write the gradients of the step to (with --steps 1)");
ABSL_FLAG(bool, profile, false, "print time, FLOP/s and bytes/s per kernel family at the end");
ABSL_FLAG(std::string, trace, "", "file to write a Perfetto timeline of all ranks to");
ABSL_FLAG(int, threads, 0, "threads per rank; 0: the machine's cores divided by its ranks");
ABSL_FLAG(std::string, listen, "", "address of this machine for the other ranks");
ABSL_FLAG(int, join_timeout, 60, "seconds that ranks may take to arrive");
ABSL_FLAG(
    double, stall_seconds, 5,
    "report a rank that is in one instruction for this long, and ten times the predicted time; "
    "0: never");
ABSL_FLAG(bool, in_process, false, "run all ranks as threads of this process");
ABSL_FLAG(bool, quiet, false, "print nothing but errors");

using planwright::rt::RunOptions;
using planwright::rt::TokenType;

static int usageError(const std::string &message) {
  std::fprintf(stderr, "plan-run: %s; see plan-run --help\n", message.c_str());
  return 2;
}

static bool parseTokenType(const std::string &text, TokenType &type) {
  if (text == "auto")
    type = TokenType::Auto;
  else if (text == "uint16")
    type = TokenType::Uint16;
  else if (text == "uint32")
    type = TokenType::Uint32;
  else
    return false;
  return true;
}

static RunOptions getOptions() {
  RunOptions options;
  options.weights = absl::GetFlag(FLAGS_weights);
  options.initRandom = absl::GetFlag(FLAGS_init) == "random";
  options.seed = absl::GetFlag(FLAGS_seed);
  options.data = absl::GetFlag(FLAGS_data);
  options.steps = absl::GetFlag(FLAGS_steps);
  options.metrics = absl::GetFlag(FLAGS_metrics);
  options.saveWeights = absl::GetFlag(FLAGS_save_weights);
  options.saveGradients = absl::GetFlag(FLAGS_save_gradients);
  options.profile = absl::GetFlag(FLAGS_profile);
  options.trace = absl::GetFlag(FLAGS_trace);
  options.threads = absl::GetFlag(FLAGS_threads);
  options.listen = absl::GetFlag(FLAGS_listen);
  options.joinTimeoutSeconds = absl::GetFlag(FLAGS_join_timeout);
  options.stallLimits.seconds = absl::GetFlag(FLAGS_stall_seconds);
  options.inProcess = absl::GetFlag(FLAGS_in_process);
  options.quiet = absl::GetFlag(FLAGS_quiet);
  return options;
}

/// Empty, or what is wrong with the call although each flag can be read.
static std::string checkOptions(const RunOptions &options) {
  const std::string init = absl::GetFlag(FLAGS_init);
  if (!init.empty() && init != "random")
    return "--init knows only \"random\"";
  if (!options.weights.empty() && options.initRandom)
    return "give --weights or --init random, not both";
  if (!options.saveGradients.empty() && options.steps != 1)
    return "--save-gradients goes with --steps 1";
  if (options.steps < 0)
    return "--steps cannot be negative";
  int most = planwright::rt::getMaxThreads();
  if (options.threads < 0 || options.threads > most)
    return "--threads is " + std::to_string(options.threads) + ", expected 0 to " +
           std::to_string(most) + " on this machine";
  if (options.joinTimeoutSeconds < 1)
    return "--join-timeout must be at least 1";
  // Written so that it refuses "nan" too.
  if (!(options.stallLimits.seconds >= 0 && options.stallLimits.seconds <= 1e6))
    return "--stall-seconds is 0 to 1000000";
  return "";
}

static int printHelp() {
  std::printf(
      "plan-run JOB.plan --weights W.safetensors --data D --steps N\n\n"
      "Runs a plan. Alone it starts every rank on this machine; under torchrun, Slurm or MPI "
      "it is one rank.\n\n%s",
      planwright::describeFlags("plan-run.cpp").c_str());
  return 0;
}

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc), positional;
  if (std::ranges::find(arguments, "--help") != arguments.end())
    return printHelp();
  if (std::string problem = planwright::readFlags(arguments, positional); !problem.empty())
    return usageError(problem);
  if (positional.size() != 1)
    return usageError("expected one plan folder, found " + std::to_string(positional.size()));
  RunOptions options = getOptions();
  options.plan = positional.front();
  if (!parseTokenType(absl::GetFlag(FLAGS_token_type), options.tokenType))
    return usageError("--token-type is auto, uint16 or uint32");
  if (std::string problem = checkOptions(options); !problem.empty())
    return usageError(problem);
  return planwright::rt::runPlan(options, argv);
}
