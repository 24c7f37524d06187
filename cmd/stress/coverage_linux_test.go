package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot"
)

// An omission is a row of the tables.
type omission struct{ kind, name, by string }

// omissions reads the table of a Go version.
func omissions(t *testing.T, minor string) (all []omission) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../chaos/goroot/testdata/omissions", minor+".txt"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3 {
			t.Fatalf("Go %s: %q", minor, line)
		}
		all = append(all, omission{fields[0], fields[1], fields[2]})
	}
	return all
}

// kept are parts that no test misses, and why they stay.
var kept = map[string]string{
	"testing/testing.go: (c *common) makeTempDir(): before c.Cleanup(func() {":                                                 "what a killed process leaves behind; TestKilledInTest of cmd/stress",
	"testing/testing.go: (c *common) makeTempDir(): replace if err := removeAll(c.tempDir); err != nil {":                      "likewise",
	`runtime/time.go: (t *timer) maybeAdd(): after t.trace("maybeAdd")`:                                                        "a goroutine outside that begins to wait for a timer between two executions, or was busy when one began, waits in real time otherwise: a matter of a moment",
	"math/rand/rand.go: newSource: after var rng rngSource":                                                                    "the measurement searches for no bug; TestDriver/complete of chaos/goroot fails without it",
	"runtime/select.go: selectgo: before if caseReleaseTime > 0 {":                                                             "the measurement looks at no tables; TestRows of stress/internal/suite fails without it",
	"runtime/sema.go: internal_sync_nanotime":                                                                                  "a task that waits within a region without points would starve if the machine stops for a millisecond meanwhile",
	"syscall/zsyscall_linux_arm64.go: Umask":                                                                                   "the measurement runs on amd64, where world TestFoundUmask notices the like",
	"syscall/zsyscall_linux_arm64.go: prlimit1":                                                                                "likewise world TestFoundLimit",
	"sync/rwmutex.go: (rw *RWMutex) Lock() {":                                                                                  "the lock of the mutex inside is a point at the same address; with -race there would be more",
	"sync/map.go: (m *Map) Load(key any) (value any, ok bool) {":                                                               "the first atomic operation inside is a point at the same address; with -race there would be more",
	"runtime/synctest.go: (bubble *synctestBubble) incActive":                                                                  "it pairs with decActive: what is not counted down is not counted up",
	"runtime/proc.go: casgstatus: replace if gp.bubble != nil {":                                                               "it saves a call on the system stack at each change of status, in which changegstatus then does nothing",
	"runtime/proc.go: park_m: before execute(gp, true) // Schedule it back, never returns.":                                    "a wakeup by another goroutine on that thread would be taken for one by the task; the window is a few instructions of the network poller",
	"runtime/proc.go: gopark: after mcall(park_m)":                                                                             "the measurement runs no debugger; TestDebug of cmd/stress fails without it",
	"testing/testing.go: tRunner: replace t.runner = callerName(0)":                                                            "it saves a fifth of the time of a short execution",
	"runtime/sigqueue.go: signal_recv()":                                                                                       "without it, the evidence and reports have a task that a signal wakes as woken from outside",
	"runtime/netpoll.go: poll_runtime_pollWait":                                                                                "what the poller has found before a wait is old only if another thread polled meanwhile, which takes a busy machine",
	"runtime/proc.go: sysmon(): replace if netpollinited() && lastpoll != 0 && lastpoll+10*1000*1000 < now {":                  "the monitor polls every 10 ms, and an execution has to be met within some microseconds: that takes a busy machine",
	"runtime/proc.go: retake: replace } else if pd.schedwhen+forcePreemptNS <= now {":                                          "the signal cut a directory's reading short in one of some hundred executions on a busy machine: TestDriver/repeats, six at a time",
	"runtime/mfinal.go: SetFinalizer":                                                                                          "a loop that the collector ends would be a livelock; TestLoops of chaos/goroot/corpus fails without it",
	"runtime/mcleanup.go: AddCleanup[":                                                                                         "likewise",
	"runtime/trace/subscribe.go: (t *traceMultiplexer) startLocked(): after header := runtime.ReadTrace()":                     "the measurement builds with -race what has races; TestTrapsRace of chaos/goroot/corpus fails without it",
	"os/signal/signal.go: Ignored":                                                                                             "world TestFoundIgnored, which has a process for each execution",
	"os/exec_unix.go: (p *Process) pidWait(): before return &ProcessState{":                                                    "for kernels whose processes have no file descriptors",
	"runtime/mgc.go: goroutineLeakGC()":                                                                                        "Go 1.26 has the profile with GOEXPERIMENT only; with Go 1.27 leakprofile TestMutex fails without it",
	"runtime/pprof/pprof.go: writeGoroutineStacks: before _, err := w.Write(buf)":                                              "likewise leakprofile TestMixed",
	"runtime/pprof/pprof.go: writeRuntimeProfile: before return printCountProfile(w, debug, name, &runtimeProfile{p, labels})": "likewise leakprofile TestWriter",
}

// openRows bounds the parts that no test misses, and those that have not been measured. It only goes down.
const openRows = 2

// TestCoverage: each part of the overlay, and each operation, verdict and message, is missed by a test when it is left out:
// bin/unmodified patches of bench leaves them out one at a time, and writes testdata/omissions of chaos/goroot. Flags are
// those of TestFlagsOfTest. The traps and the planted bugs, the tests of the worker and TestDriver were tried, and TestEngine
// with most; TestJoin, TestStandardLibrary and, but for data races, TestDriverRaces were not.
func TestCoverage(t *testing.T) {
	var open []string
	look := func(o omission) {
		switch {
		case kept[o.name] != "" && (o.by == "" || o.by == notMeasured):
		case o.by == "":
			open = append(open, o.name+": no test")
		case o.by == notMeasured:
			open = append(open, o.name+": "+notMeasured)
		}
	}
	oldest := goroot.Versions[0]
	rows := omissions(t, oldest)
	for _, o := range measured(goroot.Names(oldest), rows) {
		look(o)
	}
	others := map[string]int{}
	for _, o := range rows {
		if o.kind != "patch" {
			others[o.kind]++
			look(o)
		}
	}
	for _, kind := range []string{"point", "verdict", "request", "answer"} {
		if others[kind] == 0 {
			t.Errorf("no %s was left out", kind)
		}
	}
	for i, minor := range goroot.Versions[1:] {
		before := goroot.Names(goroot.Versions[i])
		more := slices.DeleteFunc(goroot.Names(minor), func(name string) bool { return slices.Contains(before, name) })
		for _, o := range measured(more, omissions(t, minor)) {
			look(o)
		}
	}
	if len(open) > openRows {
		t.Errorf("%d parts are open, want at most %d:\n%s", len(open), openRows, strings.Join(open, "\n"))
	}
}

// notMeasured is in the place of the test of a patch that the table does not have.
const notMeasured = "not measured"

// measured returns a row for each patch.
func measured(names []string, rows []omission) (all []omission) {
	for _, name := range names {
		o := omission{"patch", name, notMeasured}
		if i := slices.IndexFunc(rows, func(o omission) bool { return o.kind == "patch" && o.name == name }); i >= 0 {
			o = rows[i]
		}
		all = append(all, o)
	}
	return all
}
