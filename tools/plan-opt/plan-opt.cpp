// plan-opt: mlir-opt with Planwright's dialects and passes; with a verb as first word, a driver
// over the same passes.
#include "Verbs.h"

#include "planwright/Pipelines/Register.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  planwright::registerPlanwright(registry);
  if (std::optional<int> exitCode = planwright::runVerb(argc, argv, registry))
    return *exitCode;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Planwright's optimizer driver\n", registry));
}
