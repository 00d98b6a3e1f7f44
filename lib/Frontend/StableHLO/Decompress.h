// Files that are compressed with gzip or xz. Internal to this folder.
#ifndef PLANWRIGHT_LIB_FRONTEND_STABLEHLO_DECOMPRESS_H
#define PLANWRIGHT_LIB_FRONTEND_STABLEHLO_DECOMPRESS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace planwright {

/// What is in `buffer`, decompressed if its first bytes say that it is compressed. No more than a
/// gibibyte comes out.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
decompress(std::unique_ptr<llvm::MemoryBuffer> buffer);

} // namespace planwright

#endif // PLANWRIGHT_LIB_FRONTEND_STABLEHLO_DECOMPRESS_H
