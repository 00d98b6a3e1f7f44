// From task functions to numbers: the linear model of test/Conversion/TasksToExec is compiled,
// loaded by the runtime and run on two ranks in one process; loss and parameters must be those of a
// few lines of plain C++.
#include "planwright/Target/Plan/EmitPlan.h"

#include "dialects/Comm/IR/Comm.h"
#include "dialects/Exec/Transforms/Passes.h"
#include "lib/Conversion/TasksToExec/Passes.h"
#include "runtime/Comm/InProcess/InProcess.h"
#include "runtime/Executor/Executor.h"
#include "runtime/Format/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <array>
#include <thread>

using namespace mlir;
using namespace planwright;

namespace {

class EmittedPlan : public testing::Test {
protected:
  EmittedPlan() {
    DialectRegistry registry;
    registry
        .insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                tensor::TensorDialect, comm::CommDialect, exec::ExecDialect, plan::PlanDialect>();
    context.appendDialectRegistry(registry);
    module = parseSourceFile<ModuleOp>(TASKS_FILE, &context);
    PassManager manager(&context);
    manager.addPass(createConvertTasksToExec());
    manager.addPass(exec::createExecAssignOffsets());
    if (!module || failed(manager.run(*module)))
      ADD_FAILURE() << "the tasks cannot be converted";
    program = *module->getOps<exec::ProgramOp>().begin();
  }

  std::string emit() {
    std::string folder = testing::TempDir() + "/linear.plan";
    EmitOptions options;
    options.name = "linear";
    EXPECT_TRUE(succeeded(emitPlan(*module, folder, options)));
    return folder;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  exec::ProgramOp program;
};

} // namespace

/// Each byte remembers through which buffer it was last written; a shared buffer must find its own
/// bytes.
TEST_F(EmittedPlan, NoBufferLosesItsBytes) {
  SymbolTable symbols(program);
  std::vector<Operation *> owners(*program.getArenaBytes());
  for (exec::TaskOp task : program.getOps<exec::TaskOp>()) {
    if (!task.getSubprogramAttr())
      continue;
    auto subprogram = symbols.lookup<exec::SubprogramOp>(*task.getSubprogram());
    for (auto step : subprogram.getOps<exec::StepOpInterface>()) {
      SmallVector<exec::OperandAttr> operands;
      step.getOperandRegions(operands);
      auto forBytes = [&](exec::RegionAttr region, auto visit) {
        auto buffer = symbols.lookup<exec::BufferOp>(region.getBuffer().getAttr());
        int64_t begin =
            *buffer.getOffset() + region.getOffset() + (*task.getBases())[region.getBase()];
        for (int64_t byte = begin; byte < begin + region.getSize(); ++byte)
          visit(owners[byte], buffer);
      };
      for (exec::OperandAttr operand : operands)
        if (operand.getAccess() != exec::Access::write)
          forBytes(operand.getRegion(), [](Operation *&owner, exec::BufferOp buffer) {
            EXPECT_TRUE(!buffer.isShared() || owner == buffer.getOperation());
          });
      for (exec::OperandAttr operand : operands)
        if (operand.getAccess() != exec::Access::read)
          forBytes(operand.getRegion(),
                   [](Operation *&owner, exec::BufferOp buffer) { owner = buffer; });
    }
  }
}

TEST_F(EmittedPlan, ClassesOfMemoryAddUpToThePeak) {
  MemoryTable memory = summarizeMemory(program);
  EXPECT_EQ(memory.parameterBytes + memory.gradientBytes + memory.optimizerStateBytes +
                memory.inputBytes + memory.literalBytes + memory.otherBytes + memory.temporaryBytes,
            memory.peakBytes);
  EXPECT_GE(memory.peakBytes, memory.lowerBoundBytes);
}

//===----------------------------------------------------------------------===//
// Running it
//===----------------------------------------------------------------------===//

static constexpr int kRows = 8, kIn = 4, kOut = 3;

namespace {
/// y = x w + b, loss = sum((x w + b - y)^2); gradients are scaled by 1, 2, 3 per column, as the
/// tasks say.
struct Linear {
  std::array<float, kIn * kOut> w;
  std::array<float, kOut> b;
  std::array<float, kRows * kIn> x;
  std::array<float, kRows * kOut> y;

  Linear() {
    // Small whole numbers: every sum is exact, in any order.
    for (size_t i = 0; i < w.size(); ++i)
      w[i] = static_cast<float>(i % 5) - 2;
    for (size_t i = 0; i < b.size(); ++i)
      b[i] = static_cast<float>(i) - 1;
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<float>(i * 7 % 11) - 5;
    for (size_t i = 0; i < y.size(); ++i)
      y[i] = static_cast<float>(i * 3 % 7) - 3;
  }

  /// One step of plain C++; returns the loss.
  float step() {
    float loss = 0;
    auto gw = std::array<float, kIn * kOut>(), oldW = w;
    auto gb = std::array<float, kOut>();
    for (int row = 0; row < kRows; ++row)
      for (int column = 0; column < kOut; ++column) {
        float residual = b[column] - y[row * kOut + column];
        for (int k = 0; k < kIn; ++k)
          residual += x[row * kIn + k] * oldW[k * kOut + column];
        loss += residual * residual;
        float scaled = residual * static_cast<float>(column + 1);
        gb[column] += scaled;
        for (int k = 0; k < kIn; ++k)
          gw[k * kOut + column] += x[row * kIn + k] * scaled;
      }
    for (size_t i = 0; i < w.size(); ++i)
      w[i] -= gw[i];
    for (size_t i = 0; i < b.size(); ++i)
      b[i] -= gb[i];
    return loss;
  }
};
} // namespace

/// Runs one step on `rank`; loss and parameters come back in `model` and `loss`.
static absl::Status runRank(const rt::Plan &plan, rt::World &world, Linear &model, double &loss) {
  auto libraries = rt::KernelLibraries::open(plan.getProgram(), plan.getFolder());
  if (!libraries.ok())
    return libraries.status();
  auto executor = rt::Executor::prepare(plan.getProgram(), std::move(*libraries),
                                        rt::createHostDevice(1), world);
  if (!executor.ok())
    return executor.status();
  if (absl::Status status = (*executor)->initialize(); !status.ok())
    return status;
  auto bytes = [&](rt::fb::BufferKind kind, const char *name) {
    return (*executor)->getBytes(*(*executor)->findBuffer(kind, name)).data();
  };
  using Kind = rt::fb::BufferKind;
  int rank = world.getRank(), half = kRows / 2;
  std::memcpy(bytes(Kind::parameter, "w"), model.w.data(), sizeof(model.w));
  std::memcpy(bytes(Kind::parameter, "b"), model.b.data(), sizeof(model.b));
  std::memcpy(bytes(Kind::input, "x"), &model.x[rank * half * kIn], sizeof(model.x) / 2);
  std::memcpy(bytes(Kind::input, "y"), &model.y[rank * half * kOut], sizeof(model.y) / 2);
  if (absl::Status status = (*executor)->runStep(0); !status.ok())
    return status;
  std::memcpy(model.w.data(), bytes(Kind::parameter, "w"), sizeof(model.w));
  std::memcpy(model.b.data(), bytes(Kind::parameter, "b"), sizeof(model.b));
  loss = (*executor)->readLoss().value_or(-1);
  return absl::OkStatus();
}

TEST_F(EmittedPlan, TrainsAsPlainCodeDoes) {
  auto plan = rt::Plan::load(emit());
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->getProgram().arena_bytes(), *program.getArenaBytes());
  auto worlds = rt::createInProcessWorlds(2, std::chrono::seconds(20));
  std::array<Linear, 2> models;
  std::array<double, 2> losses;
  std::array<absl::Status, 2> statuses;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 2; ++rank)
    threads.emplace_back(
        [&, rank] { statuses[rank] = runRank(*plan, *worlds[rank], models[rank], losses[rank]); });
  for (std::thread &thread : threads)
    thread.join();
  Linear expected;
  float loss = expected.step();
  for (int rank = 0; rank < 2; ++rank) {
    ASSERT_TRUE(statuses[rank].ok()) << statuses[rank];
    EXPECT_EQ(losses[rank], loss);
    EXPECT_EQ(models[rank].w, expected.w);
    EXPECT_EQ(models[rank].b, expected.b);
  }
}
