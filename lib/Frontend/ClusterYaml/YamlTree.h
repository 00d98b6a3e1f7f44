// A YAML document as a plain tree with locations: scalars, sequences and mappings, nothing else.
// Not here: what the keys mean (ClusterYaml.cpp).
#ifndef PLANWRIGHT_LIB_FRONTEND_CLUSTERYAML_YAMLTREE_H
#define PLANWRIGHT_LIB_FRONTEND_CLUSTERYAML_YAMLTREE_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace planwright {

struct YamlNode {
  enum class Kind { scalar, sequence, mapping };
  struct Entry;

  Kind kind;
  mlir::Location loc;
  std::string text;            // of a scalar
  std::vector<YamlNode> items; // of a sequence
  std::vector<Entry> entries;  // of a mapping, in the file's order
};

struct YamlNode::Entry {
  std::string key;
  mlir::Location keyLoc;
  YamlNode value;
};

/// Parses one document. Errors are emitted with their place in the file.
mlir::FailureOr<YamlNode> parseYamlTree(llvm::MemoryBufferRef buffer, mlir::MLIRContext &context);

} // namespace planwright

#endif // PLANWRIGHT_LIB_FRONTEND_CLUSTERYAML_YAMLTREE_H
