// Package explain shows a controlled execution to the user: the operations of each task in their
// order, a column for each task, and why a task was not woken.
//
// It imports chaos/control, chaos/recording and chaos/strategy.
package explain
