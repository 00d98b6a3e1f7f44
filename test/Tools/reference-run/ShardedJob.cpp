// Training a sharded module on pretend ranks.

#include "Job.h"

#include "planwright/Reference/ShardedRun.h"

using namespace mlir;

namespace planwright::reference {

namespace {

class ShardedJob : public Job {
public:
  ShardedJob(ShardedRun run, const DataSource &data) : run(std::move(run)), data(data) {}

  llvm::Error readWeights();
  llvm::Error runStep(int64_t batch) override;

private:
  llvm::Expected<Tensor> getValue(const ShardedRun::Source &source, int64_t batch);
  llvm::Error collect();

  ShardedRun run;
  const DataSource &data;
};

} // namespace

/// The whole value of something that tasks take and nothing gives them.
llvm::Expected<Tensor> ShardedJob::getValue(const ShardedRun::Source &source, int64_t batch) {
  std::optional<ElementType> type = getElementType(source.type.getElementType());
  if (!type)
    return llvm::createStringError("\"" + source.object.getName() +
                                   "\" is no tensor that can be given");
  if (source.object.getKind() == plan::ObjectKind::input)
    return data.getInput(source.object.getName(), batch, *type, source.type.getShape());
  return data.getWeight(source.object.getName(), *type, source.type.getShape());
}

llvm::Error ShardedJob::readWeights() {
  for (const ShardedRun::Source &source : run.getSources()) {
    plan::ObjectKind kind = source.object.getKind();
    if (kind != plan::ObjectKind::parameter && kind != plan::ObjectKind::constant)
      continue; // States start by themselves, inputs come with each batch.
    llvm::Expected<Tensor> value = getValue(source, 0);
    if (!value)
      return value.takeError();
    run.setGlobal(kind, source.object.getName(), *std::move(value));
  }
  return llvm::Error::success();
}

/// Puts loss, gradients and parameters together from the ranks.
llvm::Error ShardedJob::collect() {
  for (plan::ObjectAttr object : run.getResults()) {
    bool isLoss = object.getKind() == plan::ObjectKind::loss;
    bool isGradient = object.getKind() == plan::ObjectKind::gradient;
    if (!isLoss && !isGradient && object.getKind() != plan::ObjectKind::parameter)
      continue;
    FailureOr<Tensor> value = run.getGlobal(object.getKind(), object.getName());
    if (failed(value))
      return llvm::createStringError("the ranks do not agree");
    if (isLoss)
      loss = value->getAsDouble();
    else
      (isGradient ? gradients : parameters)[object.getName().str()] = *std::move(value);
  }
  return llvm::Error::success();
}

llvm::Error ShardedJob::runStep(int64_t batch) {
  for (const ShardedRun::Source &source : run.getSources()) {
    if (source.object.getKind() != plan::ObjectKind::input)
      continue;
    llvm::Expected<Tensor> value = getValue(source, batch);
    if (!value)
      return value.takeError();
    run.setGlobal(plan::ObjectKind::input, source.object.getName(), *std::move(value));
  }
  if (failed(run.runStep()))
    return llvm::createStringError("the schedule did not run");
  return collect();
}

llvm::Expected<std::unique_ptr<Job>> makeShardedJob(ModuleOp module, const DataSource &data,
                                                    InterpreterOptions options) {
  FailureOr<ShardedRun> run = ShardedRun::create(module, options);
  if (failed(run))
    return llvm::createStringError("the module has no schedule to run");
  auto job = std::make_unique<ShardedJob>(*std::move(run), data);
  if (llvm::Error error = job->readWeights())
    return error;
  return job;
}

} // namespace planwright::reference
