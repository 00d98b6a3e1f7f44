// emitPlan: kernels, program, manifest, in that order; then the folder goes to its place.
#include "planwright/Target/Plan/EmitPlan.h"
#include "Manifest.h"
#include "PlanFolder.h"
#include "ProgramWriter.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;

static ArgumentRole getRole(BufferKind kind) {
  return kind == BufferKind::input      ? ArgumentRole::input
         : kind == BufferKind::constant ? ArgumentRole::constant
                                        : ArgumentRole::parameter;
}

/// What can be said about the arguments without a signature.
static std::vector<PlanArgument> makeArguments(ProgramOp program) {
  std::vector<PlanArgument> arguments;
  for (BufferOp buffer : program.getOps<BufferOp>()) {
    BufferKind kind = buffer.getKind();
    if (kind != BufferKind::parameter && kind != BufferKind::constant && kind != BufferKind::input)
      continue;
    PlanArgument argument;
    argument.name = buffer.getName().str();
    argument.role = getRole(kind);
    RankedTensorType local = buffer.getTensorType();
    argument.type = local.clone(buffer.getGlobalShape().value_or(local.getShape()));
    if (kind == BufferKind::input && local.getRank() > 0)
      argument.batchDim = 0;
    argument.trainable = kind == BufferKind::parameter;
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

/// What goes wrong with files has no place in the model.
static LogicalResult reportPlainly(ModuleOp module, const Twine &message) {
  return emitError(UnknownLoc::get(module.getContext()), message);
}

/// Compiles the kernels that still are text. True if there are any.
static FailureOr<bool> emitKernels(ProgramOp program, const codegen::HostTarget &target,
                                   PlanFolder &folder) {
  codegen::HostKernelBuilder builder;
  for (KernelOp kernel : program.getOps<KernelOp>())
    if (kernel.getSource())
      builder.addSource({kernel.getSymName().str(), kernel.getSource()->str()});
  if (builder.sources().empty())
    return false;
  auto report = [&](const Twine &message) {
    (void)reportPlainly(program->getParentOfType<ModuleOp>(), message);
  };
  if (failed(builder.emit(folder.getPath("kernels/host.so"), target, report)))
    return failure();
  return true;
}

static LogicalResult emitInto(ModuleOp module, ProgramOp program, const EmitOptions &options,
                              PlanFolder &folder) {
  std::map<std::string, std::string> files;
  FailureOr<bool> hasKernels = emitKernels(program, options.target, folder);
  if (failed(hasKernels))
    return failure();
  if (*hasKernels) {
    auto library = llvm::MemoryBuffer::getFile(folder.getPath("kernels/host.so"));
    if (!library)
      return reportPlainly(module,
                           "kernels/host.so cannot be read back: " + library.getError().message());
    files["kernels/host.so"] = hashFile((*library)->getBuffer());
  }
  FailureOr<std::string> bytes = writeProgram(program, options);
  if (failed(bytes))
    return failure();
  files["program.fb"] = hashFile(*bytes);
  folder.write("program.fb", *bytes);
  folder.write("manifest.json", writeManifest(module, program, options, files));
  folder.moveIntoPlace();
  if (!folder.getProblem().empty())
    return reportPlainly(module, folder.getProblem());
  return success();
}

LogicalResult planwright::emitPlan(ModuleOp module, StringRef outputDirectory,
                                   const EmitOptions &options) {
  auto programs = llvm::to_vector(module.getOps<ProgramOp>());
  if (programs.size() != 1)
    return module.emitError() << "a plan has one exec.program, found " << programs.size();
  PlanFolder folder(outputDirectory);
  if (!folder.getProblem().empty())
    return reportPlainly(module, folder.getProblem());
  EmitOptions complete = options;
  if (complete.arguments.empty())
    complete.arguments = makeArguments(programs.front());
  return emitInto(module, programs.front(), complete, folder);
}
