// One mapping of a cluster file, read key by key. Every key that was not asked for is an error at
// the end. Not here: which keys there are (ClusterYaml.cpp).
#ifndef PLANWRIGHT_LIB_FRONTEND_CLUSTERYAML_SECTION_H
#define PLANWRIGHT_LIB_FRONTEND_CLUSTERYAML_SECTION_H

#include "Quantity.h"
#include "YamlTree.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include <limits>

namespace planwright {

/// Whether a key must be there.
enum class Need { required, optional };

class Section {
public:
  /// Reads `node` as the mapping called `name` in messages. `ok` becomes false with the first error
  /// of any section.
  Section(const YamlNode &node, std::string name, bool &ok);

  mlir::Location getLoc() const { return node.loc; }

  /// The value of `key`, or nullptr. A missing required key is reported.
  const YamlNode *get(llvm::StringRef key, Need need);
  /// The value of `key` in base units. Reports wrong units and values outside [low, high].
  std::optional<double> number(llvm::StringRef key, Dimension dimension, Need need,
                               double low = std::numeric_limits<double>::min(), double high = 1e30);
  /// The same for a whole number.
  std::optional<int64_t> integer(llvm::StringRef key, Dimension dimension, Need need);
  std::optional<std::string> text(llvm::StringRef key, Need need);
  /// Calls `read` with the mapping under `key`, if there is one.
  void section(llvm::StringRef key, Need need, llvm::function_ref<void(Section &)> read);
  /// Calls `read` with each mapping of the list under `key`.
  void list(llvm::StringRef key, Need need, llvm::function_ref<void(Section &)> read);
  /// All keys of this mapping, for mappings whose keys are free.
  llvm::SmallVector<llvm::StringRef> keys() const;

  mlir::InFlightDiagnostic error(mlir::Location loc);

  /// Reads a whole section: `read`, then unknown keys are reported.
  static void read(const YamlNode &node, std::string name, bool &ok,
                   llvm::function_ref<void(Section &)> read);

private:
  void reportUnknownKeys();

  const YamlNode &node;
  std::string name;
  bool &ok;
  llvm::SmallVector<llvm::StringRef> known; // Keys that were asked for.
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_FRONTEND_CLUSTERYAML_SECTION_H
