// Package strategy holds the ways to choose the next step of a controlled
// execution: one file each, behind the one interface in strategy.go, which users
// can implement too.
//
// A controlled execution runs one task at a time. Whenever a task is about to do
// something that others could see, its engine (chaos/control) asks the strategy
// which of the enabled tasks goes on. A strategy sees tasks, what each is about to
// do, and nothing else: no clock, no address, no order of a map reaches it, so
// that its choices are a function of its seed and of the choices before.
//
// It imports the standard library and internal/seam; the packages under chaos and
// stress import it, and it knows none of them.
package strategy
