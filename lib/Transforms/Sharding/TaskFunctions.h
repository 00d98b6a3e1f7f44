// Reading and writing what stands on task functions: objects, layouts, kinds.
//
//   FailureOr<plan::MeshAttr> mesh = getMesh(module);
//   for (func::FuncOp task : getTasks(module)) ... getArgumentObject(task, 0) ...
//
// Not here: what tasks compute.
#ifndef PLANWRIGHT_LIB_TRANSFORMS_SHARDING_TASKFUNCTIONS_H
#define PLANWRIGHT_LIB_TRANSFORMS_SHARDING_TASKFUNCTIONS_H

#include "dialects/Plan/IR/Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

namespace planwright {

/// The module's mesh, or an error that says where it should stand.
mlir::FailureOr<plan::MeshAttr> getMesh(mlir::ModuleOp module);

/// All task functions, in the order of the module.
llvm::SmallVector<mlir::func::FuncOp> getTasks(mlir::ModuleOp module);
/// The one task of a kind, null where there is none.
mlir::func::FuncOp findTask(mlir::ModuleOp module, plan::TaskKind kind);
/// Kind of a task function.
plan::TaskKind getTaskKind(mlir::func::FuncOp task);
void setTaskKind(mlir::func::FuncOp task, plan::TaskKind kind);

plan::ObjectAttr getArgumentObject(mlir::func::FuncOp task, unsigned argument);
plan::ObjectAttr getResultObject(mlir::func::FuncOp task, unsigned result);
plan::LayoutAttr getArgumentLayout(mlir::func::FuncOp task, unsigned argument);
/// The layout that the user pins an argument to, or null.
plan::LayoutAttr getPin(mlir::func::FuncOp task, unsigned argument);
plan::LayoutAttr getResultLayout(mlir::func::FuncOp task, unsigned result);

/// The parameter that a gradient or a piece of optimizer state ("m/<parameter>") belongs to, else
/// the object itself.
plan::ObjectAttr getOwner(plan::ObjectAttr object);

/// The axes of the mesh, of more than one rank, over which the batch is divided beside "mb": "dp"
/// and "fsdp", in this order. A parameter that is divided over one of them is gathered before use.
llvm::SmallVector<mlir::StringAttr> getDataAxes(plan::MeshAttr mesh);

/// "dp = 2 x mb = 4"
std::string describeAxes(llvm::ArrayRef<mlir::StringAttr> axes, plan::MeshAttr mesh);
/// `kind "name"`
std::string describeObject(plan::ObjectAttr object);

/// Where objects lie, as far as tasks before this one have decided.
using ObjectLayouts = llvm::MapVector<plan::ObjectAttr, plan::LayoutAttr>;

/// Where `known` says that an object lies; gradients and optimizer state lie as their parameter.
/// Else whole.
plan::LayoutAttr getDecidedLayout(plan::ObjectAttr object, mlir::Type type,
                                  const ObjectLayouts &known);

/// Layouts of a task's arguments: its own `plan.layout` where one stands there, that of `known`
/// objects, inputs divided along their batch dimension over data axes and mb, all else whole. An
/// error where a batch does not divide.
mlir::FailureOr<llvm::SmallVector<plan::LayoutAttr>>
pinArguments(mlir::func::FuncOp task, plan::MeshAttr mesh, const ObjectLayouts &known);

/// Does `layout` have one entry per dimension of `type`, and cut it evenly?
bool fitsType(plan::LayoutAttr layout, mlir::Type type, plan::MeshAttr mesh);

/// Erases ops without effect or user.
void eraseDeadOps(mlir::func::FuncOp function);

/// A new empty task function, at the end of `module`.
mlir::func::FuncOp createTask(mlir::ModuleOp module, mlir::Location loc, llvm::StringRef name,
                              plan::TaskKind kind);
/// Sets the type of a function from its block's arguments and its return op.
void updateFunctionType(mlir::func::FuncOp function);

} // namespace planwright

#endif // PLANWRIGHT_LIB_TRANSFORMS_SHARDING_TASKFUNCTIONS_H
