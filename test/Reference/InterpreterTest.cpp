// What single operations compute on small inputs.

#include "Evaluate.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace mlir;
using namespace planwright::reference;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

TEST(Interpreter, PointwiseWithTransposeAndBroadcast) {
  TestModule test(R"(
    func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<3x2xf32> {
      %e = tensor.empty() : tensor<3x2xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
                                            affine_map<(d0, d1) -> (d1, d0)>],
                           iterator_types = ["parallel", "parallel"]}
          ins(%a, %b : tensor<2x3xf32>, tensor<3xf32>) outs(%e : tensor<3x2xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %s = arith.mulf %x, %y : f32
        linalg.yield %s : f32
      } -> tensor<3x2xf32>
      return %0 : tensor<3x2xf32>
    })");
  TensorList results = test.run({floats({2, 3}, {1, 2, 3, 4, 5, 6}), floats({3}, {1, 10, 100})});
  EXPECT_THAT(toDoubles(results[0]), ElementsAre(1, 4, 20, 50, 300, 600));
}

/// The sum of a 3 x 2 x 5 tensor over its middle dimension, with another order of loops each time:
/// the result is that of the text whichever loops run innermost.
TEST(Interpreter, SumsOverAnyLoop) {
  const char *maps[][2] = {{"(d0, d1, d2) -> (d0, d1, d2)", "(d0, d1, d2) -> (d0, d2)"},
                           {"(d0, d2, d1) -> (d0, d1, d2)", "(d0, d2, d1) -> (d0, d2)"},
                           {"(d1, d0, d2) -> (d0, d1, d2)", "(d1, d0, d2) -> (d0, d2)"},
                           {"(d2, d1, d0) -> (d0, d1, d2)", "(d2, d1, d0) -> (d0, d2)"}};
  const char *kinds[] = {
      R"("parallel", "reduction", "parallel")", R"("parallel", "parallel", "reduction")",
      R"("reduction", "parallel", "parallel")", R"("parallel", "reduction", "parallel")"};
  Tensor input(ElementType::F32, {3, 2, 5});
  std::vector<double> expected(15, 100);
  for (int i = 0; i < 30; ++i) {
    input.getMutable<float>()[i] = i;
    expected[i / 10 * 5 + i % 5] += i;
  }
  for (int i = 0; i < 4; ++i) {
    TestModule test(std::string(R"(
      func.func @main(%a: tensor<3x2x5xf32>, %o: tensor<3x5xf32>) -> tensor<3x5xf32> {
        %0 = linalg.generic {indexing_maps = [affine_map<)") +
                    maps[i][0] + ">, affine_map<" + maps[i][1] + ">], iterator_types = [" +
                    kinds[i] + R"(]}
            ins(%a : tensor<3x2x5xf32>) outs(%o : tensor<3x5xf32>) {
        ^bb0(%x: f32, %acc: f32):
          %s = arith.addf %x, %acc : f32
          linalg.yield %s : f32
        } -> tensor<3x5xf32>
        return %0 : tensor<3x5xf32>
      })");
    Tensor init(ElementType::F32, {3, 5});
    llvm::fill(init.getMutable<float>(), 100.0f);
    EXPECT_EQ(toDoubles(test.run({input, init})[0]), expected) << i;
  }
}

TEST(Interpreter, MaximumKeepsNaN) {
  TestModule test(R"(
    func.func @main(%a: tensor<2x3xf32>) -> tensor<2xf32> {
      %low = arith.constant 0xFF800000 : f32
      %e = tensor.empty() : tensor<2xf32>
      %f = linalg.fill ins(%low : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                           iterator_types = ["parallel", "reduction"]}
          ins(%a : tensor<2x3xf32>) outs(%f : tensor<2xf32>) {
      ^bb0(%x: f32, %acc: f32):
        %s = arith.maximumf %acc, %x : f32
        linalg.yield %s : f32
      } -> tensor<2xf32>
      return %0 : tensor<2xf32>
    })");
  std::vector<double> result = toDoubles(test.run({floats({2, 3}, {-5, -1, -2, 1, NAN, 2})})[0]);
  EXPECT_EQ(result[0], -1);
  EXPECT_TRUE(std::isnan(result[1]));
}

/// A body that is no plain reduction: value and place of the largest element.
TEST(Interpreter, ArgMax) {
  TestModule test(R"(
    func.func @main(%a: tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
      %low = arith.constant 0xFF800000 : f32
      %none = arith.constant 0 : i32
      %e0 = tensor.empty() : tensor<2xf32>
      %e1 = tensor.empty() : tensor<2xi32>
      %f0 = linalg.fill ins(%low : f32) outs(%e0 : tensor<2xf32>) -> tensor<2xf32>
      %f1 = linalg.fill ins(%none : i32) outs(%e1 : tensor<2xi32>) -> tensor<2xi32>
      %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
                                              affine_map<(d0, d1) -> (d0)>],
                             iterator_types = ["parallel", "reduction"]}
          ins(%a : tensor<2x4xf32>) outs(%f0, %f1 : tensor<2xf32>, tensor<2xi32>) {
      ^bb0(%x: f32, %best: f32, %where: i32):
        %i = linalg.index 1 : index
        %i32 = arith.index_cast %i : index to i32
        %c = arith.cmpf ogt, %x, %best : f32
        %v = arith.select %c, %x, %best : f32
        %w = arith.select %c, %i32, %where : i32
        linalg.yield %v, %w : f32, i32
      } -> (tensor<2xf32>, tensor<2xi32>)
      return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
    })");
  TensorList results = test.run({floats({2, 4}, {1, 7, 3, 7, -4, -3, -2, -8})});
  EXPECT_THAT(toDoubles(results[0]), ElementsAre(7, -2));
  EXPECT_THAT(toDoubles(results[1]), ElementsAre(1, 2));
}

/// Over no element at all a sum is what it starts at, and so is a body that is no plain reduction.
TEST(Interpreter, ReducesAnEmptyDimension) {
  for (const char *body : {"arith.addf %acc, %x", "arith.subf %acc, %x"}) {
    TestModule test(std::string(R"(
      func.func @main(%a: tensor<2x0xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
        %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                             iterator_types = ["parallel", "reduction"]}
            ins(%a : tensor<2x0xf32>) outs(%init : tensor<2xf32>) {
        ^bb0(%x: f32, %acc: f32):
          %s = )") + body +
                    R"( : f32
          linalg.yield %s : f32
        } -> tensor<2xf32>
        return %0 : tensor<2xf32>
      })");
    TensorList results = test.run({floats({2, 0}, {}), floats({2}, {3, 4})});
    EXPECT_THAT(toDoubles(results[0]), ElementsAre(3, 4)) << body;
  }
}

/// A product over an empty dimension is a sum of nothing; without rows there is nothing to sum.
TEST(Interpreter, MultipliesEmptyMatrices) {
  for (auto [rows, inner] : {std::pair(2, 0), std::pair(0, 3), std::pair(0, 0)}) {
    std::string left = llvm::formatv("tensor<{0}x{1}xf32>", rows, inner),
                right = llvm::formatv("tensor<{0}x2xf32>", inner),
                result = llvm::formatv("tensor<{0}x2xf32>", rows);
    TestModule test("func.func @main(%a: " + left + ", %b: " + right + ", %c: " + result + ") -> " +
                    result + R"( {
        %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                                              affine_map<(m, n, k) -> (m, n)>]
            ins(%a, %b : )" +
                    left + ", " + right + ") outs(%c : " + result + ") -> " + result +
                    "\n return %0 : " + result + " }");
    Tensor start(ElementType::F32, {rows, 2});
    llvm::fill(start.getMutable<float>(), 5.0f);
    TensorList results = test.run(
        {Tensor(ElementType::F32, {rows, inner}), Tensor(ElementType::F32, {inner, 2}), start});
    EXPECT_EQ(toDoubles(results[0]), std::vector<double>(rows * 2, 5.0));
  }
}

TEST(Interpreter, IntegersWrapAndCompareWithoutSign) {
  TestModule test(R"(
    func.func @main(%a: tensor<3xi8>, %b: tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi1>, tensor<3xi8>, tensor<3xi32>, tensor<3xf32>) {
      %0 = arith.addi %a, %b : tensor<3xi8>
      %1 = arith.cmpi ult, %a, %b : tensor<3xi8>
      %2 = arith.divui %a, %b : tensor<3xi8>
      %3 = arith.extui %a : tensor<3xi8> to tensor<3xi32>
      %4 = arith.uitofp %a : tensor<3xi8> to tensor<3xf32>
      return %0, %1, %2, %3, %4 : tensor<3xi8>, tensor<3xi1>, tensor<3xi8>, tensor<3xi32>, tensor<3xf32>
    })");
  TensorList results = test.run({makeTensor<int8_t>(ElementType::I8, {3}, {100, -1, 5}),
                                 makeTensor<int8_t>(ElementType::I8, {3}, {100, 2, -1})});
  EXPECT_THAT(toDoubles(results[0]), ElementsAre(-56, 1, 4));
  EXPECT_THAT(toDoubles(results[1]), ElementsAre(0, 0, 1));
  EXPECT_THAT(toDoubles(results[2]), ElementsAre(1, 127, 0));
  EXPECT_THAT(toDoubles(results[3]), ElementsAre(100, 255, 5));
  EXPECT_THAT(toDoubles(results[4]), ElementsAre(100, 255, 5));
}

TEST(Interpreter, BitsHaveNoSign) {
  TestModule test(R"(
    func.func @main(%a: tensor<2xi1>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xf32>) {
      %0 = arith.extui %a : tensor<2xi1> to tensor<2xi32>
      %1 = arith.extsi %a : tensor<2xi1> to tensor<2xi32>
      %t = arith.constant dense<true> : tensor<2xi1>
      %2 = arith.xori %a, %t : tensor<2xi1>
      %3 = arith.uitofp %a : tensor<2xi1> to tensor<2xf32>
      return %0, %1, %2, %3 : tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xf32>
    })");
  TensorList results = test.run({makeTensor<uint8_t>(ElementType::I1, {2}, {1, 0})});
  EXPECT_THAT(toDoubles(results[0]), ElementsAre(1, 0));
  EXPECT_THAT(toDoubles(results[1]), ElementsAre(-1, 0));
  EXPECT_THAT(toDoubles(results[2]), ElementsAre(0, 1));
  EXPECT_THAT(toDoubles(results[3]), ElementsAre(1, 0));
}

/// Each operation rounds to bf16, unless floats are computed as f64.
TEST(Interpreter, SmallFloatsRoundAfterEachOperation) {
  TestModule test(R"(
    func.func @main(%a: tensor<1xbf16>, %b: tensor<1xbf16>) -> tensor<1xbf16> {
      %0 = arith.addf %a, %b : tensor<1xbf16>
      %1 = arith.subf %0, %a : tensor<1xbf16>
      return %1 : tensor<1xbf16>
    })");
  TensorList arguments = {Tensor::makeScalar(256.0).reshape({1}),
                          Tensor::makeScalar(0.5).reshape({1})};
  EXPECT_THAT(toDoubles(test.run(arguments)[0]), ElementsAre(0));
  EXPECT_THAT(toDoubles(test.run(arguments, {.floatsAsF64 = true})[0]), ElementsAre(0.5));
}

std::string makeContract(StringRef left, StringRef right, StringRef result, StringRef maps) {
  return ("func.func @main(%a: tensor<" + left + ">, %b: tensor<" + right + ">, %c: tensor<" +
          result + ">) -> tensor<" + result + "> {\n  %0 = linalg.contract indexing_maps = [" +
          maps + "] ins(%a, %b : tensor<" + left + ">, tensor<" + right + ">) outs(%c : tensor<" +
          result + ">) -> tensor<" + result + ">\n  return %0 : tensor<" + result + ">\n}")
      .str();
}

Tensor count(llvm::ArrayRef<int64_t> shape, ElementType type = ElementType::F32) {
  Tensor result(ElementType::F64, shape);
  for (int64_t i = 0; i < result.getNumElements(); ++i)
    result.getMutable<double>()[i] = i + 1;
  return result.convert(type);
}

TEST(Interpreter, ContractIsAMatrixProduct) {
  TestModule test(makeContract("2x3xf32", "3x2xf32", "2x2xf32",
                               "affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, "
                               "affine_map<(i, j, k) -> (i, j)>"));
  Tensor ones = floats({2, 2}, {1, 1, 1, 1});
  EXPECT_THAT(toDoubles(test.run({count({2, 3}), count({3, 2}), ones})[0]),
              ElementsAre(23, 29, 50, 65));
  EXPECT_THAT(toDoubles(ones), ElementsAre(1, 1, 1, 1));
}

/// Every order of the operands' and the result's dimensions gives the same numbers, permuted.
TEST(Interpreter, ContractWithBatchAndPermutations) {
  // c[m, b, n] = sum over k of a[k, b, m] * w[b, n, k]
  TestModule test(
      makeContract("3x2x4xf32", "2x5x3xf32", "4x2x5xf32",
                   "affine_map<(b, m, n, k) -> (k, b, m)>, affine_map<(b, m, n, k) -> (b, n, k)>, "
                   "affine_map<(b, m, n, k) -> (m, b, n)>"));
  Tensor a = count({3, 2, 4}), w = count({2, 5, 3});
  TensorList results = test.run({a, w, Tensor(ElementType::F32, {4, 2, 5})});
  for (int m = 0; m < 4; ++m)
    for (int b = 0; b < 2; ++b)
      for (int n = 0; n < 5; ++n) {
        double sum = 0;
        for (int k = 0; k < 3; ++k)
          sum += a.getAsDouble((k * 2 + b) * 4 + m) * w.getAsDouble((b * 5 + n) * 3 + k);
        EXPECT_EQ(results[0].getAsDouble((m * 2 + b) * 5 + n), sum);
      }
}

TEST(Interpreter, ContractOfSmallFloatsAndIntegers) {
  StringRef maps = "affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, "
                   "affine_map<(i, j, k) -> (i, j)>";
  TestModule mixed(makeContract("1x2xbf16", "1x2xbf16", "1x1xf32", maps));
  EXPECT_THAT(
      toDoubles(mixed.run({count({1, 2}), count({1, 2}), Tensor(ElementType::F32, {1, 1})})[0]),
      ElementsAre(5));
  TestModule integers(makeContract("1x2xi32", "1x2xi32", "1x1xi32", maps));
  EXPECT_THAT(
      toDoubles(integers.run({count({1, 2}, ElementType::I32), count({1, 2}, ElementType::I32),
                              Tensor(ElementType::I32, {1, 1})})[0]),
      ElementsAre(5));
}

TEST(Interpreter, SlicesPadsConcats) {
  TestModule test(R"(
    func.func @main(%a: tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2x4xf32>, tensor<3x5xf32>, tensor<2x6xf32>) {
      %0 = tensor.extract_slice %a[0, 1] [2, 1] [1, 1] : tensor<2x4xf32> to tensor<2xf32>
      %1 = tensor.extract_slice %a[0, 0] [2, 2] [1, 2] : tensor<2x4xf32> to tensor<2x2xf32>
      %2 = tensor.insert_slice %1 into %a[0, 2] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x4xf32>
      %z = arith.constant 9.0 : f32
      %3 = tensor.pad %a low[1, 0] high[0, 1] {
      ^bb0(%i: index, %j: index):
        tensor.yield %z : f32
      } : tensor<2x4xf32> to tensor<3x5xf32>
      %4 = tensor.concat dim(1) %1, %a : (tensor<2x2xf32>, tensor<2x4xf32>) -> tensor<2x6xf32>
      return %0, %2, %3, %4 : tensor<2xf32>, tensor<2x4xf32>, tensor<3x5xf32>, tensor<2x6xf32>
    })");
  TensorList results = test.run({count({2, 4})});
  EXPECT_THAT(toDoubles(results[0]), ElementsAre(2, 6));
  EXPECT_THAT(toDoubles(results[1]), ElementsAre(1, 2, 1, 3, 5, 6, 5, 7));
  EXPECT_THAT(toDoubles(results[2]), ElementsAre(9, 9, 9, 9, 9, 1, 2, 3, 4, 9, 5, 6, 7, 8, 9));
  EXPECT_THAT(toDoubles(results[3]), ElementsAre(1, 3, 1, 2, 3, 4, 5, 7, 5, 6, 7, 8));
}

TEST(Interpreter, ModelOperations) {
  TestModule test(R"(
    func.func @main(%t: tensor<3x2xf32>, %i: tensor<4xi32>, %x: tensor<2x3xf32>)
        -> (tensor<4x2xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xi32>) {
      %0 = model.lookup %t, %i : (tensor<3x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
      %1 = model.lookup_grad %0, %i : (tensor<4x2xf32>, tensor<4xi32>) -> tensor<3x2xf32>
      %2 = model.cumulative_sum %x dim 1 : tensor<2x3xf32>
      %3 = model.cumulative_sum %x dim 0 reverse : tensor<2x3xf32>
      %4, %5 = model.top_k %x : tensor<2x3xf32> -> tensor<2x2xf32>, tensor<2x2xi32>
      return %0, %1, %2, %3, %4, %5
          : tensor<4x2xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xi32>
    })");
  TensorList results =
      test.run({count({3, 2}), makeTensor<int32_t>(ElementType::I32, {4}, {2, 0, 9, -7}),
                floats({2, 3}, {1, 2, 2, 5, 3, 4})});
  EXPECT_THAT(toDoubles(results[0]), ElementsAre(5, 6, 1, 2, 5, 6, 1, 2));
  EXPECT_THAT(toDoubles(results[1]), ElementsAre(2, 4, 0, 0, 10, 12));
  EXPECT_THAT(toDoubles(results[2]), ElementsAre(1, 3, 5, 5, 8, 12));
  EXPECT_THAT(toDoubles(results[3]), ElementsAre(6, 5, 6, 5, 3, 4));
  EXPECT_THAT(toDoubles(results[4]), ElementsAre(2, 2, 5, 4));
  EXPECT_THAT(toDoubles(results[5]), ElementsAre(1, 2, 0, 2));
}

TEST(Interpreter, MaskedRowsAreZeros) {
  TestModule test(R"(
    func.func @main(%t: tensor<3x2xf32>, %i: tensor<4xi32>, %g: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<3x2xf32>) {
      %0 = model.lookup %t, %i masked : (tensor<3x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
      %1 = model.lookup_grad %g, %i masked : (tensor<4x2xf32>, tensor<4xi32>) -> tensor<3x2xf32>
      return %0, %1 : tensor<4x2xf32>, tensor<3x2xf32>
    })");
  TensorList results =
      test.run({count({3, 2}), makeTensor<int32_t>(ElementType::I32, {4}, {2, 0, 3, -1}),
                floats({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8})});
  EXPECT_THAT(toDoubles(results[0]), ElementsAre(5, 6, 1, 2, 0, 0, 0, 0));
  EXPECT_THAT(toDoubles(results[1]), ElementsAre(3, 4, 0, 0, 1, 2));
}

TEST(Interpreter, CallsAndInPlaceUpdatesLeaveOperandsAlone) {
  TestModule test(R"(
    func.func private @add(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
          ins(%a : tensor<2xf32>) outs(%b : tensor<2xf32>) {
      ^bb0(%x: f32, %y: f32):
        %s = arith.addf %x, %y : f32
        linalg.yield %s : f32
      } -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %0 = call @add(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %1 = call @add(%a, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %0, %1 : tensor<2xf32>, tensor<2xf32>
    })");
  Tensor a = floats({2}, {1, 10});
  TensorList results = test.run({a});
  EXPECT_THAT(toDoubles(results[0]), ElementsAre(2, 20));
  EXPECT_THAT(toDoubles(results[1]), ElementsAre(3, 30));
  EXPECT_THAT(toDoubles(a), ElementsAre(1, 10));
}

TEST(Interpreter, LongVectorsAreCutIntoChunks) {
  constexpr int64_t size = 5000;
  TestModule test(R"(
    func.func @main(%a: tensor<5000xf32>) -> (tensor<5000xf32>, tensor<f32>) {
      %e = tensor.empty() : tensor<5000xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
          ins(%a : tensor<5000xf32>) outs(%e : tensor<5000xf32>) {
      ^bb0(%x: f32, %o: f32):
        %i = linalg.index 0 : index
        %j = arith.index_cast %i : index to i64
        %f = arith.sitofp %j : i64 to f32
        %s = arith.subf %x, %f : f32
        linalg.yield %s : f32
      } -> tensor<5000xf32>
      %z = arith.constant dense<0.0> : tensor<f32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
          ins(%a : tensor<5000xf32>) outs(%z : tensor<f32>) {
      ^bb0(%x: f32, %o: f32):
        %s = arith.addf %o, %x : f32
        linalg.yield %s : f32
      } -> tensor<f32>
      return %0, %1 : tensor<5000xf32>, tensor<f32>
    })");
  TensorList results = test.run({count({size})});
  EXPECT_EQ(toDoubles(results[0]), std::vector<double>(size, 1));
  EXPECT_EQ(results[1].getAsDouble(), size * (size + 1) / 2);
}

TEST(Interpreter, RefusesWithAMessage) {
  TestModule unknown(R"(
    func.func @main(%a: tensor<?xf32>) -> index {
      %0 = arith.constant 0 : index
      %1 = tensor.dim %a, %0 : tensor<?xf32>
      return %1 : index
    })");
  EXPECT_THAT(unknown.getError({floats({1}, {1})}),
              HasSubstr("argument 0 is of type 'tensor<?xf32>'"));
  TestModule shape(
      "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }");
  EXPECT_THAT(shape.getError({floats({1}, {1})}), HasSubstr("the value given is a tensor<1xf32>"));
  EXPECT_THAT(shape.getError({}), HasSubstr("takes 1 arguments, 0 are given"));
  TestModule recursion("func.func @main() { call @main() : () -> () return }");
  EXPECT_THAT(recursion.getError(), HasSubstr("nests more than 64 calls"));
}

TEST(Interpreter, UnsupportedOperationIsNamed) {
  TestModule test(R"(
    func.func @main(%a: tensor<2xf32>) -> tensor<1x2xf32> {
      %s = arith.constant dense<[1, 2]> : tensor<2xi64>
      %0 = tensor.reshape %a(%s) : (tensor<2xf32>, tensor<2xi64>) -> tensor<1x2xf32>
      return %0 : tensor<1x2xf32>
    })");
  EXPECT_THAT(test.getError({floats({2}, {1, 2})}),
              HasSubstr("'tensor.reshape' op is not supported"));
}

TEST(Interpreter, Functions) {
  TestModule test(R"(
    func.func @main(%a: tensor<1xf64>) -> (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) {
      %0 = math.tanh %a : tensor<1xf64>
      %1 = math.erf %a : tensor<1xf64>
      %2 = math.rsqrt %a : tensor<1xf64>
      %3 = math.powf %a, %a : tensor<1xf64>
      return %0, %1, %2, %3 : tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>
    })");
  TensorList results = test.run({Tensor::makeScalar(0.5).reshape({1})});
  EXPECT_THAT(results[0].getAsDouble(), DoubleNear(std::tanh(0.5), 1e-15));
  EXPECT_THAT(results[1].getAsDouble(), DoubleNear(std::erf(0.5), 1e-15));
  EXPECT_THAT(results[2].getAsDouble(), DoubleNear(std::sqrt(2), 1e-15));
  EXPECT_THAT(results[3].getAsDouble(), DoubleNear(std::sqrt(0.5), 1e-15));
}

} // namespace
