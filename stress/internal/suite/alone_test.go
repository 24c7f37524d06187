package suite

import (
	"slices"
	"strings"
	"testing"
)

// onceFiles are a module whose tests do something once in a process.
var onceFiles = map[string]string{
	"go.mod": "module example.com/once\n\ngo 1.25\n",
	"once_test.go": `package once

import (
	"os"
	"sync"
	"testing"
	"time"
)

var (
	start, startBad sync.Once
	jobs, badJobs   = make(chan func()), make(chan func())
	mu              sync.Mutex
	seen            = map[string]bool{}
	served          = make(chan func())
)

func serve(jobs chan func()) {
	for j := range jobs {
		j()
	}
}

func TestMain(m *testing.M) {
	go serve(served)
	os.Exit(m.Run())
}

func TestWorker(t *testing.T) {
	start.Do(func() { go serve(jobs) })
	done := make(chan bool)
	jobs <- func() { close(done) }
	<-done
}

func TestState(t *testing.T) {
	mu.Lock()
	defer mu.Unlock()
	if seen["k"] {
		t.Fatal("k is there already")
	}
	seen["k"] = true
}

func TestMainsWorker(t *testing.T) {
	done := make(chan bool)
	served <- func() { close(done) }
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatal("no answer in a second")
	}
}

func TestFoundWorker(t *testing.T) {
	startBad.Do(func() { go serve(badJobs) })
	var a, b sync.Mutex
	done := make(chan bool)
	badJobs <- func() {
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
		close(done)
	}
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
	<-done
}

var (
	lazyMu sync.Mutex
	lazy   *int
)

func get() *int {
	lazyMu.Lock()
	x := lazy
	lazyMu.Unlock()
	if x == nil {
		x = new(int)
		lazyMu.Lock()
		lazy = x
		lazyMu.Unlock()
	}
	return x
}

func TestFoundLazy(t *testing.T) {
	var got [2]*int
	var getters sync.WaitGroup
	for i := range got {
		getters.Go(func() { got[i] = get() })
	}
	getters.Wait()
	if got[0] != got[1] {
		t.Error("made twice")
	}
}
`,
}

// Catches: a failure that the first execution of a process does not have, and a bug of what is done once that is
// not found.
func TestFirstExecutions(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, onceFiles)
	for _, strategy := range []string{"portfolio", "dpor"} {
		o := real(t, dir)
		o.Settings.Strategy = strategy
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range r.Tests {
			if found := strings.HasPrefix(x.Test, "TestFound"); found != (x.Status == "FAIL") || !found && x.Status != "ok" {
				if strategy == "dpor" && x.Test == "TestFoundLazy" { // only the first execution of a search has it
					continue
				}
				t.Errorf("%s: %s %s: %s %s %q", strategy, x.Test, x.Status, x.Verdict, x.Summary, x.Notes)
			}
		}
		if i := slices.IndexFunc(r.Tests[0].Notes, func(n string) bool { return strings.HasSuffix(n, "executions had a process each") }); i < 0 {
			t.Errorf("%s: %q", strategy, r.Tests[0].Notes)
		}
	}
}

// Catches: an execution that takes another way when it is repeated, since a clock that may be asked for is there for a timer
// that is no more: the strategy is asked whether a task that yields is to run on.
func TestYieldsBesideTimers(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "module once.example\n\ngo 1.26\n",
		"once_test.go": `package once

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

var (
	once sync.Once
	mu   sync.Mutex
)

func TestTimers(t *testing.T) {
	once.Do(func() { mu.Lock(); mu.Unlock() }) // so that some executions have a process each
	fired := make(chan int, 4)
	f := time.AfterFunc(time.Millisecond, func() { fired <- 1 })
	timer, ticker := time.NewTimer(2*time.Millisecond), time.NewTicker(3*time.Millisecond)
	defer ticker.Stop()
	for range 3 {
		select {
		case <-fired:
			runtime.Gosched()
		case <-timer.C:
			runtime.Gosched()
			runtime.Gosched()
			f.Reset(time.Millisecond)
		case <-ticker.C:
			runtime.Gosched()
			timer.Reset(time.Millisecond)
		}
	}
}
`,
	})
	for seed := range uint64(6) {
		o := real(t, dir)
		o.Settings.Seed, o.Executions = seed, 20
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if x := r.Tests[0]; x.Status != "ok" || !slices.Contains(x.Notes, "2 of 20 executions had a process each") {
			t.Errorf("seed %d: %s: %s, %q", seed, x.Status, x.Summary, x.Notes)
		}
	}
}
