// The tensor class: sharing, conversion, 16-bit floats, attributes.

#include "Evaluate.h"

#include "mlir/IR/Builders.h"

#include <cmath>
#include <gmock/gmock.h>

using namespace mlir;
using namespace planwright::reference;
using ::testing::ElementsAre;

namespace {

TEST(Tensor, CopiesOnWrite) {
  Tensor a = floats({2}, {1, 2});
  Tensor b = a;
  b.getMutable<float>()[0] = 7;
  EXPECT_THAT(toDoubles(a), ElementsAre(1, 2));
  EXPECT_THAT(toDoubles(b), ElementsAre(7, 2));
}

TEST(Tensor, UnwrittenFloatsReadAsNaN) {
  for (ElementType type : {ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64})
    EXPECT_TRUE(std::isnan(Tensor::makeUninitialized(type, {3}).getAsDouble(2)));
}

TEST(Tensor, RoundsToNearestEven) {
  auto throughHalf = [](double x) {
    return Tensor::makeScalar(x).convert(ElementType::F16).getAsDouble();
  };
  EXPECT_EQ(throughHalf(1 + 0x1p-11), 1);              // a tie: down to even
  EXPECT_EQ(throughHalf(1 + 3 * 0x1p-11), 1 + 0x1p-9); // a tie: up to even
  EXPECT_EQ(throughHalf(65504), 65504);
  EXPECT_EQ(throughHalf(65520), INFINITY);
  EXPECT_EQ(throughHalf(-0x1p-24), -0x1p-24); // the smallest subnormal
  EXPECT_EQ(throughHalf(0x1p-26), 0);
  EXPECT_EQ(throughHalf(1023 * 0x1p-24), 1023 * 0x1p-24);
  EXPECT_TRUE(std::isnan(throughHalf(NAN)));
  auto throughBrain = [](double x) {
    return Tensor::makeScalar(x).convert(ElementType::BF16).getAsDouble();
  };
  EXPECT_EQ(throughBrain(1 + 0x1p-8), 1);
  EXPECT_EQ(throughBrain(1 + 3 * 0x1p-8), 1 + 0x1p-6);
  EXPECT_EQ(throughBrain(3.4e38), INFINITY);
  EXPECT_TRUE(std::isnan(throughBrain(NAN)));
}

TEST(Tensor, ConvertsIntegers) {
  EXPECT_EQ(Tensor::makeScalar(int64_t(300)).convert(ElementType::I8).getAsInteger(), 44);
  EXPECT_EQ(Tensor::makeScalar(-2.9).convert(ElementType::I32).getAsInteger(), -2);
  EXPECT_EQ(Tensor::makeScalar(int64_t(3)).convert(ElementType::I1).getAsInteger(), 1);
  EXPECT_EQ(Tensor::makeScalar(double(NAN)).convert(ElementType::I64).getAsInteger(), 0);
}

TEST(Tensor, AttributesRoundTrip) {
  TestModule test(R"(
    func.func @main() -> (tensor<2x2xi1>, tensor<3xbf16>, tensor<2xi8>, tensor<2xf32>, f64, i1) {
      %0 = arith.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
      %1 = arith.constant dense<[1.0, -2.0, 0.5]> : tensor<3xbf16>
      %2 = arith.constant dense<-3> : tensor<2xi8>
      %3 = arith.constant dense<"0x0000803F00000040"> : tensor<2xf32>
      %4 = arith.constant 2.5 : f64
      %5 = arith.constant true
      return %0, %1, %2, %3, %4, %5 : tensor<2x2xi1>, tensor<3xbf16>, tensor<2xi8>, tensor<2xf32>, f64, i1
    })");
  TensorList results = test.run();
  ASSERT_EQ(results.size(), 6u);
  EXPECT_THAT(toDoubles(results[0]), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(toDoubles(results[1]), ElementsAre(1, -2, 0.5));
  EXPECT_THAT(toDoubles(results[2]), ElementsAre(-3, -3));
  EXPECT_THAT(toDoubles(results[3]), ElementsAre(1, 2));
  EXPECT_THAT(toDoubles(results[4]), ElementsAre(2.5));
  EXPECT_THAT(toDoubles(results[5]), ElementsAre(1));
  for (unsigned i = 0; i < 4; ++i) {
    auto type = cast<ShapedType>(test.getMain().getResultTypes()[i]);
    FailureOr<DenseElementsAttr> attribute = results[i].toAttribute(type);
    ASSERT_TRUE(succeeded(attribute));
    EXPECT_EQ(toDoubles(*Tensor::fromAttribute(*attribute)), toDoubles(results[i]));
  }
}

} // namespace
