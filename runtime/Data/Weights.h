// Filling parameters and constants: from a safetensors file, or by the signature's rules.

#ifndef PLANWRIGHT_RUNTIME_DATA_WEIGHTS_H
#define PLANWRIGHT_RUNTIME_DATA_WEIGHTS_H

#include "runtime/Data/Slice.h"

#include "absl/status/status.h"

#include <string>

namespace planwright::rt {

/// Reads this rank's slices. Names in the file with a "/" are not weights. Every missing, extra,
/// wrongly shaped or wrongly typed tensor is listed in the error.
absl::Status loadWeights(const std::string &path, const RankMemory &memory);

/// Zeros, ones or normal numbers. A number depends on (seed, name, index in the global tensor)
/// only: every layout draws the same.
absl::Status initializeRandomly(uint64_t seed, const RankMemory &memory);

/// The normal number that initializeRandomly gives element `index` (before scaling), for tests.
double drawNormal(uint64_t seed, std::string_view name, uint64_t index);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_DATA_WEIGHTS_H
