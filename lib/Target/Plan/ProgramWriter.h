// From exec.program to the bytes of program.fb.
#ifndef PLANWRIGHT_LIB_TARGET_PLAN_PROGRAMWRITER_H
#define PLANWRIGHT_LIB_TARGET_PLAN_PROGRAMWRITER_H

#include "planwright/Target/Plan/EmitPlan.h"

namespace planwright {

/// The version of runtime/Format/program.fbs that is written.
inline constexpr uint32_t kFormatVersion = 1;

/// The bytes of program.fb, or failure with an error on the operation that cannot be written.
mlir::FailureOr<std::string> writeProgram(exec::ProgramOp program, const EmitOptions &options);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TARGET_PLAN_PROGRAMWRITER_H
