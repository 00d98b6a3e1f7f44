// The table of verbs.
#include "Verbs.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace planwright;

namespace {
struct Verb {
  llvm::StringLiteral name;
  int (*run)(mlir::DialectRegistry &); // nullptr: spelled already, does not work yet
};
} // namespace

static constexpr Verb kVerbs[] = {
    {"compile", runCompile}, {"search", nullptr},   {"explain", nullptr}, {"estimate", nullptr},
    {"collective", nullptr}, {"simulate", nullptr}, {"report", nullptr}};

std::optional<int> planwright::runVerb(int argc, char **argv, mlir::DialectRegistry &registry) {
  llvm::StringRef word = argc > 1 ? argv[1] : "";
  for (const Verb &verb : kVerbs) {
    if (verb.name != word)
      continue;
    if (!verb.run) {
      llvm::errs() << "plan-opt " << word << ": does not work yet in this version\n";
      return kWrongCall;
    }
    if (!llvm::cl::ParseCommandLineOptions(argc, argv, "Planwright's compiler driver\n",
                                           &llvm::errs()))
      return kWrongCall;
    return verb.run(registry);
  }
  return std::nullopt;
}
