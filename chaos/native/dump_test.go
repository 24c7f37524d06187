package native

import (
	"embed"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
)

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
	return parseDump(string(text))
}

// class says what the watchdog makes of a goroutine.
func class(g Goroutine) string {
	switch {
	case g.ofRuntime():
		return "house"
	case g.blocked():
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
		"os/signal.loop":      {"syscall", "house"},
	}
	for _, file := range []string{"states.txt", "labels.txt", "minutes.txt", "sigquit.txt"} {
		all := parsed(t, file)
		for function, w := range want {
			i := slices.IndexFunc(all, func(g Goroutine) bool { return strings.Contains("\n"+g.Stack, "\n"+function+"(") })
			if i < 0 {
				t.Errorf("%s: no goroutine runs %s", file, function)
			} else if got := [2]string{all[i].State, class(all[i])}; got != w {
				t.Errorf("%s: %s is %q, want %q", file, function, got, w)
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

func TestTheHouseOfADump(t *testing.T) {
	var house []string
	for _, g := range parsed(t, "sigquit.txt") {
		if g.ofRuntime() {
			house = append(house, g.State)
		}
	}
	slices.Sort(house)
	want := []string{"GC scavenge wait", "GC sweep wait", "GOMAXPROCS updater (idle)", "cleanup wait",
		"finalizer wait", "force gc (idle)", "idle", "select", "syscall"}
	if !slices.Equal(house, want) {
		t.Errorf("the house is %q, want %q", house, want)
	}
	for state, want := range map[string]bool{"finalizer wait": true, "running": false, "chan receive": false} {
		g := Goroutine{State: state, Stack: "main.finalizer(0x1)\n\tmain.go:5 +0x1\nruntime.runFinalizers()\n\truntime/mfinal.go:255\n"}
		if g.ofRuntime() != want {
			t.Errorf("the finalizers' goroutine in %q: house is %v", state, !want)
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

// Whatever the dump, parsing ends without a panic, and what it puts together is
// found again.
func FuzzParseDump(f *testing.F) {
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
	f.Fuzz(func(t *testing.T, text string) {
		all := parseDump(text)
		var again strings.Builder
		for _, g := range all {
			_ = class(g)
			again.WriteString(g.String() + "\n")
		}
		if strings.ContainsRune(text, '\r') {
			return
		}
		if got := parseDump(again.String()); !slices.Equal(got, all) {
			t.Errorf("%q, put together and parsed again, is %q", all, got)
		}
	})
}
