package goroutines

import (
	"embed"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The dumps were taken with Go 1.26 on linux/amd64: states.txt from a program that has a
// goroutine in every state that it could get into, labels.txt from the same with
// GODEBUG=tracebacklabels=1, sigquit.txt with GOTRACEBACK=system and SIGQUIT,
// minutes.txt after two minutes, leaked.txt after a goroutine leak profile,
// synctest.txt from within a bubble.
//
//go:embed testdata/*.txt
var dumps embed.FS

func parsed(t *testing.T, name string) []Goroutine {
	t.Helper()
	text, err := dumps.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(string(text))
}

// running returns the goroutine of a dump that has the function on its stack.
func running(t *testing.T, file, function string) Goroutine {
	t.Helper()
	all := parsed(t, file)
	i := slices.IndexFunc(all, func(g Goroutine) bool { return strings.Contains("\n"+g.Stack, "\n"+function+"(") })
	if i < 0 {
		t.Fatalf("%s: no goroutine runs %s", file, function)
	}
	return all[i]
}

// class is how native.Watch counts a goroutine.
func class(g Goroutine) string {
	switch {
	case g.OfRuntime():
		return "runtime"
	case g.Blocked():
		return "blocked"
	}
	return "slow"
}

func TestStates(t *testing.T) {
	// By the function that the goroutine runs: state, class.
	want := map[string][2]string{
		"main.chanReceive":    {"chan receive", "blocked"},
		"main.chanReceiveNil": {"chan receive (nil chan)", "blocked"},
		"main.chanSend":       {"chan send", "blocked"},
		"main.chanSendNil":    {"chan send (nil chan)", "blocked"},
		"main.selects":        {"select", "blocked"},
		"main.selectNoCases":  {"select (no cases)", "blocked"},
		"main.condWait":       {"sync.Cond.Wait", "blocked"},
		"main.mutexLock":      {"sync.Mutex.Lock", "blocked"},
		"main.rwRLock":        {"sync.RWMutex.RLock", "blocked"},
		"main.rwLock":         {"sync.Mutex.Lock", "blocked"}, // behind another writer
		"main.wgWait":         {"sync.WaitGroup.Wait", "blocked"},
		"main.sleeps":         {"sleep", "slow"},
		"main.ioWait":         {"IO wait", "slow"},
		"main.locked":         {"chan receive", "blocked"},
		"main.labelled":       {"chan receive", "blocked"},
		"main.deep":           {"chan receive", "blocked"},
		"main.syscalls":       {"syscall", "slow"},
		"os/signal.loop":      {"syscall", "runtime"},
	}
	for _, file := range []string{"states.txt", "labels.txt", "minutes.txt", "sigquit.txt"} {
		all := parsed(t, file)
		for function, w := range want {
			g := running(t, file, function)
			if got := [2]string{g.State, class(g)}; got != w {
				t.Errorf("%s: %s is %q, want %q", file, function, got, w)
			}
			if locks := slices.Contains([]string{"main.mutexLock", "main.rwRLock", "main.rwLock"}, function); g.WaitsForLock() != locks {
				t.Errorf("%s: %s waits for a lock: %t", file, function, !locks)
			}
		}
		for _, g := range all {
			switch {
			case g.State == "coroutine" && class(g) != "blocked":
				t.Errorf("%s: a coroutine is %s", file, class(g))
			case strings.HasPrefix(g.Stack, "main.busy(") && class(g) != "slow":
				t.Errorf("%s: a busy loop is %s", file, class(g))
			}
		}
		if !slices.ContainsFunc(all, func(g Goroutine) bool { return g.State == "coroutine" }) {
			t.Errorf("%s: no coroutine", file)
		}
	}
}

func TestGoroutinesOfTheRuntime(t *testing.T) {
	var states []string
	for _, g := range parsed(t, "sigquit.txt") {
		if g.OfRuntime() {
			states = append(states, g.State)
		}
	}
	slices.Sort(states)
	want := []string{"GC scavenge wait", "GC sweep wait", "GOMAXPROCS updater (idle)", "cleanup wait",
		"finalizer wait", "force gc (idle)", "idle", "select", "syscall"}
	if !slices.Equal(states, want) {
		t.Errorf("the runtime's are in %q, want %q", states, want)
	}
	for state, want := range map[string]bool{"finalizer wait": true, "running": false, "chan receive": false} {
		g := Goroutine{State: state, Stack: "main.finalizer(0x1)\n\tmain.go:5 +0x1\nruntime.runFinalizers()\n\truntime/mfinal.go:255\n"}
		if g.OfRuntime() != want {
			t.Errorf("the finalizers' goroutine in %q: of the runtime is %v", state, !want)
		}
	}
}

func TestRemarksInTheHeadline(t *testing.T) {
	for file, want := range map[string]map[uint64]string{
		"leaked.txt": {1: "running", 22: "chan receive", 23: "sync.Mutex.Lock"},
		"synctest.txt": {22: "running", 1: "chan receive", 21: "synctest.Run", 23: "chan receive", 24: "chan receive",
			26: "chan send", 27: "chan receive", 29: "sync.Cond.Wait", 30: "select (no cases)"},
	} {
		got := map[uint64]string{}
		for _, g := range parsed(t, file) {
			got[g.ID] = g.State
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
	}
	for brackets, want := range map[string]string{
		"chan receive, 2 minutes":                                     "chan receive",
		"select (no cases), 11 minutes, locked to thread":             "select (no cases)",
		"chan receive (nil chan) (scan), locked to thread":            "chan receive (nil chan)",
		"semacquire (leaked) (scan), 3 minutes":                       "semacquire",
		`runnable labels:{"a": "b, c]:"}`:                             "runnable",
		"sync.WaitGroup.Wait (durable), 1 minutes, synctest bubble 7": "sync.WaitGroup.Wait",
		"":    "",
		"???": "???",
	} {
		if got := stateOf(brackets); got != want {
			t.Errorf("state of %q is %q, want %q", brackets, got, want)
		}
	}
}

// An entry is its goroutine's only: not the registers, not what the crash says.
func TestStacksOfADump(t *testing.T) {
	all := parsed(t, "sigquit.txt")
	if last := all[len(all)-1]; strings.Contains(last.Stack, "rax") {
		t.Errorf("registers in the stack of %v", last)
	}
	for _, g := range all {
		if g.Stack == "" || strings.Contains(g.Stack, "\n\n") || strings.Contains(g.Stack, "goroutine "+"1 [") {
			t.Errorf("stack of goroutine %d: %q", g.ID, g.Stack)
		}
	}
	states := parsed(t, "states.txt")
	first := states[0]
	if first.ID != 1 || !strings.HasPrefix(first.Stack, "main.main()\n\t") || !strings.HasPrefix(first.String(), "goroutine 1 [running]:\nmain.main()\n") {
		t.Errorf("the first goroutine is %q", first)
	}
}

func TestFrames(t *testing.T) {
	for _, c := range []struct{ file, function, want string }{
		{"states.txt", "os/signal.loop", "os/signal.signal_recv runtime/sigqueue.go:152, os/signal.loop os/signal/signal_unix.go:23"},
		{"states.txt", "main.chanReceive", "main.chanReceive states/main.go:17"}, // inlined: no arguments, no offset
	} {
		var got []string
		for f := range running(t, c.file, c.function).Frames() {
			got = append(got, f.Function+" "+f.File)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q", c.function, got, c.want)
		}
	}
	// A deep stack is cut in the middle.
	deep := running(t, "states.txt", "main.deep")
	n := 0
	for f := range deep.Frames() {
		if n++; f.Function == "" || !strings.Contains(f.File, ".go:") {
			t.Errorf("frame %d is %q", n, f)
		}
	}
	if !strings.Contains(deep.Stack, "frames elided") || n != 100 {
		t.Errorf("%d frames of\n%s", n, deep.Stack)
	}
	for range deep.Frames() {
		n--
		break
	}
	if n != 99 {
		t.Errorf("%d frames were left, want 99", n)
	}
}

func TestPlaces(t *testing.T) {
	for function, want := range map[string]string{
		"main.mutexLock": "main.mutexLock (main.go:24)",
		"main.condWait":  "main.condWait (main.go:23)",
		"os/signal.loop": "signal.signal_recv (sigqueue.go:152)",
	} {
		if got := running(t, "states.txt", function).Place(); got != want {
			t.Errorf("%s is in %q, want %q", function, got, want)
		}
	}
	if got := running(t, "sigquit.txt", "runtime.bgsweep").Place(); got != "the runtime" {
		t.Errorf("a goroutine of the runtime is in %q", got)
	}
}

// Catches: a name with the path of its package, or with an escaped dot.
func TestShort(t *testing.T) {
	for function, want := range map[string]string{
		"gopkg.in/yaml%2ev3.(*Decoder).Decode": "yaml.v3.(*Decoder).Decode", "example.com/a.b/queue.(*Q[...]).Put.func1": "queue.(*Q[...]).Put.func1", "main.main": "main.main",
	} {
		if got := Short(function); got != want {
			t.Errorf("%s: %s, want %s", function, got, want)
		}
	}
}

func TestCreators(t *testing.T) {
	for _, c := range []struct {
		file, function, by, at string
		parent                 uint64
	}{
		{"states.txt", "main.main", "", "", 0},
		{"states.txt", "main.mutexLock", "main.main", "states/main.go:55", 1},
		{"sigquit.txt", "main.mutexLock", "main.main", "states/main.go:55", 1},
		{"sigquit.txt", "runtime.bgsweep", "runtime.gcenable", "runtime/mgc.go:214", 1},
	} {
		by, parent := running(t, c.file, c.function).Creator()
		if by.Function != c.by || by.File != c.at || parent != c.parent {
			t.Errorf("%s: %s was created by %q at %q in %d, want %q at %q in %d", c.file, c.function, by.Function, by.File, parent, c.by, c.at, c.parent)
		}
	}
}

func TestOwn(t *testing.T) {
	g, all := Own(), Goroutine{}
	text, whole := Dump()
	all = Parse(text)[0]
	if !whole || g.ID != all.ID || g.State != "running" || !strings.Contains(g.Stack, ".TestOwn(") {
		t.Errorf("own goroutine is\n%s\nand the first of a dump\n%s", g, all)
	}
}

// Whatever the dump, parsing ends without a panic, and what it puts together is
// found again.
func FuzzParse(f *testing.F) {
	files, err := fs.Glob(dumps, "testdata/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := dumps.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("goroutine 99999999999999999999 [running]:\nmain.main()\n")
	f.Add("goroutine 1 [")
	f.Add("goroutine 1 []:\n(\n()\n")
	f.Add("goroutine 1 [ (durable) (scan) (durable)]:")
	f.Fuzz(func(t *testing.T, text string) {
		all := Parse(text)
		var again strings.Builder
		for _, g := range all {
			_ = class(g)
			again.WriteString(g.String() + "\n")
		}
		if got := Parse(again.String()); !slices.Equal(got, all) {
			t.Errorf("%q, put together and parsed again, is %q", all, got)
		}
	})
}

// Catches: a frame of a module whose path begins with internal that is taken for one of the standard library, and one of
// the library that is not, because the name of the function has the path of another package.
func TestInternal(t *testing.T) {
	for _, test := range []struct {
		function, file    string
		internal, library bool
	}{
		{"runtime.mapaccess1", "/go/src/runtime/map.go:9", true, true},
		{"internal/runtime/maps.(*Map).get", "/go/src/internal/runtime/maps/map.go:9", true, true},
		{"internal/sync.(*HashTrieMap[example.com/x.T]).Load", "/go/src/internal/sync/map.go:9", true, true},
		{"internal/sync.(*Mutex).Lock", "internal/sync/mutex.go:9", true, true}, // built with -trimpath
		{"internal/queue.(*Queue).Len", "/home/me/internal/queue/queue.go:31", false, false},
		{"sync.(*Mutex).Lock", "/go/src/sync/mutex.go:9", false, true},
		{"example.com/internal/queue.Len", "/home/me/queue.go:31", false, false},
	} {
		f := Frame{Function: test.function, File: test.file}
		if f.Internal() != test.internal || f.OfLibrary() != test.library {
			t.Errorf("%v: internal %v, of the library %v", f, f.Internal(), f.OfLibrary())
		}
	}
}
