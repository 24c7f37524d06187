package pool

import "fmt"

// A StaleUseError is what the pool panics with, in the chaos build only, if it uses something of
// its own that is free: the frame of a join, a task of the injector, a loop. It is a defect of the
// pool, or corrupted memory: please report it.
type StaleUseError struct {
	What  string // "the frame of a join"
	Freed string // the worker that freed it, and how: "worker 0 has taken it back"
	Used  string // the worker that used it then: "worker 1 runs it"
}

// Error is one line, which begins with "pool: stale use: ".
func (e *StaleUseError) Error() string {
	return fmt.Sprintf("pool: stale use: %s: %s, though %s", e.What, e.Used, e.Freed)
}

// What has a life, in words.
const (
	aJoin      = "the frame of a join"
	anInjected = "a task of the injector"
	aLoop      = "a loop"
)
