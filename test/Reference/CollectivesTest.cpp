// Collectives on a grid of four pretend ranks that hold 1, 10, 100 and 1000: a wrong group shows in
// the digits.

#include "Evaluate.h"

#include <gmock/gmock.h>

using namespace mlir;
using namespace planwright::reference;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// What rank r gives @main: {v, 2 v} with v = 10^r.
TensorList makeArguments(int64_t rank) {
  float value = std::vector<float>{1, 10, 100, 1000}[rank];
  return {floats({2}, {value, 2 * value})};
}

/// Runs a one-operation function on the 2 x 2 mesh and gives each rank's result.
std::vector<std::vector<double>> runOnFour(StringRef operation, StringRef resultType,
                                           InterpreterOptions options = {}) {
  TestModule test(("module attributes {plan.mesh = #plan.mesh<dp = 2, tp = 2, mb = 2>} {\n"
                   "func.func @main(%a: tensor<2xf32>) -> " +
                   resultType + " {\n" + operation + "\nreturn %0 : " + resultType + "\n} }")
                      .str());
  Interpreter interpreter(*test.get(), options);
  SmallVector<TensorList> arguments;
  for (int64_t rank = 0; rank < 4; ++rank)
    arguments.push_back(makeArguments(rank));
  FailureOr<SmallVector<TensorList>> results = interpreter.runOnRanks(test.getMain(), arguments);
  EXPECT_TRUE(succeeded(results)) << test.getErrors();
  std::vector<std::vector<double>> values;
  if (succeeded(results))
    for (const TensorList &list : *results)
      values.push_back(toDoubles(list[0]));
  return values;
}

TEST(Collectives, AllReduce) {
  EXPECT_THAT(runOnFour(R"(%0 = comm.all_reduce %a axes = ["dp"] combiner = sum : tensor<2xf32>)",
                        "tensor<2xf32>"),
              ElementsAre(ElementsAre(101, 202), ElementsAre(1010, 2020), ElementsAre(101, 202),
                          ElementsAre(1010, 2020)));
  EXPECT_THAT(runOnFour(R"(%0 = comm.all_reduce %a axes = ["tp"] combiner = max : tensor<2xf32>)",
                        "tensor<2xf32>"),
              ElementsAre(ElementsAre(10, 20), ElementsAre(10, 20), ElementsAre(1000, 2000),
                          ElementsAre(1000, 2000)));
  EXPECT_THAT(
      runOnFour(R"(%0 = comm.all_reduce %a axes = ["dp", "tp"] combiner = sum : tensor<2xf32>)",
                "tensor<2xf32>"),
      ::testing::Each(ElementsAre(1111, 2222)));
}

/// Blocks are numbered row-major over the axes in the order given.
TEST(Collectives, AllGatherFollowsTheOrderOfAxes) {
  EXPECT_THAT(
      runOnFour(
          R"(%0 = comm.all_gather %a dim = 0 axes = ["dp", "tp"] : tensor<2xf32> -> tensor<8xf32>)",
          "tensor<8xf32>"),
      ::testing::Each(ElementsAre(1, 2, 10, 20, 100, 200, 1000, 2000)));
  EXPECT_THAT(
      runOnFour(
          R"(%0 = comm.all_gather %a dim = 0 axes = ["tp", "dp"] : tensor<2xf32> -> tensor<8xf32>)",
          "tensor<8xf32>"),
      ::testing::Each(ElementsAre(1, 2, 100, 200, 10, 20, 1000, 2000)));
}

TEST(Collectives, ReduceScatter) {
  EXPECT_THAT(
      runOnFour(
          R"(%0 = comm.reduce_scatter %a dim = 0 axes = ["tp"] combiner = sum : tensor<2xf32> -> tensor<1xf32>)",
          "tensor<1xf32>"),
      ElementsAre(ElementsAre(11), ElementsAre(22), ElementsAre(1100), ElementsAre(2200)));
}

TEST(Collectives, AllToAll) {
  EXPECT_THAT(
      runOnFour(
          R"(%e = tensor.expand_shape %a [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
      %0 = comm.all_to_all %e split_dim = 0 concat_dim = 1 axes = ["tp"] : tensor<2x1xf32> -> tensor<1x2xf32>)",
          "tensor<1x2xf32>"),
      ElementsAre(ElementsAre(1, 10), ElementsAre(2, 20), ElementsAre(100, 1000),
                  ElementsAre(200, 2000)));
}

TEST(Collectives, AllSliceKnowsTheMicroBatch) {
  StringRef slice =
      R"(%0 = comm.all_slice %a dim = 0 axes = ["mb"] : tensor<2xf32> -> tensor<1xf32>)";
  EXPECT_THAT(runOnFour(slice, "tensor<1xf32>", {.microBatch = 1}),
              ElementsAre(ElementsAre(2), ElementsAre(20), ElementsAre(200), ElementsAre(2000)));
  StringRef byRank =
      R"(%0 = comm.all_slice %a dim = 0 axes = ["dp"] : tensor<2xf32> -> tensor<1xf32>)";
  EXPECT_THAT(runOnFour(byRank, "tensor<1xf32>"),
              ElementsAre(ElementsAre(1), ElementsAre(10), ElementsAre(200), ElementsAre(2000)));
}

TEST(Collectives, UnknownAxisAndMissingRanksAreRefused) {
  TestModule axis(R"(module attributes {plan.mesh = #plan.mesh<dp = 1>} {
    func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = comm.all_reduce %a axes = ["tp"] combiner = sum : tensor<2xf32>
      return %0 : tensor<2xf32>
    } })");
  EXPECT_THAT(axis.getError({floats({2}, {1, 2})}),
              HasSubstr("names axis \"tp\", which plan.mesh does not have"));
  TestModule ranks(R"(module attributes {plan.mesh = #plan.mesh<dp = 2>} {
    func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = comm.all_reduce %a axes = ["dp"] combiner = sum : tensor<2xf32>
      return %0 : tensor<2xf32>
    } })");
  EXPECT_THAT(ranks.getError({floats({2}, {1, 2})}),
              HasSubstr("runs on 1 ranks where plan.mesh has 2"));
}

TEST(RankGrid, CoordinatesAndGroups) {
  RankGrid grid({"dp", "tp"}, {2, 3});
  EXPECT_EQ(grid.getNumRanks(), 6);
  EXPECT_EQ(grid.getCoordinate(4, "dp"), 1);
  EXPECT_EQ(grid.getCoordinate(4, "tp"), 1);
  EXPECT_EQ(grid.getCoordinate(4, "pp"), 0);
  EXPECT_EQ(grid.getSize("pp"), 1);
  EXPECT_THAT(grid.getGroups({"dp"}),
              ElementsAre(ElementsAre(0, 3), ElementsAre(1, 4), ElementsAre(2, 5)));
  EXPECT_THAT(grid.getGroups({"tp"}), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3, 4, 5)));
  EXPECT_THAT(grid.getGroups({"tp", "dp"}), ElementsAre(ElementsAre(0, 3, 1, 4, 2, 5)));
}

} // namespace
