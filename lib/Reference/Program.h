// The body of a linalg operation as a straight list of vector instructions. Internal to Reference.
//
//   FailureOr<Program> program = Program::compile(block, options);   // block arguments are the
//   first registers Registers registers(*program); registers.set(0, lanesOfTheFirstInput); // count
//   lanes each program->run(registers, count); const void *result =
//   registers.get(program->getYields()[0]);

#ifndef PLANWRIGHT_REFERENCE_PROGRAM_H
#define PLANWRIGHT_REFERENCE_PROGRAM_H

#include "ScalarTable.h"

#include "planwright/Reference/Interpreter.h"

#include "mlir/IR/Block.h"

namespace planwright::reference {

/// Most lanes that one run can take: all registers of a body stay in the second-level cache.
inline constexpr int64_t maxLanes = 1024;

/// The element type in which a value of `type` is kept and computed under these options.
std::optional<ElementType> getStorageType(mlir::Type type, const InterpreterOptions &options);

/// What one register of a program holds.
struct RegisterType {
  ElementType element;
  Lane lane;
};

class Registers;

class Program {
public:
  /// Compiles what `yields` need of a block without control flow. Emits an error at an operation
  /// that has no row.
  static mlir::FailureOr<Program> compile(mlir::Block &block, mlir::ValueRange yields,
                                          const InterpreterOptions &options);
  /// The program of one operation on its operands, elementwise.
  static mlir::FailureOr<Program> compile(mlir::Operation *op, const InterpreterOptions &options);

  llvm::ArrayRef<RegisterType> getRegisterTypes() const { return types; }
  unsigned getNumArguments() const { return numArguments; }
  /// Registers of the values asked for.
  llvm::ArrayRef<unsigned> getYields() const { return yields; }
  /// Registers that hold the value of a loop, and which loop: filled by the caller like arguments.
  llvm::ArrayRef<std::pair<unsigned, unsigned>> getLoopIndices() const { return loopIndices; }

  /// Computes all registers for the first `count` lanes.
  void run(Registers &registers, int64_t count) const;

private:
  friend class Registers;
  friend class ProgramBuilder;

  struct Instruction {
    Kernel kernel = nullptr;
    llvm::SmallVector<unsigned, 3> operands;
    unsigned result;
    unsigned zeroExtendBits =
        0;                 // Operands are first copied zero-extended from this width; 0 is no.
    unsigned wrapBits = 0; // The result is cut to this width; 0 is no.
    bool round = false;    // The result is rounded to its 16-bit float type.
  };

  llvm::SmallVector<RegisterType> types;
  llvm::SmallVector<Instruction> instructions;
  llvm::SmallVector<unsigned> yields;
  llvm::SmallVector<std::pair<unsigned, unsigned>> loopIndices;
  llvm::SmallVector<std::pair<unsigned, Tensor>> constants;
  unsigned numArguments = 0;
};

/// The memory of a program's registers. One per thread that runs it.
class Registers {
public:
  explicit Registers(const Program &program);

  /// Where the lanes of a register are.
  void *get(unsigned index) { return pointers[index]; }
  /// Lets a register's lanes lie in somebody else's memory, which the program only reads.
  void set(unsigned index, void *lanes) { pointers[index] = lanes; }
  /// Undoes `set`.
  void *own(unsigned index) { return pointers[index] = memory.get() + index * maxLanes * 8; }

private:
  friend class Program;
  std::unique_ptr<char[]> memory;
  llvm::SmallVector<void *> pointers;
  llvm::SmallVector<int64_t> scratch; // Zero-extended copies of operands.
};

} // namespace planwright::reference

#endif // PLANWRIGHT_REFERENCE_PROGRAM_H
