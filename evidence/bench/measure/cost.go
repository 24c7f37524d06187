package measure

import (
	"runtime"
	"time"
)

// A Cost is what something has taken.
type Cost struct {
	Wall time.Duration
	CPU  time.Duration // of the whole process: nothing else must run in it
}

// Of returns what f takes. It collects the garbage first, so that f does not pay for
// what others have left.
func Of(f func() error) (Cost, error) {
	runtime.GC()
	cpu, start := CPU(), time.Now()
	err := f()
	return Cost{time.Since(start), CPU() - cpu}, err
}
