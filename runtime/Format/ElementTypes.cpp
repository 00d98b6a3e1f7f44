// The table behind ElementTypes.h.

#include "runtime/Format/ElementTypes.h"

#include <array>

namespace planwright::rt {

size_t getByteSize(fb::ElementType type) {
  static constexpr std::array<size_t, 9> sizes = {1, 1, 2, 4, 8, 2, 2, 4, 8};
  return sizes[static_cast<size_t>(type)];
}

const char *getName(fb::ElementType type) { return fb::EnumNameElementType(type); }

bool isFloat(fb::ElementType type) { return type >= fb::ElementType::f16; }

} // namespace planwright::rt
