// One class per action of the schema, and the table that makes them.

#include "runtime/Executor/Resolve.h"

#include "runtime/Format/ElementTypes.h"
#include "runtime/Format/Mesh.h"
#include "runtime/Format/StatusMacros.h"

#include <algorithm>

namespace planwright::rt {

namespace {

class ResolvedLaunch : public ResolvedAction {
public:
  ResolvedLaunch(const fb::Launch &launch, KernelFunction function) : function(function) {
    if (launch.operands())
      for (const fb::Address *operand : *launch.operands())
        operands.push_back(*operand);
    count = static_cast<int64_t>(launch.count());
    grain = static_cast<int64_t>(launch.grain());
  }

  absl::Status run(ActionContext &context, int stream) const override {
    for (size_t i = 0; i < operands.size(); ++i)
      context.operands[i] = context.resolve(operands[i]);
    return context.device->launch(stream, {function, context.operands.data(), count, grain});
  }

private:
  KernelFunction function;
  std::vector<fb::Address> operands;
  int64_t count;
  int64_t grain;
};

class ResolvedGemm : public ResolvedAction {
public:
  ResolvedGemm(const fb::Gemm &gemm, std::unique_ptr<PreparedGemm> prepared)
      : prepared(std::move(prepared)), a(*gemm.a()), b(*gemm.b()), c(*gemm.c()) {}

  absl::Status run(ActionContext &context, int stream) const override {
    return context.device->gemm(stream, *prepared, context.resolve(a), context.resolve(b),
                                context.resolve(c));
  }

private:
  std::unique_ptr<PreparedGemm> prepared;
  fb::Address a, b, c;
};

class ResolvedCopy : public ResolvedAction {
public:
  explicit ResolvedCopy(const fb::Copy &copy)
      : source(*copy.source()), destination(*copy.destination()), bytes(copy.bytes()) {}

  absl::Status run(ActionContext &context, int stream) const override {
    return context.device->copy(stream, context.resolve(destination), context.resolve(source),
                                bytes);
  }

private:
  fb::Address source, destination;
  size_t bytes;
};

class ResolvedStridedCopy : public ResolvedAction {
public:
  explicit ResolvedStridedCopy(const fb::StridedCopy &copy)
      : source(*copy.source()), destination(*copy.destination()) {
    shape.bytes = static_cast<int64_t>(copy.bytes());
    if (copy.loops())
      for (const fb::CopyLoop *loop : *copy.loops())
        if (loop->extent() > 1)
          shape.loops.push_back(
              {loop->extent(), loop->source_stride(), loop->destination_stride()});
    if (copy.coordinates())
      for (const fb::CoordinateStride *coordinate : *copy.coordinates())
        coordinates.push_back(*coordinate);
  }

  absl::Status run(ActionContext &context, int stream) const override {
    std::byte *from = context.resolve(source);
    for (const fb::CoordinateStride &coordinate : coordinates)
      from += context.coordinates[coordinate.axis()] * coordinate.stride();
    return context.device->stridedCopy(stream, shape, context.resolve(destination), from);
  }

private:
  fb::Address source, destination;
  StridedCopyShape shape;
  std::vector<fb::CoordinateStride> coordinates;
};

class ResolvedZero : public ResolvedAction {
public:
  explicit ResolvedZero(const fb::Zero &zero)
      : destination(*zero.destination()), bytes(zero.bytes()) {}

  absl::Status run(ActionContext &context, int stream) const override {
    return context.device->zero(stream, context.resolve(destination), bytes);
  }

private:
  fb::Address destination;
  size_t bytes;
};

class ResolvedCollective : public ResolvedAction {
public:
  explicit ResolvedCollective(const fb::Collective &collective)
      : kind(collective.kind()), reduction(collective.reduction()), type(collective.element_type()),
        communicator(collective.communicator()), source(*collective.source()),
        destination(*collective.destination()), count(collective.count()) {}

  absl::Status run(ActionContext &context, int) const override {
    Communicator &group = *(*context.communicators)[communicator];
    const void *from = context.resolve(source);
    void *to = context.resolve(destination);
    // The communicator reads what the device may still be writing.
    PLANWRIGHT_RETURN_IF_ERROR(context.device->synchronize());
    switch (kind) {
    case fb::CollectiveKind::all_reduce:
      return group.allReduce(to, from, count, type, reduction);
    case fb::CollectiveKind::all_gather:
      return group.allGather(to, from, count, type);
    case fb::CollectiveKind::reduce_scatter:
      return group.reduceScatter(to, from, count, type, reduction);
    case fb::CollectiveKind::all_to_all:
      return group.allToAll(to, from, count, type);
    case fb::CollectiveKind::broadcast:
      return group.broadcast(to, from, count, type);
    }
    return absl::InternalError("unknown collective");
  }

private:
  fb::CollectiveKind kind;
  fb::Reduction reduction;
  fb::ElementType type;
  uint32_t communicator;
  fb::Address source, destination;
  size_t count;
};

/// What the makers below need.
struct Maker {
  const fb::Program &program;
  const KernelLibraries &libraries;
  Device &device;
};

} // namespace

static GemmShape getShape(const fb::Gemm &gemm) {
  GemmShape shape;
  shape.isDouble = gemm.element_type() == fb::ElementType::f64;
  shape.m = gemm.m(), shape.n = gemm.n(), shape.k = gemm.k();
  shape.aMStride = gemm.a_m_stride(), shape.aKStride = gemm.a_k_stride();
  shape.bKStride = gemm.b_k_stride(), shape.bNStride = gemm.b_n_stride();
  shape.cMStride = gemm.c_m_stride(), shape.cNStride = gemm.c_n_stride();
  shape.accumulate = gemm.accumulate();
  if (gemm.loops())
    for (const fb::GemmLoop *loop : *gemm.loops())
      if (loop->extent() > 1)
        shape.loops.push_back(
            {loop->extent(), loop->a_stride(), loop->b_stride(), loop->c_stride()});
  return shape;
}

static std::unique_ptr<ResolvedAction> makeLaunch(const Maker &maker, const fb::Launch &launch,
                                                  InstructionInfo &info) {
  const fb::Kernel &kernel = *maker.program.kernels()->Get(launch.kernel());
  info.family = kernel.family() ? kernel.family()->str() : "kernel";
  info.flops = launch.flops();
  info.bytes = launch.bytes();
  return std::make_unique<ResolvedLaunch>(launch, maker.libraries.getKernel(launch.kernel()));
}

static std::unique_ptr<ResolvedAction> makeGemm(const Maker &maker, const fb::Gemm &gemm,
                                                InstructionInfo &info) {
  GemmShape shape = getShape(gemm);
  uint64_t iterations = 1, writes = 1;
  for (const GemmLoopShape &loop : shape.loops) {
    iterations *= static_cast<uint64_t>(loop.extent);
    writes *= loop.cStride == 0 ? 1 : static_cast<uint64_t>(loop.extent);
  }
  info.family = "gemm";
  info.flops = 2 * iterations * shape.m * shape.n * shape.k;
  info.bytes = (iterations * (shape.m * shape.k + shape.k * shape.n) + writes * shape.m * shape.n) *
               getByteSize(gemm.element_type());
  return std::make_unique<ResolvedGemm>(gemm, maker.device.prepareGemm(shape));
}

static std::unique_ptr<ResolvedAction> makeCollective(const fb::Collective &collective,
                                                      InstructionInfo &info) {
  info.family = fb::EnumNameCollectiveKind(collective.kind());
  info.bytes = collective.count() * getByteSize(collective.element_type());
  info.communicator = static_cast<int>(collective.communicator());
  return std::make_unique<ResolvedCollective>(collective);
}

static std::unique_ptr<ResolvedAction>
makeAction(const Maker &maker, const fb::Instruction &instruction, InstructionInfo &info) {
  if (const fb::Launch *launch = instruction.action_as_Launch())
    return makeLaunch(maker, *launch, info);
  if (const fb::Gemm *gemm = instruction.action_as_Gemm())
    return makeGemm(maker, *gemm, info);
  if (const fb::Collective *collective = instruction.action_as_Collective())
    return makeCollective(*collective, info);
  if (const fb::Copy *copy = instruction.action_as_Copy()) {
    info.family = "copy";
    info.bytes = 2 * copy->bytes();
    return std::make_unique<ResolvedCopy>(*copy);
  }
  if (const fb::StridedCopy *copy = instruction.action_as_StridedCopy()) {
    info.family = "strided_copy";
    info.bytes = 2 * copy->bytes();
    if (copy->loops())
      for (const fb::CopyLoop *loop : *copy->loops())
        info.bytes *= static_cast<uint64_t>(loop->extent());
    return std::make_unique<ResolvedStridedCopy>(*copy);
  }
  if (const fb::Zero *zero = instruction.action_as_Zero()) {
    info.family = "zero";
    info.bytes = zero->bytes();
    return std::make_unique<ResolvedZero>(*zero);
  }
  return nullptr;
}

absl::StatusOr<std::vector<ResolvedSubprogram>>
resolveSubprograms(const fb::Program &program, const KernelLibraries &libraries, Device &device) {
  Maker maker = {program, libraries, device};
  std::vector<ResolvedSubprogram> subprograms;
  if (!program.subprograms())
    return subprograms;
  for (const fb::Subprogram *subprogram : *program.subprograms()) {
    ResolvedSubprogram resolved;
    if (subprogram->instructions())
      for (const fb::Instruction *instruction : *subprogram->instructions()) {
        ResolvedInstruction item;
        item.action = makeAction(maker, *instruction, item.info);
        if (!item.action)
          return absl::InternalError("an action that the verifier should have refused");
        item.stream = instruction->stream();
        item.record = instruction->record();
        auto waits = toSpan(instruction->waits());
        item.waits.assign(waits.begin(), waits.end());
        item.info.predictedNs = instruction->predicted_ns();
        item.info.label = instruction->label() ? instruction->label()->str() : item.info.family;
        resolved.instructions.push_back(std::move(item));
      }
    subprograms.push_back(std::move(resolved));
  }
  return subprograms;
}

size_t getMaxOperands(const fb::Program &program) {
  size_t most = 0;
  if (program.subprograms())
    for (const fb::Subprogram *subprogram : *program.subprograms())
      if (subprogram->instructions())
        for (const fb::Instruction *instruction : *subprogram->instructions())
          if (const fb::Launch *launch = instruction->action_as_Launch())
            most = std::max<size_t>(most, launch->operands() ? launch->operands()->size() : 0);
  return most;
}

} // namespace planwright::rt
