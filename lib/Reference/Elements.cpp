// Loads and stores of every element type, and the 16-bit float formats.

#include "Elements.h"

#include <bit>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace planwright::reference {

Lane getLane(ElementType type) {
  if (type == ElementType::F64)
    return Lane::F64;
  return isFloat(type) ? Lane::F32 : Lane::I64;
}

float floatFromHalf(uint16_t bits) {
  uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31, mantissa = bits & 1023;
  if (exponent == 0) {
    float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  uint32_t biased = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | biased << 23 | mantissa << 13);
}

uint16_t halfFromFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint16_t sign = bits >> 16 & 0x8000;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000)
    return sign | 0x7e00;
  if (bits >= 0x477ff000) // 65520, which rounds up to infinity
    return sign | 0x7c00;
  if (bits <
      0x38800000) // Below 2^-14: adding 0.5 makes the float's last place that of a subnormal half.
    return sign | (std::bit_cast<uint32_t>(std::bit_cast<float>(bits) + 0.5f) - 0x3f000000);
  bits += 0xfff + (bits >> 13 & 1);
  return sign | (bits - 0x38000000) >> 13;
}

float floatFromBrain(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

uint16_t brainFromFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return bits >> 16 | 0x40; // Keep a NaN a NaN.
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

int64_t saturateToInteger(double value) {
  if (std::isnan(value))
    return 0;
  if (value >= 0x1p63)
    return std::numeric_limits<int64_t>::max();
  if (value < -0x1p63)
    return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

namespace {

/// One element type: its form in memory, and the value it stands for.
template <typename T> struct Plain {
  using Memory = T;
  static T read(T memory) { return memory; }
  template <typename L> static T write(L lane) {
    if constexpr (std::is_integral_v<T> && std::is_floating_point_v<L>)
      return static_cast<T>(saturateToInteger(lane));
    else
      return static_cast<T>(lane);
  }
};

struct Bit {
  using Memory = uint8_t;
  static int64_t read(uint8_t memory) { return memory; }
  template <typename L> static uint8_t write(L lane) {
    if constexpr (std::is_floating_point_v<L>)
      return lane != 0;
    else
      return lane & 1;
  }
};

struct Half {
  using Memory = uint16_t;
  static float read(uint16_t memory) { return floatFromHalf(memory); }
  template <typename L> static uint16_t write(L lane) {
    return halfFromFloat(static_cast<float>(lane));
  }
};

struct Brain {
  using Memory = uint16_t;
  static float read(uint16_t memory) { return floatFromBrain(memory); }
  template <typename L> static uint16_t write(L lane) {
    return brainFromFloat(static_cast<float>(lane));
  }
};

/// In the order of ElementType.
using Formats = std::tuple<Bit, Plain<int8_t>, Plain<int16_t>, Plain<int32_t>, Plain<int64_t>, Half,
                           Brain, Plain<float>, Plain<double>>;
/// In the order of Lane.
using Lanes = std::tuple<float, double, int64_t>;

} // namespace

template <typename Format, typename L>
static void loadRun(const void *data, int64_t offset, int64_t stride, int64_t count, void *lanes) {
  const auto *from = static_cast<const typename Format::Memory *>(data) + offset;
  L *to = static_cast<L *>(lanes);
  auto read = [&](int64_t i) {
    auto value = Format::read(from[i]);
    if constexpr (std::is_integral_v<L> && std::is_floating_point_v<decltype(value)>)
      return saturateToInteger(value);
    else
      return static_cast<L>(value);
  };
  // Three loops, so that the common two are vectorised.
  if (stride == 1)
    for (int64_t i = 0; i < count; ++i)
      to[i] = read(i);
  else if (stride == 0)
    std::fill_n(to, count, read(0));
  else
    for (int64_t i = 0; i < count; ++i)
      to[i] = read(i * stride);
}

template <typename Format, typename L>
static void storeRun(const void *lanes, void *data, int64_t offset, int64_t stride, int64_t count) {
  const L *from = static_cast<const L *>(lanes);
  auto *to = static_cast<typename Format::Memory *>(data) + offset;
  if (stride == 1)
    for (int64_t i = 0; i < count; ++i)
      to[i] = Format::write(from[i]);
  else
    for (int64_t i = 0; i < count; ++i)
      to[i * stride] = Format::write(from[i]);
}

namespace {

struct Runs {
  LoadRun load;
  StoreRun store;
};

} // namespace

template <size_t... Index>
static Runs getRuns(ElementType type, Lane lane, std::index_sequence<Index...>) {
  constexpr size_t numLanes = std::tuple_size_v<Lanes>;
  static constexpr Runs table[] = {{loadRun<std::tuple_element_t<Index / numLanes, Formats>,
                                            std::tuple_element_t<Index % numLanes, Lanes>>,
                                    storeRun<std::tuple_element_t<Index / numLanes, Formats>,
                                             std::tuple_element_t<Index % numLanes, Lanes>>}...};
  return table[static_cast<size_t>(type) * numLanes + static_cast<size_t>(lane)];
}

static Runs getRuns(ElementType type, Lane lane) {
  return getRuns(type, lane,
                 std::make_index_sequence<std::tuple_size_v<Formats> * std::tuple_size_v<Lanes>>());
}

LoadRun getLoadRun(ElementType type, Lane lane) { return getRuns(type, lane).load; }
StoreRun getStoreRun(ElementType type, Lane lane) { return getRuns(type, lane).store; }

} // namespace planwright::reference
