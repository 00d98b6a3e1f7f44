// Verification of subprograms and tasks: indices, and how far each instruction reaches into the
// arena.

#include "runtime/Format/ElementTypes.h"
#include "runtime/Format/Mesh.h"
#include "runtime/Format/StatusMacros.h"
#include "runtime/Format/Verify.h"

#include <algorithm>
#include <vector>

namespace planwright::rt {

namespace {

/// Plenty for base offsets of a layer's object classes; keeps hostile files from asking for memory.
constexpr uint32_t maxBases = 4096;
/// Offsets and lengths above this are refused before they are added.
constexpr uint64_t maxBytes = uint64_t(1) << 48;
constexpr int64_t maxExtent = int64_t(1) << 40;
constexpr size_t maxLoops = 16;

/// How far a subprogram reaches from one of its bases.
struct BaseReach {
  bool isUsed = false;
  uint64_t end = 0; // One past the last byte that is touched, before the base is added.
};
using Reach = std::vector<BaseReach>;

/// One subprogram's instructions.
class SubprogramVerifier {
public:
  SubprogramVerifier(const fb::Program &program) : program(program) {}

  absl::Status verify(const fb::Subprogram &subprogram);

  Reach reach;

private:
  absl::Status touch(const fb::Address *address, uint64_t bytes);
  absl::Status verifyInstruction(const fb::Instruction &instruction);
  absl::Status verifyLaunch(const fb::Launch &launch);
  absl::Status verifyGemm(const fb::Gemm &gemm);
  absl::Status verifyStridedCopy(const fb::StridedCopy &copy);
  absl::Status verifyCollective(const fb::Collective &collective);

  const fb::Program &program;
};

} // namespace

template <typename T> static size_t getSize(const flatbuffers::Vector<T> *vector) {
  return vector ? vector->size() : 0;
}

absl::Status SubprogramVerifier::touch(const fb::Address *address, uint64_t bytes) {
  if (!address)
    return absl::DataLossError("an address is missing");
  if (address->base() >= maxBases)
    return absl::DataLossError(absl::StrCat("base ", address->base(), " does not exist"));
  if (address->offset() > maxBytes || bytes > maxBytes)
    return absl::DataLossError(
        absl::StrCat("bytes [", address->offset(), ", +", bytes, ") lie in no arena"));
  if (reach.size() <= address->base())
    reach.resize(address->base() + 1);
  BaseReach &ofBase = reach[address->base()];
  ofBase.isUsed = true;
  ofBase.end = std::max(ofBase.end, address->offset() + bytes);
  return absl::OkStatus();
}

absl::Status SubprogramVerifier::verifyLaunch(const fb::Launch &launch) {
  if (launch.kernel() >= getSize(program.kernels()))
    return absl::DataLossError(absl::StrCat("kernel ", launch.kernel(), " does not exist"));
  if (launch.count() > static_cast<uint64_t>(maxExtent) || launch.grain() == 0 ||
      launch.grain() > static_cast<uint64_t>(maxExtent))
    return absl::DataLossError(
        absl::StrCat("a launch of ", launch.count(), " items in grains of ", launch.grain()));
  // The sizes of a kernel's operands are known to the kernel only; they must at least begin in the
  // arena.
  if (launch.operands())
    for (const fb::Address *operand : *launch.operands())
      PLANWRIGHT_RETURN_IF_ERROR(touch(operand, 0));
  return absl::OkStatus();
}

/// Elements from the first to one past the last of a matrix under the gemm's loops; -1 where that
/// overflows.
static int64_t getSpan(std::initializer_list<std::pair<int64_t, int64_t>> extentsAndStrides) {
  int64_t span = 1;
  for (auto [extent, stride] : extentsAndStrides) {
    int64_t distance;
    if (extent < 1 || extent > maxExtent || stride < 0 ||
        __builtin_mul_overflow(extent - 1, stride, &distance) ||
        __builtin_add_overflow(span, distance, &span) || span > maxExtent)
      return -1;
  }
  return span;
}

/// A BLAS wants one stride of 1 and rows (or columns) that do not overlap. Strides of dimensions of
/// size 1 are free.
static bool isBlasMatrix(int64_t rows, int64_t columns, int64_t rowStride, int64_t columnStride) {
  constexpr int64_t maxBlas = INT32_MAX;
  if (rows > maxBlas || columns > maxBlas || rowStride > maxBlas || columnStride > maxBlas)
    return false;
  bool rowMajor = (columns == 1 || columnStride == 1) && (rows == 1 || rowStride >= columns);
  bool columnMajor = (rows == 1 || rowStride == 1) && (columns == 1 || columnStride >= rows);
  return rowMajor || columnMajor;
}

absl::Status SubprogramVerifier::verifyGemm(const fb::Gemm &gemm) {
  if (gemm.element_type() != fb::ElementType::f32 && gemm.element_type() != fb::ElementType::f64)
    return absl::DataLossError("a gemm must be f32 or f64");
  int64_t a = getSpan({{gemm.m(), gemm.a_m_stride()}, {gemm.k(), gemm.a_k_stride()}});
  int64_t b = getSpan({{gemm.k(), gemm.b_k_stride()}, {gemm.n(), gemm.b_n_stride()}});
  int64_t c = getSpan({{gemm.m(), gemm.c_m_stride()}, {gemm.n(), gemm.c_n_stride()}});
  bool valid = a > 0 && b > 0 && c > 0;
  int64_t iterations = 1;
  bool reducing = false;
  if (getSize(gemm.loops()) > maxLoops)
    return absl::DataLossError(absl::StrCat("a gemm has ", getSize(gemm.loops()), " loops"));
  if (gemm.loops())
    for (const fb::GemmLoop *loop : *gemm.loops()) {
      int64_t ofA = getSpan({{loop->extent(), loop->a_stride()}});
      int64_t ofB = getSpan({{loop->extent(), loop->b_stride()}});
      int64_t ofC = getSpan({{loop->extent(), loop->c_stride()}});
      valid = valid && ofA > 0 && ofB > 0 && ofC > 0;
      if (!valid)
        break;
      if (loop->extent() > 1 && loop->c_stride() != 0 && reducing)
        return absl::DataLossError("a gemm's reduction loops must be the innermost ones");
      reducing |= loop->extent() > 1 && loop->c_stride() == 0;
      // Each term is below 2^40 and there are few loops, so the sums cannot overflow.
      a += ofA - 1, b += ofB - 1, c += ofC - 1;
      valid = !__builtin_mul_overflow(iterations, loop->extent(), &iterations) &&
              iterations <= maxExtent && a <= maxExtent && b <= maxExtent && c <= maxExtent;
    }
  if (!valid)
    return absl::DataLossError("a gemm has an impossible extent or stride");
  if (!isBlasMatrix(gemm.m(), gemm.k(), gemm.a_m_stride(), gemm.a_k_stride()) ||
      !isBlasMatrix(gemm.k(), gemm.n(), gemm.b_k_stride(), gemm.b_n_stride()) ||
      !isBlasMatrix(gemm.m(), gemm.n(), gemm.c_m_stride(), gemm.c_n_stride()))
    return absl::DataLossError("a gemm's matrix has no unit stride or overlapping rows");
  uint64_t size = getByteSize(gemm.element_type());
  PLANWRIGHT_RETURN_IF_ERROR(touch(gemm.a(), a * size));
  PLANWRIGHT_RETURN_IF_ERROR(touch(gemm.b(), b * size));
  return touch(gemm.c(), c * size);
}

absl::Status SubprogramVerifier::verifyStridedCopy(const fb::StridedCopy &copy) {
  if (copy.bytes() == 0 || copy.bytes() > static_cast<uint64_t>(maxExtent))
    return absl::DataLossError(absl::StrCat("a strided copy of ", copy.bytes(), " bytes"));
  if (getSize(copy.loops()) > maxLoops)
    return absl::DataLossError(
        absl::StrCat("a strided copy has ", getSize(copy.loops()), " loops"));
  // Each term is below 2^40 and there are few, so the sums cannot overflow.
  int64_t source = static_cast<int64_t>(copy.bytes()), destination = source, iterations = 1;
  bool valid = true;
  if (copy.loops())
    for (const fb::CopyLoop *loop : *copy.loops()) {
      int64_t ofSource = getSpan({{loop->extent(), loop->source_stride()}});
      int64_t ofDestination = getSpan({{loop->extent(), loop->destination_stride()}});
      valid = valid && ofSource > 0 && ofDestination > 0 &&
              !__builtin_mul_overflow(iterations, loop->extent(), &iterations) &&
              iterations <= maxExtent;
      source += ofSource - 1, destination += ofDestination - 1;
    }
  std::vector<bool> used(getSize(program.axes()), false);
  if (copy.coordinates())
    for (const fb::CoordinateStride *coordinate : *copy.coordinates()) {
      uint32_t index = coordinate->axis();
      if (index >= used.size() || used[index] ||
          program.axes()->Get(index)->name()->string_view() == "mb")
        return absl::DataLossError(absl::StrCat(
            "axis ", index, " of a strided copy does not exist, is \"mb\" or is used twice"));
      used[index] = true;
      int64_t span = getSpan({{program.axes()->Get(index)->size(), coordinate->stride()}});
      valid = valid && span > 0;
      source += span - 1;
    }
  if (!valid)
    return absl::DataLossError("a strided copy has an impossible extent or stride");
  PLANWRIGHT_RETURN_IF_ERROR(touch(copy.source(), source));
  return touch(copy.destination(), destination);
}

/// Bytes of the destination, given those of the source: (numerator, denominator) in units of the
/// group's size.
static uint64_t getDestinationBytes(fb::CollectiveKind kind, uint64_t bytes, uint64_t groupSize) {
  if (kind == fb::CollectiveKind::all_gather)
    return bytes * groupSize;
  if (kind == fb::CollectiveKind::reduce_scatter)
    return bytes / groupSize;
  return bytes;
}

absl::Status SubprogramVerifier::verifyCollective(const fb::Collective &collective) {
  if (!isValid(collective.kind(), fb::CollectiveKind::MAX) ||
      !isValid(collective.reduction(), fb::Reduction::MAX) ||
      !isValid(collective.element_type(), fb::ElementType::MAX))
    return absl::DataLossError("a field has an unknown value");
  if (collective.communicator() >= getSize(program.communicators()))
    return absl::DataLossError(
        absl::StrCat("communicator ", collective.communicator(), " does not exist"));
  const fb::Communicator &communicator = *program.communicators()->Get(collective.communicator());
  uint64_t groupSize = Mesh(program).getGroupSize(toSpan(communicator.axes()));
  bool reduces = collective.kind() == fb::CollectiveKind::all_reduce ||
                 collective.kind() == fb::CollectiveKind::reduce_scatter;
  if (reduces && collective.element_type() == fb::ElementType::i1)
    return absl::DataLossError("a reduction of i1");
  bool divides = collective.kind() == fb::CollectiveKind::reduce_scatter ||
                 collective.kind() == fb::CollectiveKind::all_to_all;
  if (divides && collective.count() % groupSize != 0)
    return absl::DataLossError(
        absl::StrCat(collective.count(), " elements do not divide over ", groupSize, " ranks"));
  if (collective.count() > static_cast<uint64_t>(maxExtent))
    return absl::DataLossError(absl::StrCat("a collective of ", collective.count(), " elements"));
  uint64_t bytes = collective.count() * getByteSize(collective.element_type());
  PLANWRIGHT_RETURN_IF_ERROR(touch(collective.source(), bytes));
  return touch(collective.destination(), getDestinationBytes(collective.kind(), bytes, groupSize));
}

absl::Status SubprogramVerifier::verifyInstruction(const fb::Instruction &instruction) {
  switch (instruction.action_type()) {
  case fb::Action::Launch:
    return verifyLaunch(*instruction.action_as_Launch());
  case fb::Action::Gemm:
    return verifyGemm(*instruction.action_as_Gemm());
  case fb::Action::Copy: {
    const fb::Copy &copy = *instruction.action_as_Copy();
    PLANWRIGHT_RETURN_IF_ERROR(touch(copy.source(), copy.bytes()));
    return touch(copy.destination(), copy.bytes());
  }
  case fb::Action::Zero:
    return touch(instruction.action_as_Zero()->destination(),
                 instruction.action_as_Zero()->bytes());
  case fb::Action::StridedCopy:
    return verifyStridedCopy(*instruction.action_as_StridedCopy());
  case fb::Action::Collective:
    return verifyCollective(*instruction.action_as_Collective());
  case fb::Action::NONE:
    break;
  }
  return absl::DataLossError("an unknown action");
}

absl::Status SubprogramVerifier::verify(const fb::Subprogram &subprogram) {
  for (size_t i = 0; i < getSize(subprogram.instructions()); ++i) {
    const fb::Instruction &instruction = *subprogram.instructions()->Get(i);
    absl::Status status = verifyInstruction(instruction);
    if (status.ok() && instruction.record() < -1)
      status = absl::DataLossError(absl::StrCat("event ", instruction.record(), " does not exist"));
    if (!status.ok())
      return annotate(status, absl::StrCat("instruction ", i, " of @", subprogram.name()->str()));
  }
  return absl::OkStatus();
}

/// A task names what exists, and its bases keep its subprogram inside the arena.
static absl::Status verifyTask(const fb::Program &program, const fb::Task &task,
                               const std::vector<Reach> &reaches) {
  if (!isValid(task.kind(), fb::TaskKind::MAX))
    return absl::DataLossError("unknown kind");
  if (task.subprogram() >= reaches.size())
    return absl::DataLossError(absl::StrCat("subprogram ", task.subprogram(), " does not exist"));
  if (task.micro_batch() < -1 ||
      task.micro_batch() >= static_cast<int64_t>(program.micro_batches()))
    return absl::DataLossError(
        absl::StrCat("micro-batch ", task.micro_batch(), " of ", program.micro_batches()));
  auto bases = toSpan(task.bases());
  if (!bases.empty() && bases[0] != 0)
    return absl::DataLossError("base 0 is not 0");
  const Reach &reach = reaches[task.subprogram()];
  for (size_t i = 0; i < reach.size(); ++i) {
    if (reach[i].isUsed && i != 0 && i >= bases.size())
      return absl::DataLossError(absl::StrCat("base ", i, " is used but not given"));
    uint64_t base = i < bases.size() ? bases[i] : 0;
    if (base > maxBytes || base + reach[i].end > program.arena_bytes())
      return absl::DataLossError(absl::StrCat("it reaches byte ", base, " + ", reach[i].end,
                                              " of an arena of ", program.arena_bytes()));
  }
  return absl::OkStatus();
}

/// Events in the order of one step. `recorded` says which ones have happened.
static absl::Status verifyEvents(const fb::Program &program, const fb::Subprogram &subprogram,
                                 std::vector<bool> &recorded) {
  for (size_t i = 0; i < getSize(subprogram.instructions()); ++i) {
    const fb::Instruction &instruction = *subprogram.instructions()->Get(i);
    for (uint32_t event : toSpan(instruction.waits()))
      if (event >= recorded.size() || !recorded[event])
        return absl::DataLossError(absl::StrCat("instruction ", i, " waits for event ", event,
                                                ", which nothing has recorded"));
    if (instruction.record() >= static_cast<int64_t>(recorded.size()))
      return absl::DataLossError(absl::StrCat("instruction ", i, " records event ",
                                              instruction.record(), " of ", recorded.size()));
    if (instruction.record() >= 0)
      recorded[instruction.record()] = true;
  }
  return absl::OkStatus();
}

absl::Status verifyInstructions(const fb::Program &program) {
  std::vector<Reach> reaches;
  if (program.subprograms())
    for (const fb::Subprogram *subprogram : *program.subprograms()) {
      SubprogramVerifier verifier(program);
      PLANWRIGHT_RETURN_IF_ERROR(verifier.verify(*subprogram));
      reaches.push_back(std::move(verifier.reach));
    }
  if (program.events() > 1'000'000)
    return absl::DataLossError(absl::StrCat(program.events(), " events"));
  std::vector<bool> recorded(program.events(), false);
  for (size_t i = 0; i < getSize(program.tasks()); ++i) {
    const fb::Task &task = *program.tasks()->Get(i);
    std::string where = absl::StrCat("task ", i, " (", fb::EnumNameTaskKind(task.kind()), ")");
    PLANWRIGHT_RETURN_IF_ERROR(annotate(verifyTask(program, task, reaches), where));
    const fb::Subprogram &subprogram = *program.subprograms()->Get(task.subprogram());
    PLANWRIGHT_RETURN_IF_ERROR(annotate(verifyEvents(program, subprogram, recorded), where));
  }
  return absl::OkStatus();
}

} // namespace planwright::rt
