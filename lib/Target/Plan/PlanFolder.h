// A folder that appears whole or not at all.
#ifndef PLANWRIGHT_LIB_TARGET_PLAN_PLANFOLDER_H
#define PLANWRIGHT_LIB_TARGET_PLAN_PLANFOLDER_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace planwright {

/// A new folder beside `destination`; gone with this object unless it was put in place. What is no
/// plan is never replaced (checkPlanDestination).
///
///   PlanFolder folder("job.plan");
///   if (!folder.getProblem().empty()) ...
///   folder.write("program.fb", bytes);
///   folder.moveIntoPlace();
class PlanFolder {
public:
  explicit PlanFolder(llvm::StringRef destination);
  ~PlanFolder();
  PlanFolder(const PlanFolder &) = delete;

  /// Path of `file` in the new folder; folders above it exist.
  std::string getPath(llvm::StringRef file);
  void write(llvm::StringRef file, llvm::StringRef bytes);

  /// Puts the folder at its destination, in place of an older plan that was there.
  void moveIntoPlace();

  /// Empty, or a sentence about the first thing that went wrong.
  const std::string &getProblem() const { return problem; }

private:
  void create(llvm::StringRef wanted);
  void fail(const llvm::Twine &what, std::error_code error);

  std::string destination, folder, problem;
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_TARGET_PLAN_PLANFOLDER_H
