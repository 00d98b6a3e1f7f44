// RUN: plan-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{needs exactly one device, exactly one node and at least one level}}
cluster.cluster @c1 {
}

// -----

cluster.cluster @c2 {
  cluster.device {name = "d", kind = 0 : i32, memory_bytes = 1 : i64, memory_bytes_per_second = 1.0 : f64, flops_per_second = {}}
  cluster.node {devices = 2 : i64}
  // expected-note @below {{"inner" groups 4}}
  cluster.level {name = "inner", devices = 4 : i64, bytes_per_second = 1.0 : f64, latency_ns = 1 : i64}
  // expected-error @below {{"outer" groups 6 devices, which is not a multiple of the level inside it}}
  cluster.level {name = "outer", devices = 6 : i64, bytes_per_second = 1.0 : f64, latency_ns = 1 : i64}
}

// -----

cluster.cluster @c3 {
  cluster.device {name = "d", kind = 0 : i32, memory_bytes = 1 : i64, memory_bytes_per_second = 1.0 : f64, flops_per_second = {}}
  // expected-error @below {{has 3 devices, which do not divide the 4 devices of the cluster}}
  cluster.node {devices = 3 : i64}
  cluster.level {name = "l", devices = 4 : i64, bytes_per_second = 1.0 : f64, latency_ns = 1 : i64}
}

// -----

cluster.cluster @device_c1 {
  // expected-error @below {{memory is 0.000000e+00, expected a positive number}}
  cluster.device {name = "d", kind = 0 : i32, memory_bytes = 0 : i64, memory_bytes_per_second = 1.0 : f64, flops_per_second = {}}
}

// -----

cluster.cluster @node_c2 {
  // expected-error @below {{needs all of count, bandwidth and latency of its network interfaces}}
  cluster.node {devices = 3 : i64, nic_count = 1 : i64}
}

// -----

cluster.cluster @level_c2 {
  // expected-error @below {{oversubscription is 5.000000e-01, expected at least 1}}
  cluster.level {name = "l", devices = 4 : i64, bytes_per_second = 1.0 : f64, latency_ns = 1 : i64, oversubscription = 0.5 : f64}
}

// -----

cluster.cluster @rack_c1 {
  // expected-error @below {{number of nodes is 0.000000e+00, expected a positive number}}
  cluster.rack {nodes = 0 : i64}
}

// -----

cluster.cluster @storage_c1 {
  // expected-error @below {{write rate is -1.000000e+00, expected a positive number}}
  cluster.storage {read_bytes_per_second = 1.0 : f64, write_bytes_per_second = -1.0 : f64}
}

// -----

cluster.cluster @price_c1 {
  // expected-error @below {{subsidised fraction is 1.000000e+00, expected a number in [0, 1)}}
  cluster.price {usd_per_device_hour = 1.0 : f64, subsidy = 1.0 : f64}
}

// -----

cluster.cluster @failures_c1 {
  // expected-error @below {{rate of devices is -1.000000e+00, expected a number that is not negative}}
  cluster.failures {per_million_device_hours = -1.0 : f64}
}
