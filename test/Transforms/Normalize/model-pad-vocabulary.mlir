// A vocabulary of 13 becomes one of 16, everywhere, and no result changes.
// RUN: plan-opt %s --model-pad-vocabulary=multiple=4 --model-verify-normal-form --split-input-file | FileCheck %s
// RUN: plan-opt %s --model-pad-vocabulary=multiple=13 --split-input-file | FileCheck %s --check-prefix=FITS

// FITS-NOT: 16x
// FITS-NOT: minsi

// The table is read at clamped rows; its product with the rows, and the bias, are longer; the sum passes over the end.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[T:.*]]: tensor<16x4xf32> {model.argument = #model.argument<parameter, name = "t">}, %[[B:.*]]: tensor<16xf32>
// CHECK:         %[[ROWS:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8xi32>)
// CHECK:           %[[LAST:.*]] = arith.constant 12 : i32
// CHECK:           arith.minsi %{{.*}}, %[[LAST]]
// CHECK:         %[[X:.*]] = model.lookup %[[T]], %[[ROWS]] : (tensor<16x4xf32>, tensor<8xi32>) -> tensor<8x4xf32>
// CHECK:         %[[Y:.*]] = linalg.contract {{.*}} ins(%[[X]], %[[T]] : tensor<8x4xf32>, tensor<16x4xf32>) {{.*}} -> tensor<8x16xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[Y]], %[[B]] : tensor<8x16xf32>, tensor<16xf32>)
// CHECK:         %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 0] [6, 16] [1, 1] : tensor<8x16xf32> to tensor<6x16xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[S]] : tensor<6x16xf32>) outs(%{{.*}} : tensor<6xf32>)
// CHECK:           %[[I:.*]] = linalg.index 1
// CHECK:           %[[J:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK:           %[[END:.*]] = arith.constant 13 : i64
// CHECK:           %[[INSIDE:.*]] = arith.cmpi slt, %[[J]], %[[END]]
// CHECK:           %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK:           %[[V:.*]] = arith.select %[[INSIDE]], %{{.*}}, %[[LOWEST]]
// CHECK:           arith.maximumf %{{.*}}, %[[V]]
func.func @main(%t: tensor<13x4xf32> {model.argument = #model.argument<parameter, name = "t">},
                %b: tensor<13xf32> {model.argument = #model.argument<parameter, name = "b">},
                %i: tensor<8xi32> {model.argument = #model.argument<input, name = "i", batchDim = 0>}) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %x = model.lookup %t, %i : (tensor<13x4xf32>, tensor<8xi32>) -> tensor<8x4xf32>
  %e = tensor.empty() : tensor<8x13xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x13xf32>) -> tensor<8x13xf32>
  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %t : tensor<8x4xf32>, tensor<13x4xf32>) outs(%z : tensor<8x13xf32>) -> tensor<8x13xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%y, %b : tensor<8x13xf32>, tensor<13xf32>) outs(%e : tensor<8x13xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<8x13xf32>
  %s = tensor.extract_slice %a[0, 0] [6, 13] [1, 1] : tensor<8x13xf32> to tensor<6x13xf32>
  %e6 = tensor.empty() : tensor<6xf32>
  %l6 = linalg.fill ins(%lowest : f32) outs(%e6 : tensor<6xf32>) -> tensor<6xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<6x13xf32>) outs(%l6 : tensor<6xf32>) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.maximumf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<6xf32>
  return %m : tensor<6xf32>
}

// -----

// Who reads the vocabulary otherwise keeps it as it is: here it is returned.
// CHECK-LABEL: func.func @returned(
// CHECK-SAME:    tensor<13x4xf32>
func.func @returned(%t: tensor<13x4xf32> {model.argument = #model.argument<parameter, name = "t">}, %i: tensor<8xi32>) -> (tensor<8x4xf32>, tensor<13x4xf32>) {
  %x = model.lookup %t, %i : (tensor<13x4xf32>, tensor<8xi32>) -> tensor<8x4xf32>
  return %x, %t : tensor<8x4xf32>, tensor<13x4xf32>
}

// -----

// A table that is no parameter is whatever the model made of it.
// CHECK-LABEL: func.func @no_parameter(
// CHECK-SAME:    tensor<13x4xf32>
func.func @no_parameter(%t: tensor<13x4xf32>, %i: tensor<8xi32>) -> tensor<8x4xf32> {
  %x = model.lookup %t, %i : (tensor<13x4xf32>, tensor<8xi32>) -> tensor<8x4xf32>
  return %x : tensor<8x4xf32>
}
