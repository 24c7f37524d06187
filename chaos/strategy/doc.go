// Package strategy holds the ways to choose the next step of a controlled
// execution: one file each, behind the one interface in strategy.go, which users
// can implement too.
//
// A controlled execution runs one task at a time. Whenever a task is about to do
// something that others could observe, the engine (chaos/control) asks the strategy
// which of the enabled tasks makes the next step. A strategy knows the tasks and what
// each is about to do, and nothing else: no clock, address or map order reaches it, so
// that its choices are a function of its seed and of the choices before.
//
// It imports the standard library and internal/seam; the packages under chaos and
// stress import it, and it knows none of them.
package strategy
