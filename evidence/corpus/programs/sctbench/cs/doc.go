// Package cs has the small programs of SCTBench's group "concurrent software benchmarks", which come
// from test suites of model checkers. Each is a test that fails under some schedule, and a fixed twin.
//
// A program that writes shared variables without a lock does so with atomic operations: a switch
// happens at synchronisation only.
package cs
