// A linear model as a compiled plan: small enough to check by hand, complete enough to use every
// part of the runtime.

#ifndef PLANWRIGHT_TEST_RUNTIME_SUPPORT_TESTPLAN_H
#define PLANWRIGHT_TEST_RUNTIME_SUPPORT_TESTPLAN_H

#include "runtime/Data/Safetensors.h"
#include "runtime/Executor/KernelLibraries.h"
#include "runtime/Format/program_generated.h"

#include <string>
#include <vector>

namespace planwright::rt::test {

struct TestPlanOptions {
  int64_t dp = 1;
  int64_t microBatches = 1;
  bool divideWeight =
      false; // "w" and its gradient lie on dp, for tests of slices; such a plan is not run.
  bool rests = false;   // Each step takes at least 0.1 s.
  bool lingers = false; // The rank with coordinate 1 takes a second for each step.
  bool crashes = false; // The rank with coordinate 1 dies of a signal.
};

/// w: f32 [4], x: f32 [8, 4], t: f32 [8]; loss = mean (x . w - t)^2 / 2, plain gradient descent
/// with rate 0.1. Arena offsets are multiples of 64; the x and t of micro-batches follow each
/// other.
fb::ProgramT makeProgram(const TestPlanOptions &options);

/// A model of tokens, without tasks: "ids" and "next" i32 [4, 3] in range [0, 50), for dp = 2, mb
/// = 2.
fb::ProgramT makeTokenProgram();

/// As the bytes of program.fb.
std::vector<std::byte> serialize(const fb::ProgramT &program);

/// A fresh folder, removed when the test ends.
std::string makeTemporaryFolder();

/// Writes a plan folder with the test kernels in it.
std::string writePlan(const fb::ProgramT &program);

/// The test kernels of a program.
KernelLibraries openTestKernels(const fb::Program &program);

/// One tensor with its data.
struct OwnedTensor {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;
};
template <typename T>
OwnedTensor makeTensor(std::string name, DType dtype, std::vector<int64_t> shape,
                       const std::vector<T> &values) {
  const auto *begin = reinterpret_cast<const std::byte *>(values.data());
  return {std::move(name), dtype, std::move(shape), {begin, begin + values.size() * sizeof(T)}};
}

/// Writes a safetensors file into a fresh folder and returns its path.
std::string writeTensorFile(const std::vector<OwnedTensor> &tensors);

/// The model's weights, and `count` batches of data, in one file.
std::string writeLinearData(int64_t count);
std::vector<float> getLinearWeights();
std::vector<float> getLinearX(int64_t batch);
std::vector<float> getLinearT(int64_t batch);

/// Losses of the first `steps` steps, computed in double, and the weights after them.
std::vector<double> trainLinear(int64_t steps, int64_t batches, std::vector<double> &weights);

} // namespace planwright::rt::test

#endif // PLANWRIGHT_TEST_RUNTIME_SUPPORT_TESTPLAN_H
