// Each thing that the verifier refuses, made wrong in an otherwise good program.

#include "runtime/Format/Plan.h"
#include "test/Runtime/Support/TestPlan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <functional>

namespace planwright::rt {
namespace {

struct Wrong {
  const char *name;
  std::function<void(fb::ProgramT &)> spoil;
  const char *message;
};

fb::InstructionT &getInstruction(fb::ProgramT &program, size_t subprogram, size_t instruction) {
  return *program.subprograms[subprogram]->instructions[instruction];
}

/// A 2 x 3 by 3 x 4 gemm at the arena's beginning, as the last instruction of the update.
fb::GemmT &addGemm(fb::ProgramT &program) {
  fb::GemmT gemm;
  gemm.element_type = fb::ElementType::f32;
  gemm.a = std::make_unique<fb::Address>(0, 0);
  gemm.b = std::make_unique<fb::Address>(64, 0);
  gemm.c = std::make_unique<fb::Address>(128, 0);
  gemm.m = 2, gemm.n = 4, gemm.k = 3;
  gemm.a_m_stride = 3, gemm.a_k_stride = 1;
  gemm.b_k_stride = 4, gemm.b_n_stride = 1;
  gemm.c_m_stride = 4, gemm.c_n_stride = 1;
  auto instruction = std::make_unique<fb::InstructionT>();
  instruction->action.Set(std::move(gemm));
  program.subprograms[3]->instructions.push_back(std::move(instruction));
  return *program.subprograms[3]->instructions.back()->action.AsGemm();
}

/// A rank's 8 bytes of each of 2 rows, as the last instruction of the update.
fb::StridedCopyT &addStridedCopy(fb::ProgramT &program) {
  fb::StridedCopyT copy;
  copy.source = std::make_unique<fb::Address>(0, 0);
  copy.destination = std::make_unique<fb::Address>(64, 0);
  copy.bytes = 8;
  copy.loops = {fb::CopyLoop(2, 16, 8)};
  copy.coordinates = {fb::CoordinateStride(0, 8)};
  auto instruction = std::make_unique<fb::InstructionT>();
  instruction->action.Set(std::move(copy));
  program.subprograms[3]->instructions.push_back(std::move(instruction));
  return *program.subprograms[3]->instructions.back()->action.AsStridedCopy();
}

const Wrong wrongs[] = {
    {"Version", [](auto &p) { p.format_version = 99; }, "format version 99"},
    {"Ranks", [](auto &p) { p.ranks = 3; }, "the axes make 2 ranks, the program says 3"},
    {"MicroBatches", [](auto &p) { p.micro_batches = 1; }, "axis \"mb\" has size 2"},
    {"AxisSize", [](auto &p) { p.axes[0]->size = 0; }, "axis \"dp\" has size 0"},
    {"AxisTwice", [](auto &p) { p.axes[1]->name = "dp"; }, "has it twice"},
    {"CommunicatorAxis", [](auto &p) { p.communicators[0]->axes = {7}; }, "axis 7 does not exist"},
    {"CommunicatorOnMb", [](auto &p) { p.communicators[0]->axes = {1}; }, "lies on \"mb\""},
    {"LibraryOutside", [](auto &p) { p.kernels[0]->library = "../evil.so"; }, "not a file inside"},
    {"LibraryAbsolute", [](auto &p) { p.kernels[0]->library = "/evil.so"; }, "not a file inside"},
    {"ArgumentTwice", [](auto &p) { p.arguments[1]->name = "w"; }, "argument \"w\""},
    {"ArgumentShape", [](auto &p) { p.arguments[0]->shape = {-4}; }, "impossible shape"},
    {"BatchDimension", [](auto &p) { p.arguments[1]->batch_dim = 2; }, "batch dimension 2"},
    {"UnknownType", [](auto &p) { p.buffers[0]->element_type = static_cast<fb::ElementType>(77); },
     "unknown value"},
    {"BufferOutside", [](auto &p) { p.buffers[0]->offset = p.arena_bytes; }, "leave the arena"},
    {"BufferOffsetOverflow", [](auto &p) { p.buffers[0]->offset = ~uint64_t(63); },
     "leave the arena"},
    {"BufferSize", [](auto &p) { p.buffers[0]->size_bytes = 12; }, "its shape needs 16 bytes"},
    {"BufferMisaligned", [](auto &p) { p.buffers[0]->offset = 2; }, "not aligned"},
    {"BufferOverlap", [](auto &p) { p.buffers[5]->offset = 0; }, "overlap"},
    {"BufferLocalShape", [](auto &p) { p.buffers[1]->local_shape = {3, 4}; },
     "local size times axes is 12"},
    {"BufferAxisTwice", [](auto &p) { p.buffers[1]->dimension_axes[1]->axes = {0}; }, "used twice"},
    {"MbOnAParameter", [](auto &p) { p.buffers[0]->dimension_axes[0]->axes = {1}; },
     "\"mb\" must be the innermost axis"},
    {"BufferWithoutArgument", [](auto &p) { p.buffers[0]->name = "v"; },
     "no argument of this name"},
    {"PartOfNothing", [](auto &p) { p.buffers[0]->part = 0; },
     "only parameters, constants and gradients have parts"},
    {"PartOfAnInput",
     [](auto &p) {
       p.buffers[1]->argument = "x";
       p.buffers[1]->part = 0;
     },
     "only parameters, constants and gradients have parts"},
    {"PartBeyondTheEnd",
     [](auto &p) {
       p.buffers[0]->argument = "w";
       p.buffers[0]->part = 4;
     },
     "the argument has no part 4"},
    {"PartOfAnotherShape",
     [](auto &p) {
       p.buffers[0]->argument = "w";
       p.buffers[0]->part = 1;
     },
     "the argument has another shape"},
    {"LossOfManyElements",
     [](auto &p) {
       p.buffers[4]->global_shape = p.buffers[4]->local_shape = {2};
       p.buffers[4]->dimension_axes.clear();
       p.buffers[4]->size_bytes = 8;
     },
     "one element"},
    {"StepOfWrongType", [](auto &p) { p.buffers[5]->element_type = fb::ElementType::f64; },
     "must be i64"},
    {"KernelIndex", [](auto &p) { getInstruction(p, 1, 0).action.AsLaunch()->kernel = 9; },
     "instruction 0 of @forward: kernel 9 does not exist"},
    {"Grain", [](auto &p) { getInstruction(p, 1, 0).action.AsLaunch()->grain = 0; }, "grains of 0"},
    {"BaseMissing", [](auto &p) { p.tasks[1]->bases.pop_back(); }, "base 2 is used but not given"},
    {"BaseZero", [](auto &p) { p.tasks[1]->bases[0] = 64; }, "base 0 is not 0"},
    {"BaseOutside", [](auto &p) { p.tasks[2]->bases[1] = uint64_t(1) << 50; },
     "task 2 (forward): it reaches byte"},
    {"ZeroOutside", [](auto &p) { getInstruction(p, 0, 0).action.AsZero()->bytes = 1 << 20; },
     "of an arena of"},
    {"ZeroOverflow", [](auto &p) { getInstruction(p, 0, 0).action.AsZero()->bytes = ~uint64_t(0); },
     "lie in no arena"},
    {"HugeBase",
     [](auto &p) {
       *getInstruction(p, 0, 0).action.AsZero()->destination = fb::Address(0, 4'000'000'000u);
     },
     "base 4000000000 does not exist"},
    {"CollectiveOutside",
     [](auto &p) { getInstruction(p, 2, 0).action.AsCollective()->count = 1 << 20; },
     "of an arena of"},
    {"CollectiveGroup",
     [](auto &p) { getInstruction(p, 2, 0).action.AsCollective()->communicator = 1; },
     "communicator 1 does not exist"},
    {"CollectiveDoesNotDivide",
     [](auto &p) {
       getInstruction(p, 2, 0).action.AsCollective()->kind = fb::CollectiveKind::reduce_scatter;
       getInstruction(p, 2, 0).action.AsCollective()->count = 3;
     },
     "3 elements do not divide over 2 ranks"},
    {"SubprogramIndex", [](auto &p) { p.tasks[0]->subprogram = 17; }, "subprogram 17"},
    {"MicroBatchIndex", [](auto &p) { p.tasks[1]->micro_batch = 2; }, "micro-batch 2 of 2"},
    {"WaitForNothing",
     [](auto &p) {
       p.events = 1;
       getInstruction(p, 0, 0).waits = {0};
     },
     "which nothing has recorded"},
    {"EventIndex", [](auto &p) { getInstruction(p, 0, 0).record = 3; }, "records event 3"},
    {"GemmType", [](auto &p) { addGemm(p).element_type = fb::ElementType::bf16; }, "f32 or f64"},
    {"GemmStride", [](auto &p) { addGemm(p).a_k_stride = 2; }, "no unit stride"},
    {"GemmOverlap", [](auto &p) { addGemm(p).a_m_stride = 2; }, "overlapping rows"},
    {"GemmExtent", [](auto &p) { addGemm(p).m = -1; }, "impossible extent"},
    {"GemmOutside", [](auto &p) { addGemm(p).c_m_stride = 1 << 20; }, "of an arena of"},
    {"GemmLoopOrder",
     [](auto &p) { addGemm(p).loops = {fb::GemmLoop(2, 0, 0, 0), fb::GemmLoop(2, 0, 0, 8)}; },
     "must be the innermost"},
    {"CopyOfNothing", [](auto &p) { addStridedCopy(p).bytes = 0; }, "a strided copy of 0 bytes"},
    {"CopyExtent", [](auto &p) { addStridedCopy(p).loops = {fb::CopyLoop(0, 8, 8)}; },
     "impossible extent"},
    {"CopyStride", [](auto &p) { addStridedCopy(p).loops = {fb::CopyLoop(2, -8, 8)}; },
     "impossible extent"},
    {"CopyLoops", [](auto &p) { addStridedCopy(p).loops.assign(17, fb::CopyLoop(1, 8, 8)); },
     "has 17 loops"},
    {"CopySourceOutside", [](auto &p) { addStridedCopy(p).loops = {fb::CopyLoop(2, 1 << 20, 8)}; },
     "of an arena of"},
    {"CopyDestinationOutside",
     [](auto &p) { addStridedCopy(p).loops = {fb::CopyLoop(2, 8, 1 << 20)}; }, "of an arena of"},
    {"CopyOfTheLastRankOutside",
     [](auto &p) { addStridedCopy(p).coordinates = {fb::CoordinateStride(0, 1 << 20)}; },
     "of an arena of"},
    {"CopyAxis", [](auto &p) { addStridedCopy(p).coordinates = {fb::CoordinateStride(7, 8)}; },
     "axis 7 of a strided copy"},
    {"CopyMicroBatch",
     [](auto &p) { addStridedCopy(p).coordinates = {fb::CoordinateStride(1, 8)}; },
     "axis 1 of a strided copy"},
    {"CopyAxisTwice",
     [](auto &p) {
       addStridedCopy(p).coordinates = {fb::CoordinateStride(0, 8), fb::CoordinateStride(0, 8)};
     },
     "axis 0 of a strided copy"},
};

class Verify : public testing::TestWithParam<Wrong> {};

TEST_P(Verify, Refuses) {
  fb::ProgramT program = test::makeProgram({.dp = 2, .microBatches = 2});
  GetParam().spoil(program);
  std::vector<std::byte> bytes = test::serialize(program);
  absl::Status status = parseProgram(bytes).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.ToString(), testing::HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(All, Verify, testing::ValuesIn(wrongs),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(VerifyGood, AcceptsTheProgramsThemselves) {
  for (int64_t dp : {1, 2, 4})
    for (int64_t mb : {1, 2}) {
      fb::ProgramT program = test::makeProgram({.dp = dp, .microBatches = mb});
      addGemm(program);
      std::vector<std::byte> bytes = test::serialize(program);
      EXPECT_TRUE(parseProgram(bytes).ok()) << parseProgram(bytes).status();
    }
  std::vector<std::byte> bytes = test::serialize(test::makeTokenProgram());
  EXPECT_TRUE(parseProgram(bytes).ok()) << parseProgram(bytes).status();
}

} // namespace
} // namespace planwright::rt
