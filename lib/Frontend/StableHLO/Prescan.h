// The scan that text has to pass before MLIR's parser may see it.
//
//   std::optional<PrescanError> error = prescan(buffer->getBuffer());
//
// MLIR's parser recurses on every bracket, and multiplies dimensions without a check: text can make
// it overflow. The scan knows tokens, not the language; what it lets pass can still be wrong in
// every other way.
#ifndef PLANWRIGHT_LIB_FRONTEND_STABLEHLO_PRESCAN_H
#define PLANWRIGHT_LIB_FRONTEND_STABLEHLO_PRESCAN_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace planwright {

struct PrescanError {
  size_t offset;
  std::string message;
};

/// The first place where `text`
/// 1. nests brackets, braces and aliases deeper than 256, or has aliases that expand beyond bounds,
/// 2. has a type with a dynamic dimension, more than 64 dimensions, or more than 2^56 elements,
/// 3. has what StableHLO never has and the parser handles recursively without brackets: affine maps
/// and sets.
std::optional<PrescanError> prescan(llvm::StringRef text);

} // namespace planwright

#endif // PLANWRIGHT_LIB_FRONTEND_STABLEHLO_PRESCAN_H
