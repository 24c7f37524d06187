// Package explain shows a controlled execution to people: who did what, in which
// order, a column for each task.
//
// It imports chaos/control, chaos/recording and chaos/strategy.
package explain
