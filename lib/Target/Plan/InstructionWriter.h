// Instructions of exec as tables of program.fbs.
#ifndef PLANWRIGHT_LIB_TARGET_PLAN_INSTRUCTIONWRITER_H
#define PLANWRIGHT_LIB_TARGET_PLAN_INSTRUCTIONWRITER_H

#include "FormatTypes.h"
#include "Prediction.h"

#include "llvm/ADT/DenseMap.h"

namespace planwright {

class InstructionWriter {
public:
  /// Writes into `output`; kernels, communicators and axes are numbered as they stand in `program`.
  InstructionWriter(flatbuffers::FlatBufferBuilder &output, exec::ProgramOp program,
                    mlir::SymbolTable &symbols, const MachineRates &rates);

  mlir::FailureOr<flatbuffers::Offset<rt::fb::Instruction>> write(exec::StepOpInterface step);

  /// Index of the axis called `name`, and of all of `names`.
  uint32_t getAxis(mlir::Attribute name) const;
  std::vector<uint32_t> getAxes(mlir::ArrayAttr names) const;

private:
  /// An action, its tag in the union, and how long it should take.
  struct Action {
    rt::fb::Action tag = rt::fb::Action::NONE;
    flatbuffers::Offset<void> table = 0;
    uint64_t predictedNs = 0;
  };

  rt::fb::Address getAddress(exec::RegionAttr region);
  Action writeAction(exec::LaunchOp launch);
  Action writeAction(exec::GemmOp gemm);
  Action writeAction(exec::CopyOp copy);
  Action writeAction(exec::StridedCopyOp copy);
  Action writeAction(exec::ZeroOp zero);
  template <typename CollectiveOp>
  Action writeCollective(CollectiveOp op, rt::fb::CollectiveKind kind,
                         exec::Reduction reduction = exec::Reduction::sum);
  Action writeAnyAction(mlir::Operation *step);

  flatbuffers::FlatBufferBuilder &output;
  exec::ProgramOp program;
  mlir::SymbolTable &symbols;
  Prediction prediction;
  llvm::DenseMap<mlir::StringAttr, uint32_t> kernels, communicators;
};

} // namespace planwright

#endif // PLANWRIGHT_LIB_TARGET_PLAN_INSTRUCTIONWRITER_H
