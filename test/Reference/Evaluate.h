// Runs @main of a module given as text, for the tests of the reference interpreter.

#ifndef PLANWRIGHT_TEST_REFERENCE_EVALUATE_H
#define PLANWRIGHT_TEST_REFERENCE_EVALUATE_H

#include "planwright/Reference/Interpreter.h"

#include "dialects/Comm/IR/Comm.h"
#include "dialects/Model/IR/Model.h"
#include "dialects/Plan/IR/Plan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace planwright::reference {

/// A parsed module and what went wrong with it.
class TestModule {
public:
  explicit TestModule(llvm::StringRef text)
      : context(getRegistry(), mlir::MLIRContext::Threading::DISABLED) {
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &diagnostic) { errors += diagnostic.str() + "\n"; });
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << errors;
  }

  mlir::func::FuncOp getMain() { return module->lookupSymbol<mlir::func::FuncOp>("main"); }

  /// The results of @main, or nothing and a failed test.
  TensorList run(llvm::ArrayRef<Tensor> arguments = {}, InterpreterOptions options = {}) {
    if (!module)
      return {};
    mlir::FailureOr<TensorList> results = Interpreter(*module, options).run(getMain(), arguments);
    EXPECT_TRUE(mlir::succeeded(results)) << errors;
    return mlir::succeeded(results) ? *results : TensorList();
  }

  /// The message with which running @main fails.
  std::string getError(llvm::ArrayRef<Tensor> arguments = {}) {
    mlir::FailureOr<TensorList> results = Interpreter(*module).run(getMain(), arguments);
    EXPECT_TRUE(mlir::failed(results));
    return errors;
  }

  mlir::OwningOpRef<mlir::ModuleOp> &get() { return module; }
  const std::string &getErrors() const { return errors; }

private:
  static mlir::DialectRegistry getRegistry() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                    mlir::math::MathDialect, mlir::tensor::TensorDialect, comm::CommDialect,
                    model::ModelDialect, plan::PlanDialect>();
    return registry;
  }

  mlir::MLIRContext context;
  std::string errors;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

template <typename T>
Tensor makeTensor(ElementType type, llvm::ArrayRef<int64_t> shape,
                  std::initializer_list<T> values) {
  Tensor result(type, shape);
  llvm::copy(values, result.getMutable<T>().begin());
  return result;
}

inline Tensor floats(llvm::ArrayRef<int64_t> shape, std::initializer_list<float> values) {
  return makeTensor<float>(ElementType::F32, shape, values);
}

inline std::vector<double> toDoubles(const Tensor &tensor) {
  std::vector<double> result;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    result.push_back(tensor.getAsDouble(i));
  return result;
}

} // namespace planwright::reference

#endif // PLANWRIGHT_TEST_REFERENCE_EVALUATE_H
