package measure

import (
	"runtime"
	"time"
)

// A Cost is the time that a function took.
type Cost struct {
	Wall time.Duration
	CPU  time.Duration // of the whole process: nothing else may run in it
}

// Of returns the cost of f. It collects the garbage first, so that f does not pay for
// garbage of others.
func Of(f func() error) (Cost, error) {
	runtime.GC()
	cpu, start := CPU(), time.Now()
	err := f()
	return Cost{time.Since(start), CPU() - cpu}, err
}
