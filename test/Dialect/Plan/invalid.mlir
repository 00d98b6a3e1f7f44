// Every diagnostic of the plan dialect, by constraint number.
// RUN: plan-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{axis names must be distinct and not empty, found "dp"}}
module attributes {plan.mesh = #plan.mesh<dp = 2, dp = 4>} {} // mesh_c1

// -----

// expected-error @below {{axis "dp" has size 0, expected at least 1}}
module attributes {plan.mesh = #plan.mesh<dp = 0>} {} // mesh_c2

// -----

// expected-error @below {{expected '<'}}
module attributes {plan.mesh = #plan.mesh} {}

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

// expected-error @below {{dp = 0, expected at least 1}}
module attributes {test.a = #plan.strategy<dp = 0>} {} // strategy_c1

// -----

// expected-error @below {{micro_batches = -3, expected at least 1}}
module attributes {test.a = #plan.strategy<micro_batches = -3>} {} // strategy_c1

// -----

// expected-error @below {{tp = 2147483648, expected at most 2147483647}}
module attributes {test.a = #plan.strategy<tp = 2147483648>} {} // strategy_c1

// -----

// expected-error @below {{ep = 3 does not divide dp = 4: experts lie on data-parallel ranks}}
module attributes {test.a = #plan.strategy<dp = 4, ep = 3>} {} // strategy_c2

// -----

// expected-error @below {{sequence_parallel divides positions over tensor-parallel ranks: expected a tp of at least 2, found tp = 1}}
module attributes {test.a = #plan.strategy<dp = 4, sequence_parallel = true>} {} // strategy_c3

// -----

// expected-error @below {{expected dp, tp, pp, cp, ep, micro_batches, sequence_parallel, or pins, found dop}}
module attributes {test.a = #plan.strategy<dop = 4>} {}

// -----

// expected-error @below {{expected dp, tp, pp, cp, ep, micro_batches, sequence_parallel, or pins}}
module attributes {test.a = #plan.strategy<4>} {}

// -----

// expected-error @below {{dp stands here twice}}
module attributes {test.a = #plan.strategy<dp = 4, dp = 4>} {}

// -----

// expected-error @below {{dp: expected a whole number}}
module attributes {test.a = #plan.strategy<dp = true>} {}

// -----

// expected-error @below {{dp: expected a whole number}}
module attributes {test.a = #plan.strategy<dp = >} {}

// -----

// expected-error @below {{sequence_parallel: expected true or false}}
module attributes {test.a = #plan.strategy<tp = 2, sequence_parallel = 1>} {}

// -----

// expected-error @below {{integer value too large}}
module attributes {test.a = #plan.strategy<dp = 99999999999999999999>} {}

// -----

// expected-error @below {{expected '='}}
module attributes {test.a = #plan.strategy<dp 2>} {}

// -----

// expected-error @below {{expected '<'}}
module attributes {test.a = #plan.strategy} {}

// -----

// expected-error @below {{pins: "w" is 3 : i64, expected #plan.layout<...>}}
module attributes {test.a = #plan.strategy<pins = {"w" = 3}>} {} // strategy_c4

// -----

// expected-error @below {{pins: "w" is partial over "dp", expected axes on dimensions only}}
module attributes {test.a = #plan.strategy<pins = {"w" = #plan.layout<[[]], partial = {dp = sum}>}>} {} // strategy_c4

// -----

// expected-error @below {{pins: dimension 1 of "w" lies on unknown axis "tpp", expected dp, tp, pp, cp, ep, mb}}
module attributes {test.a = #plan.strategy<pins = {"w" = #plan.layout<[[], [tpp]]>}>} {} // strategy_c5

// -----

// expected-error @below {{axis "tp" stands twice in one layout}}
module attributes {test.a = #plan.strategy<pins = {"w" = #plan.layout<[[tp], [tp]]>}>} {}

// -----

// expected-error @below {{pins: "w" stands here twice}}
module attributes {test.a = #plan.strategy<pins = {"w" = #plan.layout<[]>, w = #plan.layout<[]>}>} {}

// -----

// expected-error @below {{pins: expected the name of a parameter or input}}
module attributes {test.a = #plan.strategy<pins = {"" = #plan.layout<[]>}>} {}

// -----

// expected-error @below {{pins: expected the name of a parameter or input}}
module attributes {test.a = #plan.strategy<pins = {#plan.layout<[]>}>} {}

// -----

// expected-error @below {{expected '='}}
module attributes {test.a = #plan.strategy<pins = {"w"}>} {}
