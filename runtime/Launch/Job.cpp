// One rank's job, stage by stage.

#include "runtime/Launch/Job.h"

#include "runtime/Data/NewFile.h"
#include "runtime/Data/SaveTensors.h"
#include "runtime/Data/Weights.h"
#include "runtime/Executor/Executor.h"
#include "runtime/Executor/Profile.h"
#include "runtime/Format/StatusMacros.h"
#include "runtime/Format/TargetCheck.h"
#include "runtime/Launch/JobRecord.h"
#include "runtime/Launch/Watchdog.h"

#include "absl/strings/str_format.h"

#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace planwright::rt {

namespace {

class Job {
public:
  Job(const Plan &plan, const RunOptions &options, World &world, const JobListener &listener)
      : plan(plan), program(plan.getProgram()), options(options), world(world), listener(listener),
        isFirst(world.getRank() == 0), progress(options.steps, options.quiet || !isFirst),
        profile(!options.trace.empty()) {}

  absl::Status run(int threads);

private:
  absl::Status prepare(int threads);
  absl::Status load();
  absl::Status runSteps();
  absl::Status runStep(int64_t step);
  absl::Status save();
  absl::Status saveGradients(int64_t step);
  absl::Status reportProfile();
  absl::Status writeTrace();
  void printMemory() const;
  RankMemory getMemory() const { return {program, world.getRank(), arena}; }

  const Plan &plan;
  const fb::Program &program;
  const RunOptions &options;
  World &world;
  const JobListener &listener;
  bool isFirst; // Rank 0 talks and writes.
  Progress progress;
  Profile profile;
  History history;
  std::unique_ptr<Executor> executor;
  std::unique_ptr<BatchSource> batches;
  std::byte *arena = nullptr;
};

} // namespace

static bool hasBuffers(const fb::Program &program, fb::BufferKind kind) {
  if (program.buffers())
    for (const fb::Buffer *buffer : *program.buffers())
      if (buffer->kind() == kind)
        return true;
  return false;
}

static absl::Status checkReadable(const std::string &what, const std::string &path) {
  if (!path.empty() && ::access(path.c_str(), R_OK) != 0)
    return absl::NotFoundError(
        absl::StrCat("cannot read ", what, " ", path, ": ", std::strerror(errno)));
  return absl::OkStatus();
}

absl::Status checkJob(const Plan &plan, const RunOptions &options) {
  const fb::Program &program = plan.getProgram();
  PLANWRIGHT_RETURN_IF_ERROR(checkReadable("weights", options.weights));
  PLANWRIGHT_RETURN_IF_ERROR(checkReadable("data", options.data));
  bool wantsWeights = hasBuffers(program, fb::BufferKind::parameter) ||
                      hasBuffers(program, fb::BufferKind::constant);
  if (wantsWeights && options.weights.empty() && !options.initRandom)
    return absl::InvalidArgumentError(
        "the model has weights: give --weights FILE or --init random");
  if (hasBuffers(program, fb::BufferKind::input) && options.data.empty())
    return absl::InvalidArgumentError("the model has inputs: give --data FILE");
  auto text = [](const flatbuffers::String *string) { return string ? string->str() : ""; };
  return annotate(
      checkTarget(text(program.target_cpu()), text(program.target_features()), readCpuFlags()),
      plan.getFolder());
}

static std::string formatBytes(uint64_t bytes) {
  if (bytes >= uint64_t(1) << 30)
    return absl::StrFormat("%.2f GiB", static_cast<double>(bytes) / (1 << 30));
  return absl::StrFormat("%.2f MiB", static_cast<double>(bytes) / (1 << 20));
}

void Job::printMemory() const {
  if (!isFirst || options.quiet)
    return;
  std::printf("%s: %u ranks, %u micro-batches; memory per rank: arena %s (%llu bytes)",
              plan.getManifest().name.empty() ? plan.getFolder().c_str()
                                              : plan.getManifest().name.c_str(),
              program.ranks(), program.micro_batches(), formatBytes(program.arena_bytes()).c_str(),
              static_cast<unsigned long long>(program.arena_bytes()));
  if (world.getScratchBytes() != 0)
    std::printf(", communication %s", formatBytes(world.getScratchBytes()).c_str());
  std::printf("\n");
  std::fflush(stdout);
}

absl::Status Job::prepare(int threads) {
  PLANWRIGHT_ASSIGN_OR_RETURN(KernelLibraries libraries,
                              KernelLibraries::open(program, plan.getFolder()));
  PLANWRIGHT_ASSIGN_OR_RETURN(
      executor, Executor::prepare(program, std::move(libraries), createHostDevice(threads), world));
  printMemory();
  PLANWRIGHT_RETURN_IF_ERROR(executor->initialize());
  arena = executor->getArena();
  if (options.profile || !options.trace.empty())
    executor->setObserver(&profile);
  if (isFirst && !options.metrics.empty())
    return progress.openMetrics(options.metrics);
  return absl::OkStatus();
}

absl::Status Job::load() {
  if (!options.weights.empty())
    PLANWRIGHT_RETURN_IF_ERROR(loadWeights(options.weights, getMemory()));
  if (options.initRandom)
    PLANWRIGHT_RETURN_IF_ERROR(initializeRandomly(options.seed, getMemory()));
  if (options.data.empty())
    return absl::OkStatus();
  PLANWRIGHT_ASSIGN_OR_RETURN(batches, openBatches(options.data, program, options.tokenType));
  if (isFirst && !options.quiet && !batches->getRemark().empty())
    std::fprintf(stderr, "plan-run: note: %s\n", batches->getRemark().c_str());
  return absl::OkStatus();
}

absl::Status Job::saveGradients(int64_t step) {
  PLANWRIGHT_ASSIGN_OR_RETURN(
      std::vector<FullTensor> tensors,
      gatherTensors(fb::BufferKind::gradient, absl::StrCat("grad", step, "/"), getMemory(), world));
  return isFirst ? writeTensors(options.saveGradients, tensors) : absl::OkStatus();
}

absl::Status Job::runStep(int64_t step) {
  auto begin = std::chrono::steady_clock::now();
  if (batches)
    PLANWRIGHT_RETURN_IF_ERROR(batches->fill(step, getMemory()));
  if (options.saveGradients.empty()) {
    PLANWRIGHT_RETURN_IF_ERROR(executor->runStep(step));
  } else {
    // The update may use the gradients' memory for something else.
    PLANWRIGHT_RETURN_IF_ERROR(executor->runUntilUpdate(step));
    PLANWRIGHT_RETURN_IF_ERROR(saveGradients(step));
    PLANWRIGHT_RETURN_IF_ERROR(executor->runFromUpdate(step));
  }
  std::chrono::duration<double> duration = std::chrono::steady_clock::now() - begin;
  StepMetrics metrics = {step,
                         executor->readLoss(),
                         executor->readGradientNorm(),
                         executor->readLearningRate(),
                         duration.count(),
                         program.tokens_per_step()};
  history.add(metrics);
  return isFirst ? progress.report(metrics) : absl::OkStatus();
}

absl::Status Job::runSteps() {
  std::optional<Watchdog> watchdog;
  if (options.stallLimits.seconds > 0)
    watchdog.emplace(*executor, world.getRank(), options.stallLimits, listener.onReport);
  for (int64_t step = 0; step < options.steps; ++step) {
    absl::Status status = runStep(step);
    if (!status.ok()) {
      progress.finish();
      std::string last = history.format();
      return last.empty()
                 ? status
                 : absl::Status(status.code(), absl::StrCat(status.message(), " (", last, ")"));
    }
  }
  progress.finish();
  return absl::OkStatus();
}

absl::Status Job::save() {
  if (options.saveWeights.empty())
    return absl::OkStatus();
  PLANWRIGHT_ASSIGN_OR_RETURN(std::vector<FullTensor> tensors,
                              gatherTensors(fb::BufferKind::parameter, "", getMemory(), world));
  PLANWRIGHT_ASSIGN_OR_RETURN(std::vector<FullTensor> constants,
                              gatherTensors(fb::BufferKind::constant, "", getMemory(), world));
  for (FullTensor &constant : constants)
    tensors.push_back(std::move(constant));
  return isFirst ? writeTensors(options.saveWeights, tensors) : absl::OkStatus();
}

/// All ranks' timelines in one file, one process each.
absl::Status Job::writeTrace() {
  std::string mine = profile.formatTimeline(world.getRank());
  uint64_t size = mine.size();
  if (!isFirst) {
    PLANWRIGHT_RETURN_IF_ERROR(world.send(0, &size, sizeof(size)));
    return world.send(0, mine.data(), size);
  }
  NewFile file(options.trace);
  file.write("{\"traceEvents\":[\n");
  file.write(mine);
  for (int rank = 1; rank < world.getSize(); ++rank) {
    PLANWRIGHT_RETURN_IF_ERROR(world.receive(rank, &size, sizeof(size)));
    std::string theirs(size, '\0');
    PLANWRIGHT_RETURN_IF_ERROR(world.receive(rank, theirs.data(), size));
    file.write(",\n");
    file.write(theirs);
  }
  file.write("\n]}\n");
  return annotate(file.commit(), "trace");
}

absl::Status Job::reportProfile() {
  if (options.profile && isFirst)
    std::printf("rank 0, %lld steps:\n%s", static_cast<long long>(options.steps),
                profile.formatTable().c_str());
  return options.trace.empty() ? absl::OkStatus() : writeTrace();
}

absl::Status Job::run(int threads) {
  PLANWRIGHT_RETURN_IF_ERROR(prepare(threads));
  PLANWRIGHT_RETURN_IF_ERROR(load());
  // Errors of loading show before anyone waits in a collective, and the first step's time is its
  // own.
  PLANWRIGHT_RETURN_IF_ERROR(world.barrier());
  PLANWRIGHT_RETURN_IF_ERROR(runSteps());
  PLANWRIGHT_RETURN_IF_ERROR(save());
  PLANWRIGHT_RETURN_IF_ERROR(reportProfile());
  return world.barrier();
}

absl::Status runJob(const Plan &plan, const RunOptions &options, World &world, int threads,
                    const JobListener &listener) {
  Job job(plan, options, world, listener);
  absl::Status status = job.run(threads);
  if (!status.ok())
    listener.onFailure(status);
  return status;
}

} // namespace planwright::rt
