// The llvm dialect to an object file: the exported function with the kernel ABI, O3 for the target,
// machine code.
#include "ObjectCompiler.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace planwright::codegen;

/// Vectors as wide as the machine has: 512 bits are 20 % faster than 256 where exp is vectorised,
/// equal elsewhere.
static constexpr StringLiteral kVectorWidth = "512";

/// void symbol(ptr operands, i64 low, i64 high) { kernel(operands[0], operands[1], ..., low, high);
/// } A function of its own, so that what the kernel knows about its pointers holds for its whole
/// body.
static void addEntryPoint(Module &module, StringRef symbol) {
  Function *kernel = module.getFunction("kernel");
  kernel->setLinkage(GlobalValue::InternalLinkage);
  kernel->addFnAttr(Attribute::NoInline);
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context), *integer = Type::getInt64Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, integer, integer}, false);
  Function *entry = Function::Create(type, GlobalValue::ExternalLinkage, symbol, module);
  IRBuilder<> builder(BasicBlock::Create(context, "", entry));
  SmallVector<Value *> arguments;
  for (unsigned operand = 0; operand + 2 < kernel->arg_size(); ++operand) {
    Value *address = builder.CreateConstGEP1_64(pointer, entry->getArg(0), operand);
    arguments.push_back(builder.CreateLoad(pointer, address));
  }
  arguments.append({entry->getArg(1), entry->getArg(2)});
  builder.CreateCall(kernel, arguments);
  builder.CreateRetVoid();
}

static void setTarget(Module &module, TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", kVectorWidth);
    function.addFnAttr(Attribute::NoUnwind);
  }
}

static void optimize(Module &module, TargetMachine &machine) {
  PipelineTuningOptions options;
  options.LoopVectorization = options.SLPVectorization = true;
  options.LoopInterleaving = options.LoopUnrolling = true;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  // Without the machine nothing is vectorised.
  PassBuilder builder(&machine, options);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(module, modules);
}

LogicalResult planwright::codegen::emitObject(mlir::ModuleOp module, StringRef symbol,
                                              TargetMachine &machine, std::string &object) {
  LLVMContext context;
  std::unique_ptr<Module> translated = mlir::translateModuleToLLVMIR(module, context, symbol);
  if (!translated)
    return failure();
  addEntryPoint(*translated, symbol);
  setTarget(*translated, machine);
  optimize(*translated, machine);
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile))
    return failure();
  passes.run(*translated);
  object = bytes.str().str();
  return success();
}
