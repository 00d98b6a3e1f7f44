// A vocabulary of 13: embeddings, a product with tanh, and the table again as the head; mean cross-entropy.
module {
  func.func public @main(%table: tensor<13x8xf32>, %w: tensor<8x16xf32>, %v: tensor<16x8xf32>, %ids: tensor<4x6xi32>, %labels: tensor<4x6xi32>) -> tensor<f32> {
    %index = stablehlo.reshape %ids : (tensor<4x6xi32>) -> tensor<4x6x1xi32>
    %x = "stablehlo.gather"(%table, %index) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<13x8xf32>, tensor<4x6x1xi32>) -> tensor<4x6x8xf32>
    %h = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<4x6x8xf32>, tensor<8x16xf32>) -> tensor<4x6x16xf32>
    %a = stablehlo.tanh %h : tensor<4x6x16xf32>
    %y = stablehlo.dot_general %a, %v, contracting_dims = [2] x [0] : (tensor<4x6x16xf32>, tensor<16x8xf32>) -> tensor<4x6x8xf32>
    %logits = stablehlo.dot_general %y, %table, contracting_dims = [2] x [1] : (tensor<4x6x8xf32>, tensor<13x8xf32>) -> tensor<4x6x13xf32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %max = stablehlo.reduce(%logits init: %lowest) applies stablehlo.maximum across dimensions = [2] : (tensor<4x6x13xf32>, tensor<f32>) -> tensor<4x6xf32>
    %maxes = stablehlo.broadcast_in_dim %max, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x13xf32>
    %shifted = stablehlo.subtract %logits, %maxes : tensor<4x6x13xf32>
    %exp = stablehlo.exponential %shifted : tensor<4x6x13xf32>
    %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x6x13xf32>, tensor<f32>) -> tensor<4x6xf32>
    %log = stablehlo.log %sum : tensor<4x6xf32>
    %logs = stablehlo.broadcast_in_dim %log, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x13xf32>
    %logp = stablehlo.subtract %shifted, %logs : tensor<4x6x13xf32>
    %classes = stablehlo.iota dim = 2 : tensor<4x6x13xi32>
    %wanted = stablehlo.broadcast_in_dim %labels, dims = [0, 1] : (tensor<4x6xi32>) -> tensor<4x6x13xi32>
    %is = stablehlo.compare EQ, %classes, %wanted : (tensor<4x6x13xi32>, tensor<4x6x13xi32>) -> tensor<4x6x13xi1>
    %zeros = stablehlo.constant dense<0.0> : tensor<4x6x13xf32>
    %picked = stablehlo.select %is, %logp, %zeros : tensor<4x6x13xi1>, tensor<4x6x13xf32>
    %total = stablehlo.reduce(%picked init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x13xf32>, tensor<f32>) -> tensor<f32>
    %count = stablehlo.constant dense<-24.0> : tensor<f32>
    %loss = stablehlo.divide %total, %count : tensor<f32>
    return %loss : tensor<f32>
  }
}
