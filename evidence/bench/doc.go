// Package bench has Go benchmarks of the workloads that command seeds makes tables
// of, for benchstat. It is a module of its own: the dependencies of measurements
// stay out of rouse's go.mod, and nothing of rouse imports it.
package bench
