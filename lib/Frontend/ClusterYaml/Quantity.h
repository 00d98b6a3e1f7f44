// Numbers with units, as people write them: "400 Gb/s", "80 GiB", "1.5 us".
// Not here: which key takes which unit (ClusterYaml.cpp).
#ifndef PLANWRIGHT_LIB_FRONTEND_CLUSTERYAML_QUANTITY_H
#define PLANWRIGHT_LIB_FRONTEND_CLUSTERYAML_QUANTITY_H

#include "mlir/Support/LLVM.h"

namespace planwright {

/// What a quantity measures; its value comes out in the base unit.
enum class Dimension { none, bytes, bytesPerSecond, nanoseconds, watts, flopsPerSecond, dollars };

/// The value of `text` in the base unit of `dimension`, or on failure a sentence in `error` that
/// says what was found and which units are known.
mlir::FailureOr<double> parseQuantity(llvm::StringRef text, Dimension dimension,
                                      std::string &error);

} // namespace planwright

#endif // PLANWRIGHT_LIB_FRONTEND_CLUSTERYAML_QUANTITY_H
