// describeGemm on contractions from text: the descriptor is run as plain loops and compared with
// the reference.
#include "KernelProgram.h"

#include "planwright/Codegen/Host/Gemm.h"
#include "planwright/Reference/Interpreter.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace planwright;
using codegen::describeGemm;
using codegen::GemmDescriptor;
using codegen::GemmRefusal;
using reference::Tensor;

namespace {
/// A contraction with indexing maps over (b, m, n, k, ...) as given, and made-up operands.
class GemmTest : public ::testing::Test {
protected:
  GemmTest() {
    codegen::HostKernelBuilder::registerDependentDialects(registry);
    registry.insert<linalg::LinalgDialect, tensor::TensorDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// `maps` such as "(m, n, k) : (m, k), (k, n), (m, n)"; types without "tensor<>".
  linalg::ContractOp parse(StringRef loops, std::array<StringRef, 3> maps,
                           std::array<StringRef, 3> types, StringRef zero = "0.0",
                           StringRef element = "f32") {
    std::string text;
    llvm::raw_string_ostream stream(text);
    auto type = [&](unsigned number) { return "tensor<" + types[number].str() + ">"; };
    auto map = [&](unsigned number) {
      return "affine_map<" + loops.str() + " -> " + maps[number].str() + ">";
    };
    stream << "func.func @f(%a: " << type(0) << ", %b: " << type(1) << ") -> " << type(2) << " {\n"
           << "%zero = arith.constant " << zero << " : " << element << "\n"
           << "%e = tensor.empty() : " << type(2) << "\n"
           << "%z = linalg.fill ins(%zero : " << element << ") outs(%e : " << type(2) << ") -> "
           << type(2) << "\n"
           << "%c = linalg.contract indexing_maps = [" << map(0) << ", " << map(1) << ", " << map(2)
           << "] ins(%a, %b : " << type(0) << ", " << type(1) << ") outs(%z : " << type(2)
           << ") -> " << type(2) << "\n"
           << "return %c : " << type(2) << "}\n";
    module = parseSourceString<ModuleOp>(text, &context);
    linalg::ContractOp contract;
    if (module)
      module->walk([&](linalg::ContractOp op) { contract = op; });
    return contract;
  }

  void expectRunsRight(const GemmDescriptor &gemm) {
    auto function = *module->getOps<func::FuncOp>().begin();
    Tensor a = test::makeInput(function.getArgumentTypes()[0], 1),
           b = test::makeInput(function.getArgumentTypes()[1], 2);
    reference::Interpreter interpreter(*module, {.floatsAsF64 = true});
    FailureOr<reference::TensorList> expected = interpreter.run(function, {a, b});
    ASSERT_TRUE(succeeded(expected));
    Tensor c(reference::ElementType::F64, expected->front().getShape());
    runLoops(gemm, gemm.loops, a, b, c.getMutable<double>(), 0, 0, 0);
    for (int64_t index = 0; index < c.getNumElements(); ++index)
      ASSERT_NEAR(c.getAsDouble(index), expected->front().getAsDouble(index), 1e-5) << index;
  }

  static void runLoops(const GemmDescriptor &gemm, ArrayRef<codegen::GemmLoop> loops,
                       const Tensor &a, const Tensor &b, MutableArrayRef<double> c, int64_t aOffset,
                       int64_t bOffset, int64_t cOffset) {
    if (!loops.empty()) {
      codegen::GemmLoop loop = loops.front();
      for (int64_t i = 0; i < loop.extent; ++i)
        runLoops(gemm, loops.drop_front(), a, b, c, aOffset + i * loop.aStride,
                 bOffset + i * loop.bStride, cOffset + i * loop.cStride);
      return;
    }
    for (int64_t m = 0; m < gemm.m; ++m)
      for (int64_t n = 0; n < gemm.n; ++n)
        for (int64_t k = 0; k < gemm.k; ++k)
          c[cOffset + m * gemm.cMStride + n * gemm.cNStride] +=
              a.getAsDouble(aOffset + m * gemm.aMStride + k * gemm.aKStride) *
              b.getAsDouble(bOffset + k * gemm.bKStride + n * gemm.bNStride);
  }

  static void expectUnitStrides(const GemmDescriptor &gemm) {
    EXPECT_TRUE(gemm.aMStride == 1 || gemm.aKStride == 1);
    EXPECT_TRUE(gemm.bKStride == 1 || gemm.bNStride == 1);
    EXPECT_TRUE(gemm.cMStride == 1 || gemm.cNStride == 1);
  }

  DialectRegistry registry;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

// Batch and sequence of a linear layer are one dimension, and there is no loop.
TEST_F(GemmTest, LinearLayer) {
  auto gemm = describeGemm(parse("(b, s, o, i)", {"(b, s, i)", "(i, o)", "(b, s, o)"},
                                 {"4x6x16xf32", "16x20xf32", "4x6x20xf32"}));
  ASSERT_TRUE(succeeded(gemm));
  EXPECT_EQ(gemm->m, 24);
  EXPECT_EQ(gemm->n, 20);
  EXPECT_EQ(gemm->k, 16);
  EXPECT_TRUE(gemm->loops.empty());
  EXPECT_FALSE(gemm->accumulate);
  expectUnitStrides(*gemm);
  expectRunsRight(*gemm);
}

TEST_F(GemmTest, WeightGradient) {
  auto gemm = describeGemm(parse("(i, o, b, s)", {"(b, s, i)", "(b, s, o)", "(i, o)"},
                                 {"4x6x16xf32", "4x6x20xf32", "16x20xf32"}));
  ASSERT_TRUE(succeeded(gemm));
  EXPECT_EQ(gemm->k, 24);
  EXPECT_EQ(gemm->aMStride, 1);
  EXPECT_EQ(gemm->bNStride, 1);
  expectRunsRight(*gemm);
}

// Heads in the middle, as the projections leave them: two loops, nothing is transposed.
TEST_F(GemmTest, AttentionScores) {
  auto gemm =
      describeGemm(parse("(b, h, q, k, d)", {"(b, q, h, d)", "(b, k, h, d)", "(b, h, q, k)"},
                         {"2x17x3x16xf32", "2x19x3x16xf32", "2x3x17x19xf32"}));
  ASSERT_TRUE(succeeded(gemm));
  EXPECT_EQ(gemm->m, 17);
  EXPECT_EQ(gemm->n, 19);
  EXPECT_EQ(gemm->k, 16);
  ASSERT_EQ(gemm->loops.size(), 2u);
  EXPECT_EQ(gemm->loops[0].extent, 2);
  EXPECT_EQ(gemm->aMStride, 48);
  expectUnitStrides(*gemm);
  expectRunsRight(*gemm);
}

TEST_F(GemmTest, AttentionContext) {
  auto gemm =
      describeGemm(parse("(b, h, q, d, k)", {"(b, h, q, k)", "(b, k, h, d)", "(b, q, h, d)"},
                         {"2x3x17x19xf32", "2x19x3x16xf32", "2x17x3x16xf32"}));
  ASSERT_TRUE(succeeded(gemm));
  EXPECT_EQ(gemm->loops.size(), 2u);
  expectRunsRight(*gemm);
}

// The head's dimensions cannot be merged on the left: heads become a loop that accumulates.
TEST_F(GemmTest, OutputProjection) {
  auto gemm = describeGemm(parse("(b, s, o, h, d)", {"(b, h, s, d)", "(h, d, o)", "(b, s, o)"},
                                 {"2x3x17x16xf32", "3x16x20xf32", "2x17x20xf32"}));
  ASSERT_TRUE(succeeded(gemm));
  ASSERT_EQ(gemm->loops.size(), 2u);
  EXPECT_EQ(gemm->loops.back().extent, 3);
  EXPECT_EQ(gemm->loops.back().cStride, 0);
  expectRunsRight(*gemm);
}

// Query heads that share a key head: the group is a loop that does not move the keys.
TEST_F(GemmTest, GroupedHeads) {
  auto gemm = describeGemm(
      parse("(b, h, g, q, k, d)", {"(b, q, h, g, d)", "(b, k, h, d)", "(b, h, g, q, k)"},
            {"2x17x3x2x16xf64", "2x19x3x16xf64", "2x3x2x17x19xf64"}, "0.0", "f64"));
  ASSERT_TRUE(succeeded(gemm));
  EXPECT_TRUE(gemm->elementType.isF64());
  EXPECT_EQ(gemm->loops.size(), 3u);
  expectRunsRight(*gemm);
}

TEST_F(GemmTest, TransposedOutput) {
  auto gemm = describeGemm(
      parse("(m, n, k)", {"(m, k)", "(k, n)", "(n, m)"}, {"17x16xf32", "16x20xf32", "20x17xf32"}));
  ASSERT_TRUE(succeeded(gemm));
  EXPECT_EQ(gemm->cMStride, 1);
  expectRunsRight(*gemm);
}

TEST_F(GemmTest, BatchInnermostAsksForACopy) {
  auto contract = parse("(b, m, n, k)", {"(m, k, b)", "(b, k, n)", "(b, m, n)"},
                        {"17x16x5xf32", "5x16x20xf32", "5x17x20xf32"});
  GemmRefusal refusal;
  ASSERT_TRUE(failed(describeGemm(contract, &refusal)));
  ASSERT_TRUE(refusal.transpose.has_value());
  EXPECT_EQ(refusal.transpose->operand, 0u);
  EXPECT_EQ(refusal.transpose->permutation, (SmallVector<int64_t>{2, 0, 1}));
}

TEST_F(GemmTest, OutputWithBatchInnermostIsRefused) {
  auto contract = parse("(b, m, n, k)", {"(b, m, k)", "(b, k, n)", "(m, n, b)"},
                        {"5x17x16xf32", "5x16x20xf32", "17x20x5xf32"});
  GemmRefusal refusal;
  ASSERT_TRUE(failed(describeGemm(contract, &refusal)));
  EXPECT_FALSE(refusal.transpose.has_value());
  EXPECT_EQ(refusal.reason, "a matrix has no dimension of stride 1");
}

TEST_F(GemmTest, RefusesWhatAKernelDoesFaster) {
  GemmRefusal refusal;
  EXPECT_TRUE(failed(describeGemm(
      parse("(m, n, k)", {"(m, k)", "(k, n)", "(m, n)"}, {"170x1xf32", "1x200xf32", "170x200xf32"}),
      &refusal)));
  EXPECT_EQ(refusal.reason, "it sums over nothing");
  EXPECT_TRUE(failed(describeGemm(
      parse("(m, k)", {"(m, k)", "(k)", "(m)"}, {"170x64xf32", "64xf32", "170xf32"}), &refusal)));
  EXPECT_EQ(refusal.reason, "it is a product with a vector");
  EXPECT_TRUE(failed(describeGemm(
      parse("(m, n, k)", {"(m, k)", "(k, n)", "(m, n)"}, {"4x4xf32", "4x4xf32", "4x4xf32"}),
      &refusal)));
  EXPECT_EQ(refusal.reason, "its matrices are small");
}

TEST_F(GemmTest, RefusesOtherTypesAndStarts) {
  GemmRefusal refusal;
  auto maps = std::array<StringRef, 3>{"(m, k)", "(k, n)", "(m, n)"};
  EXPECT_TRUE(failed(describeGemm(
      parse("(m, n, k)", maps, {"64x64xi32", "64x64xi32", "64x64xi32"}, "0", "i32"), &refusal)));
  EXPECT_EQ(refusal.reason, "its elements are neither f32 nor f64");
  EXPECT_TRUE(failed(describeGemm(
      parse("(m, n, k)", maps, {"64x64xf32", "64x64xf32", "64x64xf32"}, "1.0"), &refusal)));
  EXPECT_EQ(refusal.reason, "its sums do not start at zero");
}
