// One table for each instruction.
#include "InstructionWriter.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace planwright;
using namespace planwright::exec;
namespace fb = planwright::rt::fb;

InstructionWriter::InstructionWriter(flatbuffers::FlatBufferBuilder &output, ProgramOp program,
                                     SymbolTable &symbols, const MachineRates &rates)
    : output(output), program(program), symbols(symbols), prediction(program, rates) {
  for (KernelOp kernel : program.getOps<KernelOp>())
    kernels.insert({kernel.getSymNameAttr(), kernels.size()});
  for (CommunicatorOp communicator : program.getOps<CommunicatorOp>())
    communicators.insert({communicator.getSymNameAttr(), communicators.size()});
}

uint32_t InstructionWriter::getAxis(Attribute name) const {
  ArrayRef<Attribute> known = ProgramOp(program).getAxes().getValue();
  return static_cast<uint32_t>(llvm::find(known, name) - known.begin());
}

std::vector<uint32_t> InstructionWriter::getAxes(ArrayAttr names) const {
  std::vector<uint32_t> indices;
  for (Attribute name : names)
    indices.push_back(getAxis(name));
  return indices;
}

fb::Address InstructionWriter::getAddress(RegionAttr region) {
  auto buffer = symbols.lookup<BufferOp>(region.getBuffer().getAttr());
  return fb::Address(*buffer.getOffset() + region.getOffset(),
                     static_cast<uint32_t>(region.getBase()));
}

/// Bytes of all operands, read and written.
static int64_t countBytes(StepOpInterface step) {
  SmallVector<OperandAttr> operands;
  step.getOperandRegions(operands);
  int64_t bytes = 0;
  for (OperandAttr operand : operands)
    bytes += operand.getRegion().getSize() * (operand.getAccess() == Access::update ? 2 : 1);
  return bytes;
}

static double countFlops(GemmShapeAttr shape) {
  double flops = 2.0 * shape.getM() * shape.getN() * shape.getK();
  for (GemmLoopAttr loop : shape.getLoops())
    flops *= loop.getExtent();
  return flops;
}

InstructionWriter::Action InstructionWriter::writeAction(LaunchOp launch) {
  std::vector<fb::Address> operands;
  for (auto operand : launch.getOperands().getAsRange<OperandAttr>())
    operands.push_back(getAddress(operand.getRegion()));
  auto written = output.CreateVectorOfStructs(operands);
  uint32_t kernel = kernels.lookup(launch.getKernelAttr().getAttr());
  uint64_t bytes = countBytes(launch);
  // How much a kernel computes stands in its text only.
  return {fb::Action::Launch,
          fb::CreateLaunch(output, kernel, written, launch.getCount(), launch.getGrain(),
                           /*flops=*/0, bytes)
              .Union(),
          prediction.predict({.bytes = static_cast<double>(bytes)})};
}

InstructionWriter::Action InstructionWriter::writeAction(GemmOp gemm) {
  GemmShapeAttr shape = gemm.getShape();
  std::vector<fb::GemmLoop> loops;
  for (GemmLoopAttr loop : shape.getLoops())
    loops.emplace_back(loop.getExtent(), loop.getA(), loop.getB(), loop.getC());
  auto writtenLoops = output.CreateVectorOfStructs(loops);
  auto a = getAddress(gemm.getA()), b = getAddress(gemm.getB()), c = getAddress(gemm.getC());
  fb::GemmBuilder table(output);
  table.add_element_type(*toFormat(gemm.getElementType()));
  table.add_a(&a);
  table.add_b(&b);
  table.add_c(&c);
  table.add_m(shape.getM());
  table.add_n(shape.getN());
  table.add_k(shape.getK());
  table.add_a_m_stride(shape.getA()[0]);
  table.add_a_k_stride(shape.getA()[1]);
  table.add_b_k_stride(shape.getB()[0]);
  table.add_b_n_stride(shape.getB()[1]);
  table.add_c_m_stride(shape.getC()[0]);
  table.add_c_n_stride(shape.getC()[1]);
  table.add_loops(writtenLoops);
  table.add_accumulate(gemm.getAccumulate());
  return {fb::Action::Gemm, table.Finish().Union(),
          prediction.predict(
              {.flops = countFlops(shape), .bytes = static_cast<double>(countBytes(gemm))})};
}

InstructionWriter::Action InstructionWriter::writeAction(CopyOp copy) {
  auto source = getAddress(copy.getSource()), destination = getAddress(copy.getDestination());
  return {fb::Action::Copy,
          fb::CreateCopy(output, &source, &destination, copy.getSource().getSize()).Union(),
          prediction.predict({.bytes = static_cast<double>(countBytes(copy))})};
}

InstructionWriter::Action InstructionWriter::writeAction(StridedCopyOp copy) {
  std::vector<fb::CopyLoop> loops;
  double moved = 2.0 * copy.getBytes();
  for (auto loop : copy.getLoops().getAsRange<ByteLoopAttr>()) {
    loops.emplace_back(loop.getExtent(), loop.getSource(), loop.getDestination());
    moved *= loop.getExtent();
  }
  std::vector<fb::CoordinateStride> coordinates;
  for (auto coordinate : copy.getCoordinates().getAsRange<CoordinateAttr>())
    coordinates.emplace_back(getAxis(coordinate.getAxis()), coordinate.getStride());
  auto writtenLoops = output.CreateVectorOfStructs(loops);
  auto writtenCoordinates = output.CreateVectorOfStructs(coordinates);
  auto source = getAddress(copy.getSource()), destination = getAddress(copy.getDestination());
  return {fb::Action::StridedCopy,
          fb::CreateStridedCopy(output, &source, &destination, copy.getBytes(), writtenLoops,
                                writtenCoordinates)
              .Union(),
          prediction.predict({.bytes = moved})};
}

InstructionWriter::Action InstructionWriter::writeAction(ZeroOp zero) {
  auto destination = getAddress(zero.getDestination());
  return {fb::Action::Zero,
          fb::CreateZero(output, &destination, zero.getDestination().getSize()).Union(),
          prediction.predict({.bytes = static_cast<double>(countBytes(zero))})};
}

template <typename CollectiveOp>
InstructionWriter::Action
InstructionWriter::writeCollective(CollectiveOp op, fb::CollectiveKind kind, Reduction reduction) {
  auto source = getAddress(op.getSource()), destination = getAddress(op.getDestination());
  int64_t bytes = op.getSource().getSize();
  uint64_t count = bytes / getElementBytes(op.getElementType());
  StringAttr group = op.getCommunicatorAttr().getAttr();
  return {fb::Action::Collective,
          fb::CreateCollective(output, kind, toFormat(reduction), communicators.lookup(group),
                               *toFormat(op.getElementType()), &source, &destination, count)
              .Union(),
          prediction.predict(kind, bytes, symbols.lookup<CommunicatorOp>(group))};
}

InstructionWriter::Action InstructionWriter::writeAnyAction(Operation *step) {
  return llvm::TypeSwitch<Operation *, Action>(step)
      .Case<LaunchOp, GemmOp, CopyOp, StridedCopyOp, ZeroOp>(
          [&](auto op) { return writeAction(op); })
      .Case([&](AllReduceOp op) {
        return writeCollective(op, fb::CollectiveKind::all_reduce, op.getReduction());
      })
      .Case([&](AllGatherOp op) { return writeCollective(op, fb::CollectiveKind::all_gather); })
      .Case([&](ReduceScatterOp op) {
        return writeCollective(op, fb::CollectiveKind::reduce_scatter, op.getReduction());
      })
      .Case([&](AllToAllOp op) { return writeCollective(op, fb::CollectiveKind::all_to_all); })
      .Case([&](BroadcastOp op) { return writeCollective(op, fb::CollectiveKind::broadcast); })
      .Default([](Operation *) { return Action(); });
}

/// The instruction and the line of the model that it came from.
static std::string getLabel(Operation *step) {
  std::string label = step->getName().stripDialect().str();
  step->getLoc()->walk([&](Location loc) {
    auto line = dyn_cast<FileLineColLoc>(loc);
    if (!line)
      return WalkResult::advance();
    label +=
        (" " + llvm::sys::path::filename(line.getFilename()) + ":" + Twine(line.getLine())).str();
    return WalkResult::interrupt();
  });
  return label;
}

FailureOr<flatbuffers::Offset<fb::Instruction>> InstructionWriter::write(StepOpInterface step) {
  auto collective = dyn_cast<CollectiveStepOpInterface>(step.getOperation());
  if (collective && !toFormat(cast<TypeAttr>(step->getAttr("element_type")).getValue()))
    return step->emitError("has an element type that cannot be written"), failure();
  Action action = writeAnyAction(step);
  if (action.tag == fb::Action::NONE)
    return step->emitError("cannot be written"), failure();
  auto waits = output.CreateVector(
      std::vector<uint32_t>(step.getStepWaits().begin(), step.getStepWaits().end()));
  auto label = output.CreateSharedString(getLabel(step));
  return fb::CreateInstruction(
      output, action.tag, action.table, static_cast<uint8_t>(step.getStepStream()), waits,
      static_cast<int32_t>(step.getStepRecord().value_or(-1)), label, action.predictedNs);
}
