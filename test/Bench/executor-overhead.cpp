// What the executor adds to each instruction: whole steps on the device that does nothing, divided
// by their instructions. The counter "per_instruction" is the figure; it should stay below 1 us.

#include "runtime/Comm/InProcess/InProcess.h"
#include "runtime/Executor/Executor.h"
#include "runtime/Format/Plan.h"

#include "benchmark/benchmark.h"

using namespace planwright::rt;

static void noKernel(void *const *, int64_t, int64_t) {}

/// A launch of six operands, or a gemm for every fourth.
static std::unique_ptr<fb::InstructionT> makeInstruction(int64_t index) {
  auto instruction = std::make_unique<fb::InstructionT>();
  auto address = [&](int operand) { return fb::Address((index + operand) % 64 * 64, operand % 2); };
  if (index % 4 == 0) {
    fb::GemmT gemm;
    gemm.element_type = fb::ElementType::f32;
    gemm.a = std::make_unique<fb::Address>(address(0));
    gemm.b = std::make_unique<fb::Address>(address(1));
    gemm.c = std::make_unique<fb::Address>(address(2));
    gemm.m = gemm.n = gemm.k = 4;
    gemm.a_m_stride = gemm.b_k_stride = gemm.c_m_stride = 4;
    gemm.a_k_stride = gemm.b_n_stride = gemm.c_n_stride = 1;
    instruction->action.Set(std::move(gemm));
  } else {
    fb::LaunchT launch;
    for (int operand = 0; operand < 6; ++operand)
      launch.operands.push_back(address(operand));
    launch.count = 100;
    instruction->action.Set(std::move(launch));
  }
  return instruction;
}

static std::vector<std::byte> makeProgram(int64_t instructions) {
  fb::ProgramT program;
  program.format_version = programFormatVersion;
  program.ranks = 1;
  program.micro_batches = 1;
  program.arena_bytes = 1 << 16;
  program.kernels.push_back(std::make_unique<fb::KernelT>());
  program.kernels[0]->symbol = "none";
  program.kernels[0]->library = "none";
  auto subprogram = std::make_unique<fb::SubprogramT>();
  for (int64_t i = 0; i < instructions; ++i)
    subprogram->instructions.push_back(makeInstruction(i));
  program.subprograms.push_back(std::move(subprogram));
  // One subprogram called from many places, as a layer is.
  for (uint64_t call = 0; call < 8; ++call) {
    program.tasks.push_back(std::make_unique<fb::TaskT>());
    program.tasks.back()->kind = fb::TaskKind::forward;
    program.tasks.back()->bases = {0, call * 256};
  }
  flatbuffers::FlatBufferBuilder builder;
  fb::FinishProgramBuffer(builder, fb::Program::Pack(builder, &program));
  const auto *begin = reinterpret_cast<const std::byte *>(builder.GetBufferPointer());
  return {begin, begin + builder.GetSize()};
}

static void runSteps(benchmark::State &state) {
  std::vector<std::byte> bytes = makeProgram(state.range(0));
  auto program = parseProgram(bytes);
  if (!program.ok())
    return state.SkipWithError(std::string(program.status().message()).c_str());
  auto worlds = createInProcessWorlds(1, std::chrono::seconds(1));
  auto executor = Executor::prepare(**program, KernelLibraries::fromFunctions({noKernel}),
                                    createNullDevice(), *worlds[0]);
  if (!executor.ok() || !(*executor)->initialize().ok())
    return state.SkipWithError("cannot prepare");
  int64_t step = 0;
  for (auto _ : state)
    if (!(*executor)->runStep(step++).ok())
      return state.SkipWithError("step failed");
  state.counters["per_instruction"] = benchmark::Counter(
      static_cast<double>(state.range(0) * 8),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(runSteps)->Arg(100)->Arg(10'000);
