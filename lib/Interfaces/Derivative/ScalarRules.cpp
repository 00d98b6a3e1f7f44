// The table of scalar derivatives. To add a function, add its row here and its gradient check to
// test/Interfaces/Derivative/scalar-rules.mlir; nothing else.
#include "lib/Interfaces/Derivative/ScalarRules.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace planwright {

namespace {
constexpr double kLn2 = 0.693147180559945309417;
constexpr double kLn10 = 2.30258509299404568402;
constexpr double kTwoOverSqrtPi = 1.12837916709551257390;
using U = const ScalarUse &;
} // namespace

/// d max(x, y) / dx: all of it where x wins, half of it at a tie (as JAX does), nothing else.
static Scalar winner(Scalar g, Scalar wins, Scalar ties) {
  return select(wins, g, select(ties, 0.5 * g, g.constant(0)));
}

/// g * exp'(x). Where nothing flows back, nothing comes out, even if exp overflowed: in 1 / (1 +
/// exp(-x)) for very negative x the gradient that arrives is 0 and exp(-x) is infinite, and 0 * inf
/// would be NaN.
static Scalar throughExp(Scalar g, Scalar derivative) {
  return select(equal(g, g.constant(0)), g.constant(0), g * derivative);
}

/// d x^y / dx = y x^(y-1), without pow for the exponents that models use, and 0 where y is 0 even
/// if x is 0.
static Scalar powerBase(U u) {
  std::optional<double> exponent = getNumber(u.y);
  if (!exponent)
    return select(equal(u.y, u.y.constant(0)), u.g.constant(0), u.g * (u.y * pow(u.x, u.y - 1.0)));
  if (*exponent == 0.0)
    return u.g.constant(0);
  if (*exponent == 1.0)
    return u.g;
  if (*exponent == 2.0)
    return u.g * (2.0 * u.x);
  if (*exponent == 3.0)
    return u.g * (3.0 * (u.x * u.x));
  return u.g * (*exponent * pow(u.x, u.x.constant(*exponent - 1.0)));
}

/// d x^y / dy = x^y log(x), and 0 at x = 0.
static Scalar powerExponent(U u) {
  Scalar zero = u.g.constant(0);
  return select(equal(u.x, zero), zero, u.g * (u.out * log(u.x)));
}

// clang-format off
static const ScalarRule kRules[] = {
    // Arithmetic.
    {"arith.addf", {[](U u) { return u.g; }, [](U u) { return u.g; }}},
    {"arith.subf", {[](U u) { return u.g; }, [](U u) { return -u.g; }}},
    {"arith.mulf", {[](U u) { return u.g * u.y; }, [](U u) { return u.g * u.x; }}},
    {"arith.divf", {[](U u) { return u.g / u.y; }, [](U u) { return -((u.g * u.out) / u.y); }}},
    {"arith.remf", {[](U u) { return u.g; }, [](U u) { return -(u.g * trunc(u.x / u.y)); }}},
    {"arith.negf", {[](U u) { return -u.g; }}},
    {"math.fma", {[](U u) { return u.g * u.y; }, [](U u) { return u.g * u.x; }, [](U u) { return u.g; }}},

    // Choices.
    {"arith.select", {nullptr, [](U u) { return select(u.x, u.g, u.g.constant(0)); },
                               [](U u) { return select(u.x, u.g.constant(0), u.g); }}},
    {"arith.maximumf", {[](U u) { return winner(u.g, u.x > u.y, equal(u.x, u.y)); },
                        [](U u) { return winner(u.g, u.x < u.y, equal(u.x, u.y)); }}},
    {"arith.maxnumf", {[](U u) { return winner(u.g, u.x > u.y, equal(u.x, u.y)); },
                       [](U u) { return winner(u.g, u.x < u.y, equal(u.x, u.y)); }}},
    {"arith.minimumf", {[](U u) { return winner(u.g, u.x < u.y, equal(u.x, u.y)); },
                        [](U u) { return winner(u.g, u.x > u.y, equal(u.x, u.y)); }}},
    {"arith.minnumf", {[](U u) { return winner(u.g, u.x < u.y, equal(u.x, u.y)); },
                       [](U u) { return winner(u.g, u.x > u.y, equal(u.x, u.y)); }}},
    {"math.clampf", {[](U u) { return select(u.x > u.y, select(u.x < u.z, u.g, u.g.constant(0)), u.g.constant(0)); },
                     [](U u) { return select(u.x < u.y, u.g, u.g.constant(0)); },
                     [](U u) { return select(u.x > u.z, u.g, u.g.constant(0)); }}},
    {"math.absf", {[](U u) { Scalar zero = u.g.constant(0);
                             return select(u.x > zero, u.g, select(u.x < zero, -u.g, zero)); }}},
    {"math.copysign", {[](U u) { return u.g * (copysign(u.x.constant(1), u.x) * copysign(u.x.constant(1), u.y)); }}},

    // Conversions. Those from and to integers end the path.
    {"arith.extf", {[](U u) { return u.g.convert(u.x.getType()); }}},
    {"arith.truncf", {[](U u) { return u.g.convert(u.x.getType()); }}},

    // Steps: flat wherever the derivative exists.
    {"math.floor", {}},
    {"math.ceil", {}},
    {"math.round", {}},
    {"math.roundeven", {}},
    {"math.trunc", {}},

    // Exponentials and logarithms.
    {"math.exp", {[](U u) { return throughExp(u.g, u.out); }}},
    {"math.exp2", {[](U u) { return throughExp(u.g, kLn2 * u.out); }}},
    {"math.expm1", {[](U u) { return throughExp(u.g, u.out + 1.0); }}},
    {"math.log", {[](U u) { return u.g / u.x; }}},
    {"math.log2", {[](U u) { return u.g / (kLn2 * u.x); }}},
    {"math.log10", {[](U u) { return u.g / (kLn10 * u.x); }}},
    {"math.log1p", {[](U u) { return u.g / (1.0 + u.x); }}},

    // Powers and roots.
    {"math.powf", {powerBase, powerExponent}},
    {"math.sqrt", {[](U u) { return 0.5 * (u.g / u.out); }}},
    {"math.rsqrt", {[](U u) { return -0.5 * (u.g * (u.out / u.x)); }}},
    {"math.cbrt", {[](U u) { return u.g / (3.0 * (u.out * u.out)); }}},

    // Trigonometric and hyperbolic functions.
    {"math.sin", {[](U u) { return u.g * cos(u.x); }}},
    {"math.cos", {[](U u) { return -(u.g * sin(u.x)); }}},
    {"math.tan", {[](U u) { return u.g * (1.0 + u.out * u.out); }}},
    {"math.asin", {[](U u) { return u.g / sqrt(1.0 - u.x * u.x); }}},
    {"math.acos", {[](U u) { return -(u.g / sqrt(1.0 - u.x * u.x)); }}},
    {"math.atan", {[](U u) { return u.g / (1.0 + u.x * u.x); }}},
    {"math.atan2", {[](U u) { return u.g * (u.y / (u.x * u.x + u.y * u.y)); },
                    [](U u) { return -(u.g * (u.x / (u.x * u.x + u.y * u.y))); }}},
    {"math.sinh", {[](U u) { return u.g * cosh(u.x); }}},
    {"math.cosh", {[](U u) { return u.g * sinh(u.x); }}},
    {"math.tanh", {[](U u) { return u.g * (1.0 - u.out * u.out); }}},
    {"math.asinh", {[](U u) { return u.g / sqrt(u.x * u.x + 1.0); }}},
    {"math.acosh", {[](U u) { return u.g / sqrt(u.x * u.x - 1.0); }}},
    {"math.atanh", {[](U u) { return u.g / (1.0 - u.x * u.x); }}},

    // The error function.
    {"math.erf", {[](U u) { return u.g * (kTwoOverSqrtPi * exp(-(u.x * u.x))); }}},
    {"math.erfc", {[](U u) { return u.g * (-kTwoOverSqrtPi * exp(-(u.x * u.x))); }}},
};
// clang-format on

llvm::ArrayRef<ScalarRule> getScalarRules() { return kRules; }

const ScalarRule *findScalarRule(StringRef name) {
  static const llvm::StringMap<const ScalarRule *> table = [] {
    llvm::StringMap<const ScalarRule *> rows;
    for (const ScalarRule &rule : kRules)
      rows.try_emplace(rule.name, &rule);
    return rows;
  }();
  auto row = table.find(name);
  return row == table.end() ? nullptr : row->second;
}

} // namespace planwright
