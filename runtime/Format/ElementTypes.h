// Names and sizes of the element types that a program uses. No conversions.

#ifndef PLANWRIGHT_RUNTIME_FORMAT_ELEMENTTYPES_H
#define PLANWRIGHT_RUNTIME_FORMAT_ELEMENTTYPES_H

#include "runtime/Format/program_generated.h"

#include <cstddef>

namespace planwright::rt {

/// Whether a byte read from a file is one of the enum's values: the FlatBuffers verifier does not
/// ask.
template <typename Enum> bool isValid(Enum value, Enum last) {
  return static_cast<int>(value) >= 0 && static_cast<int>(value) <= static_cast<int>(last);
}

/// Bytes of one element. `i1` takes one.
size_t getByteSize(fb::ElementType type);

/// The name in the schema, such as "f32".
const char *getName(fb::ElementType type);

/// True for f16, bf16, f32 and f64.
bool isFloat(fb::ElementType type);

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_FORMAT_ELEMENTTYPES_H
