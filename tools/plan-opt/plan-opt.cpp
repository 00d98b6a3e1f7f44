// plan-opt: mlir-opt with Planwright's dialects and passes; with a verb as first word, a driver over the same passes.
#include "dialects/Model/IR/Model.h"
#include "dialects/Plan/IR/Plan.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  registry.insert<planwright::model::ModelDialect, planwright::plan::PlanDialect>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Planwright's optimizer driver\n", registry));
}
