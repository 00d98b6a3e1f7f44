// The command line of plan-run. What the flags mean is done in runtime/Launch.

#include "runtime/Launch/Run.h"

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"

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
ABSL_FLAG(bool, in_process, false, "run all ranks as threads of this process");
ABSL_FLAG(bool, quiet, false, "print nothing but errors");

using planwright::rt::RunOptions;
using planwright::rt::TokenType;

/// Abseil's flag names have underscores; ours have dashes, as the compiler's do.
static std::vector<std::string> normalise(int argc, char **argv) {
  std::vector<std::string> arguments(argv, argv + argc);
  for (size_t i = 1; i < arguments.size() && arguments[i] != "--"; ++i)
    if (arguments[i].rfind("--", 0) == 0) {
      size_t end = std::min(arguments[i].find('='), arguments[i].size());
      std::replace(arguments[i].begin() + 2, arguments[i].begin() + static_cast<ptrdiff_t>(end),
                   '-', '_');
    }
  return arguments;
}

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

static RunOptions readFlags() {
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
  options.inProcess = absl::GetFlag(FLAGS_in_process);
  options.quiet = absl::GetFlag(FLAGS_quiet);
  return options;
}

int main(int argc, char **argv) {
  absl::SetProgramUsageMessage(
      "runs a plan.\n\n"
      "  plan-run JOB.plan --weights W.safetensors --data D --steps N\n\n"
      "Alone it starts every rank on this machine; under torchrun, Slurm or "
      "MPI it is one rank.");
  std::vector<std::string> arguments = normalise(argc, argv);
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  std::vector<char *> positional = absl::ParseCommandLine(argc, pointers.data());
  if (positional.size() != 2)
    return usageError("expected one plan folder");
  RunOptions options = readFlags();
  options.plan = positional[1];
  std::string init = absl::GetFlag(FLAGS_init);
  if (!init.empty() && init != "random")
    return usageError("--init knows only \"random\"");
  if (!parseTokenType(absl::GetFlag(FLAGS_token_type), options.tokenType))
    return usageError("--token-type is auto, uint16 or uint32");
  if (options.steps < 0 || options.threads < 0 || options.joinTimeoutSeconds < 1)
    return usageError("--steps, --threads and --join-timeout cannot be negative");
  return planwright::rt::runPlan(options, argv);
}
