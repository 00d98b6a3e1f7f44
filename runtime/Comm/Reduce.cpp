// Element-wise combination, one instance per type and reduction.

#include "runtime/Comm/Reduce.h"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace planwright::rt {

float bfloat16ToFloat(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

uint16_t floatToBfloat16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (value != value) // Keep a NaN a NaN: rounding could carry it into infinity.
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float halfToFloat(uint16_t bits) { return static_cast<float>(std::bit_cast<_Float16>(bits)); }

uint16_t floatToHalf(float value) { return std::bit_cast<uint16_t>(static_cast<_Float16>(value)); }

namespace {

struct Bfloat16 {
  uint16_t bits;
};
struct Half {
  uint16_t bits;
};

/// Storage type to arithmetic type and back.
template <typename T> struct Arithmetic {
  static T load(T value) { return value; }
  static T store(T value) { return value; }
};
template <> struct Arithmetic<Bfloat16> {
  static float load(Bfloat16 value) { return bfloat16ToFloat(value.bits); }
  static Bfloat16 store(float value) { return {floatToBfloat16(value)}; }
};
template <> struct Arithmetic<Half> {
  static float load(Half value) { return halfToFloat(value.bits); }
  static Half store(float value) { return {floatToHalf(value)}; }
};

struct Sum {
  template <typename T> static T combine(T a, T b) {
    // Integers wrap around.
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) +
                            static_cast<std::make_unsigned_t<T>>(b));
    else
      return a + b;
  }
};
struct Max {
  template <typename T> static T combine(T a, T b) { return (a > b || a != a) ? a : b; }
};
struct Min {
  template <typename T> static T combine(T a, T b) { return (a < b || a != a) ? a : b; }
};

} // namespace

template <typename Operation, typename T>
static void reduceLoop(void *accumulator, const void *operand, size_t count) {
  T *to = static_cast<T *>(accumulator);
  const T *from = static_cast<const T *>(operand);
  using A = Arithmetic<T>;
  for (size_t i = 0; i < count; ++i)
    to[i] = A::store(Operation::combine(A::load(to[i]), A::load(from[i])));
}

template <typename T>
static void reduceTyped(void *accumulator, const void *operand, size_t count,
                        fb::Reduction reduction) {
  switch (reduction) {
  case fb::Reduction::sum:
    return reduceLoop<Sum, T>(accumulator, operand, count);
  case fb::Reduction::max:
    return reduceLoop<Max, T>(accumulator, operand, count);
  case fb::Reduction::min:
    return reduceLoop<Min, T>(accumulator, operand, count);
  }
}

void reduceInto(void *accumulator, const void *operand, size_t count, fb::ElementType type,
                fb::Reduction reduction) {
  switch (type) {
  case fb::ElementType::i1:
  case fb::ElementType::i8:
    return reduceTyped<int8_t>(accumulator, operand, count, reduction);
  case fb::ElementType::i16:
    return reduceTyped<int16_t>(accumulator, operand, count, reduction);
  case fb::ElementType::i32:
    return reduceTyped<int32_t>(accumulator, operand, count, reduction);
  case fb::ElementType::i64:
    return reduceTyped<int64_t>(accumulator, operand, count, reduction);
  case fb::ElementType::f16:
    return reduceTyped<Half>(accumulator, operand, count, reduction);
  case fb::ElementType::bf16:
    return reduceTyped<Bfloat16>(accumulator, operand, count, reduction);
  case fb::ElementType::f32:
    return reduceTyped<float>(accumulator, operand, count, reduction);
  case fb::ElementType::f64:
    return reduceTyped<double>(accumulator, operand, count, reduction);
  }
}

} // namespace planwright::rt
