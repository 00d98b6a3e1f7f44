// Builds the frame of an exec program: buffers of objects, literals and temporaries, kernels,
// communicators. Not here: instructions (TaskLowering.h), offsets (exec-assign-offsets).
#ifndef PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_PROGRAMBUILDER_H
#define PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_PROGRAMBUILDER_H

#include "dialects/Exec/IR/Exec.h"
#include "dialects/Plan/IR/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <map>

namespace planwright::exec {

/// Where the bytes of a value begin.
struct Place {
  BufferOp buffer;
  int64_t base = 0; ///< index into the running task's bases

  explicit operator bool() const { return static_cast<bool>(buffer); }
  bool operator==(const Place &other) const { return buffer == other.buffer && base == other.base; }
  /// The bytes of a tensor of `type` that lies here.
  RegionAttr getRegion(mlir::RankedTensorType type) const;
};

class ProgramBuilder {
public:
  /// An empty program at the end of `module`, which has a mesh.
  ProgramBuilder(mlir::ModuleOp module, plan::MeshAttr mesh);

  /// Declares the object that argument or result `attributes` of a task say, unless it is declared;
  /// an error at `loc` if another task says that it looks different.
  mlir::LogicalResult declareObject(mlir::Location loc, mlir::DictionaryAttr attributes,
                                    mlir::Type type);
  /// Puts declared objects into one bucket, in this order. Objects that are in a bucket already
  /// stay there.
  void declareBucket(llvm::ArrayRef<plan::ObjectAttr> objects);

  Place getObject(plan::ObjectAttr object) const { return objects.lookup(object); }
  Place getLiteral(mlir::Location loc, mlir::ElementsAttr data);
  Place makeTemporary(mlir::Location loc, mlir::RankedTensorType type);
  mlir::FlatSymbolRefAttr getKernel(llvm::StringRef symbol, llvm::StringRef family);
  mlir::FlatSymbolRefAttr getCommunicator(mlir::ArrayAttr axes);

  SubprogramOp makeSubprogram(mlir::Location loc, llvm::StringRef name);
  /// A run of `subprogram` for `microBatch`, -1 where it belongs to none.
  void makeTask(mlir::Location loc, TaskKind kind, llvm::StringRef subprogram, int64_t microBatch);

  /// Brings the declarations into the order in which they are laid out, and gives kernels their
  /// text.
  void finish(llvm::function_ref<mlir::StringAttr(llvm::StringRef)> getKernelSource);

  /// The base that counts `strideBytes` for each micro-batch.
  int64_t getMicroBatchBase(int64_t strideBytes);

  ProgramOp getProgram() const { return program; }
  plan::MeshAttr getMesh() const { return mesh; }

private:
  mlir::OpBuilder builder;
  ProgramOp program;
  plan::MeshAttr mesh;
  llvm::MapVector<mlir::Attribute, Place> objects;
  llvm::DenseMap<mlir::Attribute, Place> literals;
  llvm::DenseMap<mlir::Attribute, mlir::FlatSymbolRefAttr> communicators;
  llvm::DenseMap<mlir::StringAttr, KernelOp> kernels;
  /// Bytes from one micro-batch to the next -> index of the base that counts them.
  std::map<int64_t, int64_t> baseOfStride;
  int64_t temporaries = 0, buckets = 0;
};

} // namespace planwright::exec

#endif // PLANWRIGHT_LIB_CONVERSION_TASKSTOEXEC_PROGRAMBUILDER_H
