// Parts of stacked parameters become arguments; a stack of which a part is not used, or that is used whole, stays.
// RUN: plan-opt %s --model-unstack-parameters --model-verify-normal-form --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<3xf32> {model.argument = #model.argument<input, name = "x">},
// CHECK-SAME:    %[[W0:.*]]: tensor<3xf32> {model.argument = #model.argument<parameter, name = "w[0]">},
// CHECK-SAME:    %[[W1:.*]]: tensor<3xf32> {model.argument = #model.argument<parameter, name = "w[1]">},
// CHECK-SAME:    %[[V0:.*]]: tensor<4x5xf32> {model.argument = #model.argument<constant, name = "v[0]">},
// CHECK-SAME:    %[[V1:.*]]: tensor<4x5xf32> {model.argument = #model.argument<constant, name = "v[1]">})
// CHECK-NEXT:    %[[E:.*]] = tensor.expand_shape %[[V1]] {{\[\[}}0, 1], [2]] output_shape [1, 4, 5]
// CHECK-NEXT:    return %[[W1]], %[[W0]], %[[V0]], %[[E]]
func.func @main(%x: tensor<3xf32> {model.argument = #model.argument<input, name = "x">},
                %w: tensor<2x3xf32> {model.argument = #model.argument<parameter, name = "w">},
                %v: tensor<2x4x5xf32> {model.argument = #model.argument<constant, name = "v">})
    -> (tensor<3xf32>, tensor<3xf32>, tensor<4x5xf32>, tensor<1x4x5xf32>) {
  %0 = tensor.extract_slice %w[1, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>
  %1 = tensor.extract_slice %w[0, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>
  %2 = tensor.extract_slice %v[0, 0, 0] [1, 4, 5] [1, 1, 1] : tensor<2x4x5xf32> to tensor<4x5xf32>
  %3 = tensor.extract_slice %v[1, 0, 0] [1, 4, 5] [1, 1, 1] : tensor<2x4x5xf32> to tensor<1x4x5xf32>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<4x5xf32>, tensor<1x4x5xf32>
}

// -----

// CHECK-LABEL: func.func @unused_part(
// CHECK-SAME:    %{{[a-z0-9]*}}: tensor<3x2xf32> {model.argument = #model.argument<parameter, name = "w">})
func.func @unused_part(%w: tensor<3x2xf32> {model.argument = #model.argument<parameter, name = "w">}) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = tensor.extract_slice %w[0, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
  %1 = tensor.extract_slice %w[1, 0] [1, 2] [1, 1] : tensor<3x2xf32> to tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @cut_inside(
// CHECK-SAME:    %{{[a-z0-9]*}}: tensor<2x4xf32> {model.argument = #model.argument<parameter, name = "w">}, %{{[a-z0-9]*}}: tensor<2x4xf32> {model.argument = #model.argument<parameter, name = "v">})
func.func @cut_inside(%w: tensor<2x4xf32> {model.argument = #model.argument<parameter, name = "w">},
                      %v: tensor<2x4xf32> {model.argument = #model.argument<parameter, name = "v">}) -> (tensor<2xf32>, tensor<4xf32>, tensor<2x4xf32>) {
  %0 = tensor.extract_slice %w[0, 0] [1, 2] [1, 1] : tensor<2x4xf32> to tensor<2xf32>
  %1 = tensor.extract_slice %w[1, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<4xf32>
  return %0, %1, %v : tensor<2xf32>, tensor<4xf32>, tensor<2x4xf32>
}
