package native

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/internal/goroutines"
)

// none is where nothing comes from.
func none() chan struct{} { return make(chan struct{}) }

// quick makes a watch look often.
const quick = 2 * time.Millisecond

// stuckSubjects do what has to be reported. Each starts goroutines that close
// done when all of them have ended, and returns what sets them free. want is the
// state of each.
var stuckSubjects = map[string]struct {
	start func(all *sync.WaitGroup) (free func())
	want  []string
}{
	"deadlocked pair": {func(all *sync.WaitGroup) func() {
		var a, b sync.Mutex
		holdsA, holdsB := none(), none()
		all.Go(func() { a.Lock(); close(holdsA); <-holdsB; takeTurn(&b) })
		all.Go(func() {
			b.Lock()
			close(holdsB)
			<-holdsA
			takeTurn(&a)
			b.Unlock()
		})
		return a.Unlock // the first never does; anyone may
	}, []string{"sync.Mutex.Lock", "sync.Mutex.Lock"}},

	"lost signal": {func(all *sync.WaitGroup) func() {
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		cond.Signal() // before anyone waits
		all.Go(func() { mu.Lock(); cond.Wait(); mu.Unlock() })
		return cond.Signal
	}, []string{"sync.Cond.Wait"}},

	"all receive": {func(all *sync.WaitGroup) func() {
		c, d := none(), none()
		all.Go(func() { <-c; d <- struct{}{} })
		all.Go(func() {
			select {
			case <-d:
			case <-none():
			}
		})
		return func() { c <- struct{}{} }
	}, []string{"chan receive", "select"}},

	"none is done": {func(all *sync.WaitGroup) func() {
		var group sync.WaitGroup
		group.Add(1)
		var rw sync.RWMutex
		rw.Lock()
		all.Go(func() { group.Wait() })
		all.Go(func() { takeTurn(rw.RLocker()) })
		return func() { group.Done(); rw.Unlock() }
	}, []string{"sync.WaitGroup.Wait", "sync.RWMutex.RLock"}},
}

// doneWhen returns a channel that is closed when all have ended. The goroutine
// that closes it waits for them, as a harness does.
func doneWhen(all *sync.WaitGroup) <-chan struct{} {
	done := none()
	go func() { all.Wait(); close(done) }()
	return done
}

func TestStuck(t *testing.T) {
	for name, subject := range stuckSubjects {
		t.Run(name, func(t *testing.T) {
			baseline := Baseline()
			var all sync.WaitGroup
			free := subject.start(&all)
			done := doneWhen(&all)
			outcome := Watch(done, nil, WithPatience(quick), WithIgnored(baseline), WithTimeout(0))
			if outcome.Kind != Stuck {
				t.Fatalf("the watch says %v", outcome.Kind)
			}
			if !strings.Contains(outcome.Goroutines, "goroutine ") {
				t.Errorf("no dump, but %q", outcome.Goroutines)
			}
			states := map[string]int{"sync.WaitGroup.Wait": -1} // the one that closes done
			for _, g := range outcome.Blocked {
				states[g.State]++
				if !strings.Contains(g.Stack, "native.") {
					t.Errorf("not one of the subject's: %v", g)
				}
			}
			for _, state := range subject.want {
				states[state]--
			}
			for state, n := range states {
				if n != 0 {
					t.Errorf("%+d goroutines in %q", n, state)
				}
			}
			free()
			if outcome := Watch(done, nil, WithTimeout(0), WithIgnored(baseline)); outcome.Kind != Finished {
				t.Errorf("set free, it is %v", outcome.Kind)
			}
			<-done
		})
	}
}

// slowSubjects take their time, and must not be reported, however often one looks.
// Another goroutine is blocked meanwhile.
var slowSubjects = map[string]func(until func() bool){
	"busy": func(until func() bool) {
		for !until() {
		}
	},
	"sleeping": func(until func() bool) {
		for !until() {
			time.Sleep(40 * time.Millisecond)
		}
	},
}

// looks counts what a slow subject outlives: that many looks of a watch that
// looks every few milliseconds.
const looks = 20

func TestSlow(t *testing.T) {
	for name, subject := range slowSubjects {
		t.Run(name, func(t *testing.T) {
			baseline := Baseline()
			var rounds atomic.Int64
			finished, done := none(), none()
			go func() { <-finished; close(done) }()
			go func() { subject(func() bool { return rounds.Load() >= looks }); close(finished) }()
			w := &watch{done: done, patience: quick, bystanders: baseline}
			for rounds.Load() < looks {
				if outcome, ended := w.look(0); ended {
					t.Fatalf("the watch says %v:\n%s", outcome.Kind, outcome.Goroutines)
				}
				rounds.Add(1)
			}
			if outcome := Watch(done, nil, WithPatience(quick), WithIgnored(baseline), WithTimeout(0)); outcome.Kind != Finished || outcome.Goroutines != "" || outcome.Blocked != nil {
				t.Errorf("in the end it says %+v", outcome)
			}
		})
	}
}

func TestTimedOut(t *testing.T) {
	baseline := Baseline()
	var stop atomic.Bool
	done, blocked := none(), none()
	var all sync.WaitGroup
	all.Go(func() {
		for !stop.Load() {
			time.Sleep(time.Millisecond)
		}
	})
	all.Go(func() { <-blocked })
	isBlocked := goroutines.Goroutine.Blocked
	for w := (&watch{bystanders: baseline}); ; {
		if text, _ := goroutines.Dump(); slices.ContainsFunc(w.suspects(text), isBlocked) {
			break // the second has got to where it waits
		}
	}
	outcome := Watch(done, nil, WithPatience(quick), WithTimeout(50*time.Millisecond), WithIgnored(baseline))
	if outcome.Kind != TimedOut || !strings.Contains(outcome.Goroutines, "TestTimedOut") {
		t.Errorf("the watch says %v with the dump\n%s", outcome.Kind, outcome.Goroutines)
	}
	if len(outcome.Blocked) != 1 || outcome.Blocked[0].State != "chan receive" {
		t.Errorf("blocked are %v, want the one that receives", outcome.Blocked)
	}
	stop.Store(true)
	close(blocked)
	all.Wait()
}

// Without goroutines, none is stuck.
func TestNobodyLeft(t *testing.T) {
	outcome := Watch(none(), nil, WithPatience(quick), WithTimeout(50*time.Millisecond), WithIgnored(Baseline()))
	if outcome.Kind != TimedOut || len(outcome.Blocked) != 0 {
		t.Errorf("the watch says %v, blocked %v", outcome.Kind, outcome.Blocked)
	}
}

func TestFinishedBeforeItBegan(t *testing.T) {
	done := none()
	close(done)
	if outcome := Watch(done, nil, WithTimeout(time.Nanosecond)); outcome.Kind != Finished {
		t.Errorf("the watch says %v", outcome.Kind)
	}
}

// Between two dumps a goroutine that moved from one wait to the like of it has
// made progress, hooks or not.
func TestTheSameStateElsewhere(t *testing.T) {
	first := goroutines.Parse("goroutine 5 [chan receive]:\nmain.f()\n\tmain.go:5 +0x1\n")
	second := goroutines.Parse("goroutine 5 [chan receive]:\nmain.f()\n\tmain.go:9 +0x1\n")
	if first[0] == second[0] {
		t.Error("the place does not count")
	}
}

func TestKinds(t *testing.T) {
	for kind, want := range map[Kind]string{Finished: "finished", Stuck: "stuck", TimedOut: "timed out", 9: "unknown"} {
		if got := kind.String(); got != want {
			t.Errorf("%d is %q, want %q", int(kind), got, want)
		}
	}
}

// A dump that does not fit is not whole.
func TestADumpOfManyGoroutines(t *testing.T) {
	const n = 1000 // more than fit into the first buffer
	baseline := Baseline()
	var all sync.WaitGroup
	release := none()
	for range n {
		all.Go(func() { <-release })
	}
	outcome := Watch(doneWhen(&all), nil, WithPatience(quick), WithTimeout(0), WithIgnored(baseline))
	if outcome.Kind != Stuck || len(outcome.Blocked) != n+1 || len(outcome.Goroutines) <= 64<<10 {
		t.Errorf("%v, %d blocked, a dump of %d bytes", outcome.Kind, len(outcome.Blocked), len(outcome.Goroutines))
	}
	close(release)
	all.Wait()
}

// takeTurn waits for the lock and gives it back.
func takeTurn(l sync.Locker) {
	l.Lock()
	defer l.Unlock()
}

// TestTerms: a subject that could run, and was not served, gets the time again, and again, and not for
// ever; one that has used it, or waits, does not. A watch calls heartbeat while it waits.
func TestTerms(t *testing.T) {
	idle := func() (time.Duration, bool) { return 0, true }
	var clock time.Duration
	for name, c := range map[string]struct {
		cpu   func() (time.Duration, bool)
		busy  bool
		terms int
	}{
		"not served":     {idle, true, mostTerms},
		"served":         {func() (time.Duration, bool) { clock += time.Hour; return clock, true }, true, 1},
		"unknown":        {func() (time.Duration, bool) { return 0, false }, true, 1},
		"none runs":      {idle, false, 1},
		"served in time": {func() (time.Duration, bool) { clock += quick / 3; return clock, true }, true, 1},
	} {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		baseline := Baseline()
		var stop atomic.Bool
		var all sync.WaitGroup
		all.Go(func() {
			for !stop.Load() && c.busy {
			}
			in.Read(make([]byte, 1)) //nolint:errcheck // neither ready nor blocked
		})
		for !c.busy && len(Ready(baseline)) > 0 { // it has yet to get to its read
			runtime.Gosched()
		}
		heartbeats := 0
		w := watch{done: none(), timeout: quick, patience: quick, bystanders: baseline, cpu: c.cpu, heartbeat: func() { heartbeats++ }}
		outcome := w.run()
		stop.Store(true)
		out.Close()
		all.Wait()
		in.Close()
		if outcome.Kind != TimedOut || w.terms != c.terms || heartbeats < c.terms {
			t.Errorf("%s: %v after %d terms, want %d; %d heartbeats", name, outcome.Kind, w.terms, c.terms, heartbeats)
		}
	}
}

// TestProcessCPU: what is used counts.
func TestProcessCPU(t *testing.T) {
	before, known := ProcessCPU()
	if !known {
		t.Fatal("unknown, on a system where tests are run")
	}
	for used := before; used-before < 5*time.Millisecond; used, _ = ProcessCPU() {
	}
}

func TestNilWatchOptionsAreIgnored(t *testing.T) {
	done := none()
	close(done)
	if o := Watch(done, nil, nil, WithPatience(quick), nil); o.Kind != Finished {
		t.Errorf("%v, want %v", o.Kind, Finished)
	}
}
