// Passes that bring a graph of linalg operations into the normal form, and the proof that it is there.

#ifndef PLANWRIGHT_LIB_TRANSFORMS_NORMALIZE_PASSES_TD
#define PLANWRIGHT_LIB_TRANSFORMS_NORMALIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ModelFoldBroadcasts : Pass<"model-fold-broadcasts", "::mlir::ModuleOp"> {
  let summary = "Fold movement, constants and masks into whoever reads them";
  let description = [{
    A broadcast or transpose (a generic that only yields) becomes part of its consumer's indexing map, in generics and
    contractions alike; a transpose of a contraction that nobody can read that way is written by the contraction
    itself. Constants with one value become scalars in the consumer's body. Masks, generics that compute from
    coordinates and integer tensors with cheap arithmetic, are computed where they are used: a mask as large as all
    attention scores is never stored. Generics on floats are not fused: that is for the code generator to decide.

    One walk from first to last operation; each folds what came before it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def ModelCloseBodies : Pass<"model-close-bodies"> {
  let summary = "Give each generic its own copies of the constants that its body uses";
  let description = [{
    Eliminating common subexpressions makes a constant in a generic's body one with an equal constant before the
    generic. In the normal form bodies are closed, so that equal kernels are equal as text: this pass copies such
    constants back. It belongs behind every CSE of the road. Changes nothing else.

    ```mlir
    %c = arith.constant 2.0 : f32
    %r = linalg.generic ... { ^bb0(%x: f32, %o: f32): %y = arith.mulf %x, %c : f32 ... }   // %c moves inside
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ModelSplitFused : Pass<"model-split-fused", "::mlir::ModuleOp"> {
  let summary = "Make two dimensions of one that is cut into equal parts";
  let description = [{
    A fused projection computes query, key and value at once and cuts the result at thirds. As one dimension of `3 * h`
    it cannot be divided over ranks: a block of it is no block of each part. Here it becomes two, `[3, h]`, in the
    result, in everything between the cut and the product, and in the parameters themselves, which keep their names and
    their bytes: loaders read a parameter in the shape that the function's argument has.

    Happens where every use of the result is such a cut, and everything that has the dimension is an operation with a
    loop for it, or a parameter that nothing else reads.

    ```mlir
    %y = linalg.contract ... ins(%x, %w : tensor<8x4xf32>, tensor<12x4xf32>) ... -> tensor<8x12xf32>
    %q = tensor.extract_slice %y[0, 0] [8, 4] [1, 1] : tensor<8x12xf32> to tensor<8x4xf32>
    // becomes
    %y = linalg.contract ... ins(%x, %w : tensor<8x4xf32>, tensor<3x4x4xf32>) ... -> tensor<8x3x4xf32>
    %s = tensor.extract_slice %y[0, 0, 0] [8, 1, 4] [1, 1, 1] : tensor<8x3x4xf32> to tensor<8x1x4xf32>
    %q = tensor.collapse_shape %s [[0], [1, 2]] : tensor<8x1x4xf32> into tensor<8x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect", "::mlir::linalg::LinalgDialect"];
}

def ModelPadVocabulary : Pass<"model-pad-vocabulary", "::mlir::ModuleOp"> {
  let summary = "Make vocabularies a multiple of the ranks that divide them";
  let description = [{
    A vocabulary is what a looked-up table has rows for. Where its size is no multiple of `multiple`, it grows to one,
    in every parameter that has it and in everything computed with them. Reductions pass over what is beyond the end, so
    that no result changes, and gradients of padded rows are zero. Files keep their shapes: loaders fill the padding with
    zeros, writers cut it off.

    A vocabulary that something else than a product, a slice of other dimensions or a reduction with a neutral element
    reads stays as it is.

    ```mlir
    %y = model.lookup %t, %i : (tensor<13x4xf32>, tensor<8xi32>) -> tensor<8x4xf32>
    // with multiple = 4 becomes
    %j = linalg.generic ... arith.minsi %i, 12
    %y = model.lookup %t, %j : (tensor<16x4xf32>, tensor<8xi32>) -> tensor<8x4xf32>
    ```
  }];
  let options = [
    Option<"multiple", "multiple", "int64_t", "1", "What sizes shall be a multiple of">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def ModelUnstackParameters : Pass<"model-unstack-parameters", "::mlir::ModuleOp"> {
  let summary = "Make the layers of a stacked parameter parameters of their own";
  let description = [{
    A loop over layers reads its weights from parameters that hold those of all layers. Unrolled, everybody takes one
    part along the first dimension; here the parts become arguments, called `name[0]`, `name[1]` and so on. Layers are
    then as independent of each other as if they had been written out: layouts, gradients and optimizer state are
    theirs. Files keep the stacked tensor: loaders read the parts from it, writers put them together.

    Happens where every use is such a part and every part is used.

    ```mlir
    func.func @main(%w: tensor<2x4x8xf32> {model.argument = #model.argument<parameter, name = "w">}) ...
    // becomes
    func.func @main(%w0: tensor<4x8xf32> {model.argument = #model.argument<parameter, name = "w[0]">},
                    %w1: tensor<4x8xf32> {model.argument = #model.argument<parameter, name = "w[1]">}) ...
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def ModelVerifyNormalForm : Pass<"model-verify-normal-form", "::mlir::ModuleOp"> {
  let summary = "Prove that reading is over";
  let description = [{
    The contract between reading a model and everything behind it. Violations are reported all at once.

    1. Functions have one block; values are tensors of static shape whose elements are signless integers or floats.
    2. Operations are constants, `tensor` operations with static offsets, `linalg.{fill, generic, contract}`,
       operations of the `model` dialect, calls and returns.
    3. Indexing maps are projected permutations, and every loop is bounded by an operand.
    4. A generic's body is closed: nothing from outside but its arguments.
    5. A pointwise generic does not read its (empty) result; a reduction starts at a constant, and with one result it
       is its last operation that combines the accumulator with an element.
    6. A contraction starts at zero.
  }];
}

#endif // PLANWRIGHT_LIB_TRANSFORMS_NORMALIZE_PASSES_TD
