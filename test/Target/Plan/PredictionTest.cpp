// Predicted times of instructions, worked out by hand for a machine with round numbers: 1 GFLOP/s,
// 1 GB/s of memory, 4 devices at 1 GB/s and 1 us, two such groups at 0.1 GB/s and 10 us.
#include "lib/Target/Plan/ProgramWriter.h"

#include "runtime/Format/program_generated.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace planwright;

namespace {

constexpr const char *kProgram = R"(
exec.program @step axes ["dp", "tp", "mb"] sizes [2, 4, 3] arena 131072 {
  exec.kernel @k in "kernels/host.so"
  exec.communicator @dp axes ["dp"]
  exec.communicator @tp axes ["tp"]
  exec.communicator @all axes ["dp", "tp"]
  exec.buffer @a state "a" tensor<8000xf32> size 32000 offset 0
  exec.buffer @b state "b" tensor<8000xf32> size 32000 offset 32000
  exec.subprogram @local {
    exec.launch @k [#exec.operand<read <@a[0, 4000]>>, #exec.operand<update <@b[0, 8000]>>] count 1000
    exec.gemm <@a[0, 400]> <@a[400, 400]> into <@b[0, 400]> <m = 10, n = 10, k = 10, a = [10, 1], b = [10, 1], c = [10, 1], loops = [<5, a = 0, b = 0, c = 0>]> f32
    exec.copy <@a[0, 4000]> to <@b[0, 4000]>
    exec.strided_copy <@a[0, 320]> to <@b[0, 160]> bytes 16 loops [#exec.byte_loop<10, source = 32, destination = 16>]
    exec.zero <@a[0, 4000]>
  }
  exec.subprogram @collective {
    exec.all_reduce sum <@a[0, 4000]> to <@a[0, 4000]> over @tp f32
    exec.all_gather <@a[0, 4000]> to <@b[0, 16000]> over @tp f32
    exec.reduce_scatter sum <@a[0, 4000]> to <@b[0, 1000]> over @tp f32
    exec.all_to_all <@a[0, 4000]> to <@b[0, 4000]> over @tp f32
    exec.broadcast <@a[0, 4000]> to <@a[0, 4000]> over @tp f32
    exec.all_reduce sum <@a[0, 4000]> to <@a[0, 4000]> over @dp f32
    exec.all_reduce sum <@a[0, 4000]> to <@a[0, 4000]> over @all f32
  }
})";

const MachineRates kRates{.flopsPerSecond = 1e9,
                          .memoryBytesPerSecond = 1e9,
                          .links = {{4, {.bytesPerSecond = 1e9, .latencyNs = 1000}},
                                    {8, {.bytesPerSecond = 1e8, .latencyNs = 10000}}}};

/// predicted_ns of each instruction of one subprogram.
std::vector<uint64_t> predict(const MachineRates &rates, unsigned subprogram) {
  MLIRContext context;
  context.loadDialect<exec::ExecDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kProgram, &context);
  if (!module)
    return {};
  EmitOptions options;
  options.rates = rates;
  auto bytes = writeProgram(*module->getOps<exec::ProgramOp>().begin(), options);
  if (failed(bytes))
    return {};
  std::vector<uint64_t> times;
  const auto *program = rt::fb::GetProgram(bytes->data());
  for (const auto *instruction : *program->subprograms()->Get(subprogram)->instructions())
    times.push_back(instruction->predicted_ns());
  return times;
}

TEST(Prediction, KernelsAndCopies) {
  EXPECT_THAT(predict(kRates, 0), testing::ElementsAre(4000 + 2 * 8000, // launch: an update twice
                                                       2 * 10 * 10 * 10 * 5, // gemm: FLOPs
                                                       2 * 4000, 2 * 160, 4000));
}

TEST(Prediction, CollectivesGoOverTheLinkThatTheirGroupNeeds) {
  EXPECT_THAT(predict(kRates, 1),
              testing::ElementsAre(2 * 3 * (1000 + 1000), // all_reduce: blocks of 1000 bytes
                                   3 * (1000 + 4000), 3 * (1000 + 1000), 3 * (1000 + 1000),
                                   2 * 3 * (1000 + 1000),
                                   2 * 1 * (10000 + 20000), // dp: 2 ranks that lie 4 apart
                                   2 * 7 * (10000 + 5000)));
}

TEST(Prediction, NothingIsPredictedWithoutRates) {
  EXPECT_THAT(predict({}, 0), testing::Each(0));
  EXPECT_THAT(predict({}, 1), testing::Each(0));
  EXPECT_EQ(predict({}, 0).size(), 5u);
}

} // namespace
