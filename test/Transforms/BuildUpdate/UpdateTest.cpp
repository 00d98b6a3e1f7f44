// Runs @update on the reference interpreter for some steps and compares with the same optimizer
// written out in plain C++. Not here: the text of @update (model-build-update.mlir).
#include "lib/Transforms/BuildUpdate/Passes.h"
#include "test/Reference/Evaluate.h"

#include "mlir/Pass/PassManager.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace planwright::reference {
namespace {

constexpr const char *kBackward = R"(
func.func @main.bwd(%w: tensor<2x2xf32> {model.argument = #model.argument<parameter, name = "w">},
                    %b: tensor<2xf32> {model.argument = #model.argument<parameter, name = "b">})
    -> (tensor<2x2xf32> {plan.object = #plan.object<gradient, "w">},
        tensor<2xf32> {plan.object = #plan.object<gradient, "b">}) {
  return %w, %b : tensor<2x2xf32>, tensor<2xf32>
}
)";

using Numbers = std::vector<double>;

/// @update, fed with made-up gradients.
class Update {
public:
  explicit Update(const BuildUpdatePassOptions &options) : module(kBackward) {
    PassManager manager(module.get()->getContext());
    manager.addPass(createBuildUpdatePass(options));
    EXPECT_TRUE(succeeded(manager.run(*module.get()))) << module.getErrors();
    update = module.get()->lookupSymbol<func::FuncOp>("update");
    for (Type type : update.getArgumentTypes().drop_front())
      state.push_back(Tensor(ElementType::F64, cast<RankedTensorType>(type).getShape()));
    set(state[0], {1.0, -2.0, 3.0, 0.5});
    set(state[1], {0.25, -0.75});
  }

  /// One step with gradients `g`, first those of w, then those of b.
  void step(const Numbers &g) {
    set(state[2], {g.begin(), g.begin() + 4});
    set(state[3], {g.begin() + 4, g.end()});
    TensorList arguments = {Tensor::makeScalar(++count)};
    arguments.append(state);
    FailureOr<TensorList> results =
        Interpreter(*module.get(), {.floatsAsF64 = true}).run(update, arguments);
    ASSERT_TRUE(succeeded(results)) << module.getErrors();
    // Parameters come back first, then the states, which are the arguments after the gradients.
    std::copy(results->begin(), results->begin() + 2, state.begin());
    std::copy(results->begin() + 2, results->end() - 2, state.begin() + 4);
    learningRate = results->end()[-2].getAsDouble();
    gradNorm = results->end()[-1].getAsDouble();
  }

  /// w and b after the last step.
  Numbers getParameters() const {
    Numbers numbers;
    for (const Tensor &tensor : ArrayRef(state).take_front(2))
      numbers.insert(numbers.end(), tensor.get<double>().begin(), tensor.get<double>().end());
    return numbers;
  }

  double learningRate = 0.0, gradNorm = 0.0;

private:
  static void set(Tensor &tensor, const Numbers &numbers) {
    llvm::copy(numbers, tensor.getMutable<double>().begin());
  }

  TestModule module;
  func::FuncOp update;
  TensorList state;
  int64_t count = 0;
};

Numbers getGradients(int step) {
  Numbers gradients;
  for (int i = 0; i < 6; ++i)
    gradients.push_back(std::sin(1.0 + i + 0.7 * step) * (i + 1));
  return gradients;
}

double getNorm(const Numbers &numbers) {
  double sum = 0.0;
  for (double number : numbers)
    sum += number * number;
  return std::sqrt(sum);
}

void expectNear(const Numbers &actual, const Numbers &expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], 1e-6) << "element " << i;
}

const Numbers kStart = {1.0, -2.0, 3.0, 0.5, 0.25, -0.75};

TEST(UpdateTest, PlainSgd) {
  BuildUpdatePassOptions options;
  options.optimizer = "sgd:lr=0.1";
  Update update(options);
  Numbers p = kStart;
  for (int step = 0; step < 3; ++step) {
    Numbers g = getGradients(step);
    update.step(g);
    for (size_t i = 0; i < p.size(); ++i)
      p[i] -= 0.1 * g[i];
    EXPECT_NEAR(update.learningRate, 0.1, 1e-8);
    EXPECT_NEAR(update.gradNorm, getNorm(g), 1e-6);
  }
  expectNear(update.getParameters(), p);
}

TEST(UpdateTest, MomentumAndDecay) {
  BuildUpdatePassOptions options;
  options.optimizer = "sgd:lr=0.1,momentum=0.9,weight-decay=0.5";
  options.noDecay = "^b$";
  Update update(options);
  Numbers p = kStart, m(6, 0.0);
  for (int step = 0; step < 3; ++step) {
    Numbers g = getGradients(step);
    update.step(g);
    for (size_t i = 0; i < p.size(); ++i) {
      m[i] = 0.9 * m[i] + g[i];
      p[i] -= 0.1 * (m[i] + (i < 4 ? 0.5 * p[i] : 0.0));
    }
  }
  expectNear(update.getParameters(), p);
}

TEST(UpdateTest, AdamWWithClippingAndSchedule) {
  BuildUpdatePassOptions options;
  options.optimizer = "adamw:lr=0.01,beta1=0.9,beta2=0.95,eps=1e-8,weight-decay=0.1";
  options.schedule = "cosine:warmup=2,steps=6,min=0.1";
  options.clipNorm = 1.5;
  Update update(options);
  Numbers p = kStart, m(6, 0.0), v(6, 0.0);
  for (int t = 1; t <= 8; ++t) {
    Numbers g = getGradients(t);
    update.step(g);
    double progress = std::clamp((t - 2.0) / 4.0, 0.0, 1.0);
    double rate = 0.01 * std::min(1.0, t / 2.0) *
                  (0.1 + 0.9 * 0.5 * (1.0 + std::cos(std::numbers::pi * progress)));
    double factor = std::min(1.0, 1.5 / (getNorm(g) + 1e-6));
    for (size_t i = 0; i < p.size(); ++i) {
      double clipped = factor * g[i];
      m[i] = 0.9 * m[i] + 0.1 * clipped;
      v[i] = 0.95 * v[i] + 0.05 * clipped * clipped;
      double mhat = m[i] / (1.0 - std::pow(0.9, t)), vhat = v[i] / (1.0 - std::pow(0.95, t));
      p[i] -= rate * (mhat / (std::sqrt(vhat) + 1e-8) + 0.1 * p[i]);
    }
    EXPECT_NEAR(update.learningRate, rate, 1e-8) << "step " << t;
    EXPECT_NEAR(update.gradNorm, getNorm(g), 1e-6);
  }
  expectNear(update.getParameters(), p);
}

} // namespace
} // namespace planwright::reference
