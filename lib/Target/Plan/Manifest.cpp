// manifest.json: for people, except "name" and "files", which the runtime reads. Keys are sorted,
// nothing depends on the time or the folder.
#include "Manifest.h"

#include "dialects/Plan/IR/Plan.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;
namespace json = llvm::json;

std::string planwright::hashFile(StringRef bytes) {
  std::string text;
  llvm::raw_string_ostream(text) << "xxh64:"
                                 << llvm::format_hex_no_prefix(llvm::xxHash64(bytes), 16);
  return text;
}

static std::string print(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attribute.print(os);
  return text;
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  type.print(os);
  return text;
}

static json::Object describeMesh(ProgramOp program) {
  json::Object mesh;
  for (auto [axis, size] :
       llvm::zip_equal(program.getAxes().getAsValueRange<StringAttr>(), program.getSizes()))
    mesh[axis] = size;
  return mesh;
}

static json::Object describeMemory(const MemoryTable &memory) {
  return json::Object{{"parameters", memory.parameterBytes},
                      {"gradients", memory.gradientBytes},
                      {"optimizer_state", memory.optimizerStateBytes},
                      {"inputs", memory.inputBytes},
                      {"literals", memory.literalBytes},
                      {"other", memory.otherBytes},
                      {"residuals_and_temporaries", memory.temporaryBytes},
                      {"peak", memory.peakBytes},
                      {"peak_lower_bound", memory.lowerBoundBytes}};
}

static json::Array describeCollectives(ProgramOp program) {
  json::Array rows;
  for (const CollectiveRow &row : summarizeCollectives(program))
    rows.push_back(json::Object{{"kind", row.kind},
                                {"axes", json::Array(row.axes)},
                                {"bytes", row.bytes},
                                {"count", row.count}});
  return rows;
}

static StringRef describeRole(ArgumentRole role) {
  static constexpr StringLiteral names[] = {"parameter", "input", "label", "constant"};
  return names[static_cast<int>(role)];
}

static json::Array describeArguments(ArrayRef<PlanArgument> arguments) {
  json::Array rows;
  for (const PlanArgument &argument : arguments)
    rows.push_back(json::Object{{"name", argument.name},
                                {"role", describeRole(argument.role)},
                                {"dtype", print(argument.type.getElementType())},
                                {"shape", json::Array(argument.type.getShape())},
                                {"trainable", argument.trainable}});
  return rows;
}

static json::Array describeTasks(ProgramOp program) {
  json::Array rows;
  for (TaskOp task : program.getOps<TaskOp>()) {
    std::string text = stringifyTaskKind(task.getKind()).str();
    if (task.getMicroBatch())
      text += " of micro-batch " + std::to_string(*task.getMicroBatch());
    rows.push_back(text);
  }
  return rows;
}

/// How many instructions of each kind all subprograms hold.
static json::Object describeInstructions(ProgramOp program) {
  std::map<std::string, int64_t> counts;
  program.walk([&](StepOpInterface step) { ++counts[step->getName().stripDialect().str()]; });
  json::Object table;
  for (auto &[name, count] : counts)
    table[name] = count;
  return table;
}

std::string planwright::writeManifest(ModuleOp module, ProgramOp program,
                                      const EmitOptions &options,
                                      const std::map<std::string, std::string> &files) {
  json::Object hashes;
  for (auto &[path, hash] : files)
    hashes[path] = hash;
  auto kernels = program.getOps<KernelOp>();
  json::Object manifest{
      {"format_version", 1},
      {"name", options.name},
      {"mesh", describeMesh(program)},
      {"ranks", program.getNumRanks()},
      {"micro_batches", program.getMicroBatches()},
      {"memory_bytes_per_rank", describeMemory(summarizeMemory(program))},
      {"collectives", describeCollectives(program)},
      {"arguments", describeArguments(options.arguments)},
      {"tasks", describeTasks(program)},
      {"instructions", describeInstructions(program)},
      {"kernels", static_cast<int64_t>(std::distance(kernels.begin(), kernels.end()))},
      {"target", json::Object{{"cpu", options.target.cpu},
                              {"features", options.target.features},
                              {"llvm", LLVM_VERSION_STRING}}},
      {"files", std::move(hashes)}};
  if (Attribute strategy = module->getAttr(plan::kStrategyAttrName))
    manifest["strategy"] = print(strategy);
  if (!options.cluster.empty())
    manifest["cluster"] = options.cluster;
  if (!options.optimizer.empty())
    manifest["optimizer"] = options.optimizer;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}", json::Value(std::move(manifest)))
                                 << "\n";
  return text;
}
