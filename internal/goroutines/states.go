package goroutines

import "strings"

// blocking holds the states that only another goroutine can end, or a timer's channel. A state
// that is not listed may end by itself: running, syscall, sleep, IO wait and so on. The words are
// those of runtime.waitReasonStrings.
var blocking = map[string]bool{
	"chan receive":            true,
	"chan receive (nil chan)": true,
	"chan send":               true,
	"chan send (nil chan)":    true,
	"select":                  true,
	"select (no cases)":       true,
	"semacquire":              true,
	"sync.Cond.Wait":          true,
	"sync.Mutex.Lock":         true,
	"sync.RWMutex.RLock":      true,
	"sync.RWMutex.Lock":       true,
	"sync.WaitGroup.Wait":     true,
	"coroutine":               true,
}

// Blocked reports whether g waits for another goroutine.
func (g Goroutine) Blocked() bool { return blocking[g.State] }

// WaitsForLock reports whether g waits for a Mutex or an RWMutex.
func (g Goroutine) WaitsForLock() bool {
	return g.State == "sync.Mutex.Lock" || g.State == "sync.RWMutex.RLock" || g.State == "sync.RWMutex.Lock"
}

// Ready reports whether g runs, or would if it had a processor.
func (g Goroutine) Ready() bool { return g.State == "running" || g.State == "runnable" }

// OfRuntime reports whether g belongs to the runtime or the standard library and never ends,
// whatever the program does.
func (g Goroutine) OfRuntime() bool {
	switch entry := g.entry(); {
	case entry == "runtime.main", entry == "runtime.corostart":
		return false // they run code of the program
	case entry == "runtime.runFinalizers", entry == "runtime.runfinq", entry == "runtime.runCleanups":
		// Between two jobs; a job is code of the program.
		return g.State == "finalizer wait" || g.State == "cleanup wait"
	case strings.HasPrefix(entry, "runtime."), // seen with GOTRACEBACK=system
		strings.HasPrefix(entry, "runtime/trace."),
		entry == "runtime/pprof.profileWriter",
		entry == "os/signal.loop":
		return true
	}
	return false
}

// entry returns the function that the goroutine began with.
func (g Goroutine) entry() string {
	entry := ""
	for f := range g.Frames() {
		if f.Function != "runtime.goexit" {
			entry = f.Function
		}
	}
	return entry
}
