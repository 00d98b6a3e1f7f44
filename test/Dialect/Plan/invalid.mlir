// Every diagnostic of the plan dialect, by constraint number.
// RUN: plan-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{axis names must be distinct and not empty, found "dp"}}
module attributes {plan.mesh = #plan.mesh<dp = 2, dp = 4>} {} // mesh_c1

// -----

// expected-error @below {{axis "dp" has size 0, expected at least 1}}
module attributes {plan.mesh = #plan.mesh<dp = 0>} {} // mesh_c2

// -----

// expected-error @below {{an arena object needs a name}}
module attributes {test.a = #plan.object<loss, "">} {} // object_c1

// -----

// expected-error @below {{axis "dp" stands twice in one list}}
module attributes {test.a = #plan.axes<[dp, dp]>} {} // axes_c1

// -----

// expected-error @below {{axis "dp" stands twice in one layout}}
module attributes {test.a = #plan.layout<[[dp], [dp]]>} {} // layout_c1

// -----

// expected-error @below {{axis "dp" stands twice in one layout}}
module attributes {test.a = #plan.layout<[[dp], []], partial = {dp = sum}>} {} // layout_c1

// -----

// expected-error @below {{axis "dp" lies on two factors}}
module attributes {test.a = #plan.assignment<[[dp], [dp]]>} {} // assignment_c1

// -----

// expected-error @below {{axis "dp" lies on a factor, so no operand is partial over it}}
module attributes {test.a = #plan.assignment<[[dp], []], partial = [[dp]]>} {} // assignment_c2

// -----

// expected-error @below {{there is no micro-batch -2}}
module attributes {test.a = #plan.step<@forward, mb = -2>} {} // step_c1

// -----

// expected-error @below {{axis "tp" of the mesh is not placed}}
module attributes {test.a = #plan.strategy<mesh = [dp = 2, tp = 2, mb = 2], placement = [dp], micro_batch = 1, schedule = sequential, zero = 0, recompute = none, sequence_parallel = false>} {} // strategy_c1

// -----

// expected-error @below {{placement names an axis that does not lie on the machine}}
module attributes {test.a = #plan.strategy<mesh = [dp = 2, mb = 2], placement = [dp, mb], micro_batch = 1, schedule = sequential, zero = 0, recompute = none, sequence_parallel = false>} {} // strategy_c1

// -----

// expected-error @below {{a micro-batch of 0 sequences, expected at least 1}}
module attributes {test.a = #plan.strategy<mesh = [dp = 2, mb = 2], placement = [dp], micro_batch = 0, schedule = sequential, zero = 0, recompute = none, sequence_parallel = false>} {} // strategy_c2

// -----

// expected-error @below {{zero = 4, expected 0, 1, 2 or 3}}
module attributes {test.a = #plan.strategy<mesh = [dp = 2, mb = 2], placement = [dp], micro_batch = 1, schedule = sequential, zero = 4, recompute = none, sequence_parallel = false>} {} // strategy_c3
