// The optimizer's update: signature, in-place form, decay, clipping, schedule, narrow parameters.
// RUN: plan-opt %s "--model-build-update=optimizer=adamw:lr=3e-4,beta1=0.9,beta2=0.95,eps=1e-8,weight-decay=0.1 lr-schedule=cosine:warmup=100,steps=10000,min=0.1 clip-norm=1.0 no-decay=bias|norm" | FileCheck %s --check-prefix=ADAMW
// RUN: plan-opt %s "--model-build-update=optimizer=sgd:lr=0.1" | FileCheck %s --check-prefix=SGD
// RUN: plan-opt %s "--model-build-update=optimizer=sgd:lr=0.1,momentum=0.9,weight-decay=0.5" | FileCheck %s --check-prefix=MOMENTUM

// ADAMW-LABEL: func.func @update(
// ADAMW-SAME:    tensor<i64> {plan.object = #plan.object<scalar, "step">}
// ADAMW-SAME:    tensor<4x8xf32> {plan.object = #plan.object<parameter, "dense.weight">}
// ADAMW-SAME:    tensor<8xbf16> {plan.object = #plan.object<parameter, "dense.bias">}
// ADAMW-SAME:    tensor<4x8xf32> {plan.object = #plan.object<gradient, "dense.weight">}
// ADAMW-SAME:    tensor<8xf32> {plan.object = #plan.object<gradient, "dense.bias">}
// ADAMW-SAME:    tensor<4x8xf32> {plan.object = #plan.object<state, "m/dense.weight">}
// ADAMW-SAME:    tensor<8xf32> {plan.object = #plan.object<state, "m/dense.bias">}
// ADAMW-SAME:    tensor<4x8xf32> {plan.object = #plan.object<state, "v/dense.weight">}
// ADAMW-SAME:    tensor<8xf32> {plan.object = #plan.object<state, "v/dense.bias">}
// ADAMW-SAME:    tensor<8xf32> {plan.object = #plan.object<state, "master/dense.bias">}
// ADAMW-SAME:    -> (tensor<4x8xf32> {plan.object = #plan.object<parameter, "dense.weight">}
// ADAMW-SAME:    tensor<f32> {plan.object = #plan.object<scalar, "learning_rate">}
// ADAMW-SAME:    tensor<f32> {plan.object = #plan.object<scalar, "grad_norm">})
//      learning rate and the two bias corrections, in f64
// ADAMW:         %[[STEP:.*]]:3 = linalg.generic
// ADAMW:         math.cos %{{.*}} : f64
// ADAMW:         math.exp %{{.*}} : f64
//      the matrix is summed row by row, then over the rows
// ADAMW:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// ADAMW:         linalg.generic {{.*}} iterator_types = ["reduction"]
// ADAMW:         linalg.generic {{.*}} iterator_types = ["reduction"]
//      norm and clip factor
// ADAMW:         %[[NORM:.*]]:2 = linalg.generic
// ADAMW:         %[[ROOT:.*]] = math.sqrt
// ADAMW:         arith.minimumf
//      the matrix decays: weight-decay * p is added to the step
// ADAMW:         %[[W:.*]]:3 = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// ADAMW-SAME:      outs(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
// ADAMW:         arith.divf
// ADAMW-NEXT:    arith.constant 1.000000e-01
// ADAMW-NEXT:    arith.mulf
// ADAMW-NEXT:    arith.addf
//      the bias does not; it is updated in f32 and rounded
// ADAMW:         %[[B:.*]]:4 = linalg.generic {{.*}} outs(%{{.*}} : tensor<8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
// ADAMW:         arith.divf
// ADAMW-NEXT:    arith.mulf
// ADAMW-NEXT:    arith.subf
// ADAMW-NEXT:    arith.truncf %{{.*}} : f32 to bf16
// ADAMW:         return %[[W]]#0, %[[B]]#0, %[[W]]#1, %[[B]]#1, %[[W]]#2, %[[B]]#2, %[[B]]#3, %[[STEP]]#0, %[[NORM]]#0

// Plain SGD has no state but the rounded parameter's master; nothing is clipped.
// SGD-LABEL:   func.func @update(
// SGD-NOT:       "m/
// SGD-SAME:      #plan.object<state, "master/dense.bias">
// SGD-NOT:       minimumf
// SGD:           outs(%{{.*}} : tensor<4x8xf32>)
// SGD-NEXT:      ^bb0
// SGD-NEXT:      arith.mulf
// SGD-NEXT:      arith.subf
// SGD-NEXT:      linalg.yield

// MOMENTUM-LABEL: func.func @update(
// MOMENTUM-SAME:    #plan.object<state, "m/dense.weight">
// MOMENTUM-NOT:     "v/
// MOMENTUM:         outs(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>)

func.func @main.bwd(%w: tensor<4x8xf32> {model.argument = #model.argument<parameter, name = "dense.weight">},
                    %b: tensor<8xbf16> {model.argument = #model.argument<parameter, name = "dense.bias">})
    -> (tensor<4x8xf32> {plan.object = #plan.object<gradient, "dense.weight">},
        tensor<8xf32> {plan.object = #plan.object<gradient, "dense.bias">}) {
  %0 = arith.constant dense<0.0> : tensor<8xf32>
  return %w, %0 : tensor<4x8xf32>, tensor<8xf32>
}
