// Package explore is the loop of controlled executions: it runs a subject under one schedule after
// the other, repeats a share of the executions and compares, and returns the first that fails. It can
// repeat, shrink, trace and explain a failure. chaos.Explore and the controlled scenarios of package
// stress both call it; each does its own reporting.
//
// It imports packages under chaos, but not chaos itself, which imports it.
package explore
