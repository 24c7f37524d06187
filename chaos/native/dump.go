package native

import (
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// A Goroutine is one entry of a goroutine dump.
type Goroutine struct {
	ID uint64
	// State is the runtime's word for what the goroutine does or waits for:
	// "running", "chan receive", "sync.Mutex.Lock".
	State string
	// Stack is the entry's text below the headline.
	Stack string
}

// String returns the entry as a dump has it.
func (g Goroutine) String() string {
	return "goroutine " + strconv.FormatUint(g.ID, 10) + " [" + g.State + "]:\n" + g.Stack
}

// Sizes of the buffer for a dump: the first, and the largest (tens of thousands of goroutines).
const (
	dumpBegin = 64 << 10
	dumpLimit = 64 << 20
)

// dumpGoroutines returns the runtime's dump of all goroutines, the caller first, and whether it
// is whole.
func dumpGoroutines() (text string, whole bool) {
	for size := dumpBegin; ; size *= 4 {
		buf := make([]byte, size)
		n := runtime.Stack(buf, true)
		if n < size || size >= dumpLimit {
			return string(buf[:n]), n < size
		}
	}
}

// headline matches the output of runtime.goroutineheader, with the addresses of
// GOTRACEBACK=system and the labels of GODEBUG=tracebacklabels=1, which may hold brackets.
var headline = regexp.MustCompile(`^goroutine (\d+)(?: (?:gp|m|mp)=\S+)* \[(.*)\]:$`)

// parseDump splits a dump into goroutines. An entry ends at an empty line; lines outside of one
// (registers, the reason of a crash) are skipped.
func parseDump(text string) []Goroutine {
	var all []Goroutine
	var stack strings.Builder
	inside := false
	end := func() {
		if inside {
			all[len(all)-1].Stack = stack.String()
		}
		stack.Reset()
		inside = false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if h := headline.FindStringSubmatch(line); h != nil {
			end()
			if id, err := strconv.ParseUint(h[1], 10, 64); err == nil {
				all = append(all, Goroutine{ID: id, State: stateOf(h[2])})
				inside = true
			}
		} else if line == "" {
			end()
		} else if inside {
			stack.WriteString(line)
			stack.WriteByte('\n')
		}
	}
	end()
	return all
}

// stateOf returns the state in brackets such as "select (no cases), 2 minutes, locked to thread".
func stateOf(brackets string) string {
	state, _, _ := strings.Cut(brackets, " labels:{")
	state, _, _ = strings.Cut(state, ", ")
	for _, remark := range []string{" (durable)", " (scan)", " (leaked)"} {
		state = strings.TrimSuffix(state, remark)
	}
	return state
}

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

// blocked reports whether g waits for another goroutine.
func (g Goroutine) blocked() bool { return blocking[g.State] }

// ready reports whether g runs, or would if it had a processor.
func (g Goroutine) ready() bool { return g.State == "running" || g.State == "runnable" }

// entry returns the function that the goroutine began with.
func (g Goroutine) entry() string {
	entry := ""
	for line := range strings.Lines(g.Stack) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '\t' || strings.HasPrefix(line, "created by ") || strings.HasPrefix(line, "...") {
			continue
		}
		if name, _, ok := cutArguments(line); ok && name != "runtime.goexit" {
			entry = name
		}
	}
	return entry
}

// cutArguments splits "pkg.(*T).m(0x1, ...)" at the parenthesis of the arguments.
func cutArguments(line string) (name, arguments string, ok bool) {
	i := strings.LastIndexByte(line, '(')
	if i <= 0 || !strings.HasSuffix(line, ")") {
		return "", "", false
	}
	return line[:i], line[i:], true
}

// ofRuntime reports whether g belongs to the runtime or the standard library and never ends,
// whatever the program does.
func (g Goroutine) ofRuntime() bool {
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
