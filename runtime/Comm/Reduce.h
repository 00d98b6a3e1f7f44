// Combining two buffers element by element. No ranks here.

#ifndef PLANWRIGHT_RUNTIME_COMM_REDUCE_H
#define PLANWRIGHT_RUNTIME_COMM_REDUCE_H

#include "runtime/Format/program_generated.h"

#include <cstddef>

namespace planwright::rt {

/// accumulator[i] = accumulator[i] (+, max, min) operand[i]. f16 and bf16 are added in f32 and
/// rounded to nearest even after each addition. A NaN wins every max and min. `type` is not i1.
void reduceInto(void *accumulator, const void *operand, size_t count, fb::ElementType type,
                fb::Reduction reduction);

/// Conversions of one value, for types that C++ has no arithmetic for.
float bfloat16ToFloat(uint16_t bits);
uint16_t floatToBfloat16(float value);
float halfToFloat(uint16_t bits);
uint16_t floatToHalf(float value);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_COMM_REDUCE_H
