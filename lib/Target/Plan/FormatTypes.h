// Words of the compiler as words of program.fbs: element types, kinds, bytes of literals.
#ifndef PLANWRIGHT_LIB_TARGET_PLAN_FORMATTYPES_H
#define PLANWRIGHT_LIB_TARGET_PLAN_FORMATTYPES_H

#include "dialects/Exec/IR/Exec.h"

#include "runtime/Format/program_generated.h"

#include <optional>
#include <vector>

namespace planwright {

/// Absent where the format has no such type.
std::optional<rt::fb::ElementType> toFormat(mlir::Type elementType);

/// Absent where buffers of this kind have no name in the format.
std::optional<rt::fb::BufferKind> toFormat(exec::BufferKind kind);

rt::fb::TaskKind toFormat(exec::TaskKind kind);
rt::fb::Reduction toFormat(exec::Reduction reduction);

/// The bytes of a literal in the arena, row-major, i1 as 0 or 1.
std::vector<uint8_t> getLiteralBytes(mlir::DenseElementsAttr data);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TARGET_PLAN_FORMATTYPES_H
