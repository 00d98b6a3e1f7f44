// Moving elements between their form in memory and the lanes in which arithmetic is done. Internal
// to Reference.
//
// A lane is a float, a double or an int64_t. Integers stand sign-extended in it, i1 as 0 or 1; F16
// and BF16 stand in a float lane as the float of the same value.

#ifndef PLANWRIGHT_REFERENCE_ELEMENTS_H
#define PLANWRIGHT_REFERENCE_ELEMENTS_H

#include "planwright/Reference/Tensor.h"

namespace planwright::reference {

enum class Lane : uint8_t { F32, F64, I64 };

inline int64_t getLaneBytes(Lane lane) { return lane == Lane::F32 ? 4 : 8; }

/// The lane in which elements of a type are computed.
Lane getLane(ElementType type);

/// Reads `count` elements from `data`, the first at element `offset`, each `stride` elements after
/// the one before.
using LoadRun = void (*)(const void *data, int64_t offset, int64_t stride, int64_t count,
                         void *lanes);
/// The reverse; rounds floats to nearest even and cuts integers to their width.
using StoreRun = void (*)(const void *lanes, void *data, int64_t offset, int64_t stride,
                          int64_t count);

/// Any element type can be loaded into any lane and stored from it; floats go to integers by
/// truncation.
LoadRun getLoadRun(ElementType type, Lane lane);
StoreRun getStoreRun(ElementType type, Lane lane);

float floatFromHalf(uint16_t bits);
uint16_t halfFromFloat(float value);
float floatFromBrain(uint16_t bits);
uint16_t brainFromFloat(float value);

/// A float as an integer: truncated, out-of-range values at the nearest end, NaN as 0.
int64_t saturateToInteger(double value);

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_ELEMENTS_H
