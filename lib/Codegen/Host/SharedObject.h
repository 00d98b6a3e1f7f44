// Object files to one shared object.
#ifndef PLANWRIGHT_LIB_CODEGEN_HOST_SHAREDOBJECT_H
#define PLANWRIGHT_LIB_CODEGEN_HOST_SHAREDOBJECT_H

#include "ObjectCompiler.h"

namespace planwright::codegen {

/// Links `objects` in order. Mathematical functions stay undefined: whoever loads the file has
/// libm.
llvm::LogicalResult linkSharedObject(llvm::ArrayRef<std::string> objects, llvm::StringRef path,
                                     ReportError reportError);

} // namespace planwright::codegen

#endif // PLANWRIGHT_LIB_CODEGEN_HOST_SHAREDOBJECT_H
