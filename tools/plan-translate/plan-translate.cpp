// plan-translate: other formats to MLIR, one flag each, as mlir-translate does.
#include "dialects/Cluster/IR/Cluster.h"
#include "planwright/Frontend/ClusterYaml.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

static void registerClusterImport() {
  static TranslateToMLIRRegistration registration(
      "import-cluster", "cluster file (YAML) to the cluster dialect",
      [](llvm::SourceMgr &sources, MLIRContext *context) -> OwningOpRef<Operation *> {
        const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(sources.getMainFileID());
        auto module = planwright::readClusterYaml(buffer->getMemBufferRef(), *context);
        if (failed(module))
          return nullptr;
        return OwningOpRef<Operation *>(module->release());
      },
      [](DialectRegistry &registry) { registry.insert<planwright::cluster::ClusterDialect>(); });
}

int main(int argc, char **argv) {
  registerClusterImport();
  return failed(mlirTranslateMain(argc, argv, "Planwright's translation driver\n"));
}
