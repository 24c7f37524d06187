// Package explore is the loop of controlled executions: it runs a subject under one schedule after
// the other, repeats a share of the executions and compares, and returns the first that fails. What
// failed it can repeat, shrink, trace and explain. chaos.Explore and the controlled scenarios of
// package stress both call it; what they report, and where, is their own.
//
// It imports packages under chaos, but not chaos itself, which imports it.
package explore
