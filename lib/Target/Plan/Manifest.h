// The text of manifest.json.
#ifndef PLANWRIGHT_LIB_TARGET_PLAN_MANIFEST_H
#define PLANWRIGHT_LIB_TARGET_PLAN_MANIFEST_H

#include "planwright/Target/Plan/EmitPlan.h"

#include <map>

namespace planwright {

/// "xxh64:" and 16 hex digits, as the runtime checks them.
std::string hashFile(llvm::StringRef bytes);

/// The manifest of a plan whose files (path in the folder -> hash) are these.
std::string writeManifest(mlir::ModuleOp module, exec::ProgramOp program,
                          const EmitOptions &options,
                          const std::map<std::string, std::string> &files);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TARGET_PLAN_MANIFEST_H
