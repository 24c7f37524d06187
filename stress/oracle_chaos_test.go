//go:build chaos

package stress

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
)

// Every oracle has a positive control: a workload with the defect that the oracle
// is there to see. The lost wakeups have theirs in scenarios.yaml, since it takes
// a fault to lose one.

// judged executes a workload once, with no faults.
func judged(t *testing.T, run func(x *execution)) Result {
	t.Helper()
	return judgedWithin(t, executionTimeout, run)
}

func judgedWithin(t *testing.T, timeout time.Duration, run func(x *execution)) Result {
	t.Helper()
	sc := Scenario{Name: t.Name(), Pool: PoolSpec{Workers: []int{2}}}
	return executeWorkload(&sc, Workload{run: run}, 1, 0, timeout, func() {})
}

// wantVerdict checks the verdict, and that the summary says each of the words.
func wantVerdict(t *testing.T, r Result, want Verdict, words ...string) {
	t.Helper()
	if r.Verdict != want {
		t.Fatalf("verdict %s (%s), want %s", r.Verdict, r.Summary, want)
	}
	for _, w := range words {
		if !strings.Contains(r.Summary, w) {
			t.Errorf("summary %q does not say %q", r.Summary, w)
		}
	}
}

func TestOraclesLetGoodWorkPass(t *testing.T) {
	r := judged(t, func(x *execution) {
		p := x.newPool(x.workers)
		e := x.jobs.open("me", 1)
		p.Run(context.Background(), func(*pool.Worker) error { e[0].ran(); return nil })
		x.sample()
		x.rest(p)
		x.close(p)
	})
	wantVerdict(t, r, Pass)
}

func TestOracleSeesLostTask(t *testing.T) {
	r := judged(t, func(x *execution) { x.jobs.open("me", 3)[1].ran() })
	wantVerdict(t, r, LostTask, "me, job 0", "2 of 3")
}

func TestOracleSeesDuplicateTask(t *testing.T) {
	r := judged(t, func(x *execution) {
		e := x.jobs.open("me", 2)
		e[0].ran()
		e[1].ran()
		e[1].ran()
	})
	wantVerdict(t, r, DuplicateTask, "me, job 1", "2 times")
}

func TestOracleSeesWrongResult(t *testing.T) {
	r := judged(t, func(x *execution) { x.convict(WrongResult, "7 is not %d", 8) })
	wantVerdict(t, r, WrongResult, "7 is not 8")
}

func TestOracleSeesPanic(t *testing.T) {
	r := judged(t, func(x *execution) {
		p := x.newPool(1)
		defer x.close(p)
		p.Run(context.Background(), func(*pool.Worker) error { panic("so it goes") })
	})
	wantVerdict(t, r, Panicked, "so it goes")
}

// TestOracleSeesStaleUse: what the pool says of memory that it has poisoned is told from other
// panics, in a job that is waited for, and where it ends the process.
func TestOracleSeesStaleUse(t *testing.T) {
	stale := &pool.StaleUseError{What: "a loop", Freed: "worker 0 has ended it", Used: "worker 1 does elements of it"}
	r := judged(t, func(x *execution) {
		p := x.newPool(1)
		defer x.close(p)
		p.Run(context.Background(), func(*pool.Worker) error { panic(stale) })
	})
	wantVerdict(t, r, StaleUse, stale.Error())
	crash, err := ending{last: &begin{}, code: 2, output: "panic: " + stale.Error() + "\n\ngoroutine 1 [running]:\n"}.judge(childTimeout)
	if err != nil || crash.Verdict != StaleUse || !strings.Contains(crash.Summary, stale.Error()) {
		t.Errorf("%v, %+v", err, crash)
	}
}

func TestOracleSeesLeak(t *testing.T) {
	release, gone := make(chan struct{}), make(chan struct{})
	r := judged(t, func(*execution) {
		go func() { <-release; close(gone) }()
	})
	close(release)
	<-gone
	wantVerdict(t, r, Leak, "outlived")
	if said := strings.Contains(strings.Join(r.Explanation, "\n"), "goroutine-leak profile"); said != hasLeakProfile() {
		t.Errorf("the runtime has its profile: %t, and is quoted: %t\n%q", hasLeakProfile(), said, r.Explanation)
	}
}

// TestSlowIsNoLeak: who still runs when all is done, for longer than goleak is patient, and ends
// then, was not served.
func TestSlowIsNoLeak(t *testing.T) {
	r := judged(t, func(*execution) {
		begin := time.Now()
		go func() {
			for time.Since(begin) < 2*time.Second {
			}
		}()
	})
	wantVerdict(t, r, Pass)
}

// TestOracleSeesWhoNeverSleeps: a fault makes workers find, each time, that there may be work.
func TestOracleSeesWhoNeverSleeps(t *testing.T) {
	sc := Scenario{Name: t.Name(), Pool: PoolSpec{Workers: []int{2}}, Plan: []chaos.Fault{{At: "sleep/jec-check", Kind: hooks.Rolls, Probability: 1}}}
	r := executeWorkload(&sc, Workload{run: restsOnce}, 1, 0, executionTimeout, func() {})
	wantVerdict(t, r, NeverSleeps, "look for work for ever", "worker 0", "worker 1")
}

// TestOracleSeesSpinning: a fault wakes a worker from its sleep each time, and it sleeps on.
func TestOracleSeesSpinning(t *testing.T) {
	sc := Scenario{Name: t.Name(), Pool: PoolSpec{Workers: []int{2}}, Plan: []chaos.Fault{{At: "sleep/block", Kind: hooks.SpuriousWakes, Probability: 1}}}
	r := executeWorkload(&sc, Workload{run: restsOnce}, 1, 0, executionTimeout, func() {})
	wantVerdict(t, r, Spin, "all workers sleep", "goes on using processors")
}

func restsOnce(x *execution) {
	p := x.newPool(x.workers)
	p.Run(context.Background(), func(*pool.Worker) error { return nil })
	x.rest(p)
	x.close(p)
}

// TestSearchesWhileOthersAreHeld: who searches while there is work, or while another falls
// asleep, or is not served, may have his reasons.
func TestSearchesWhileOthersAreHeld(t *testing.T) {
	state := func(searches0, searches1, sleeps uint64, injected int) pool.State {
		return pool.State{Injected: injected, Workers: []pool.WorkerState{
			{Name: "worker 0", Searches: searches0}, {Name: "worker 1", Index: 1, Searches: searches1, Sleeps: sleeps},
		}}
	}
	for name, c := range map[string]struct {
		then pool.State
		says string
	}{
		"both":                  {state(110, 150, 3, 0), "worker 0, worker 1 look for work for ever: 100 searches"},
		"one is not served":     {state(10, 9_999, 3, 0), ""},
		"one has fallen asleep": {state(110, 150, 4, 0), ""},
		"a job waits":           {state(110, 150, 3, 1), ""},
	} {
		looks := searches{enough: 100}
		for _, s := range []pool.State{state(10, 20, 3, 0), state(11, 21, 3, 0)} {
			if f, _ := looks.look(s); f != nil {
				t.Errorf("%s: too early: %s", name, f.summary)
			}
		}
		f, went := looks.look(c.then)
		if c.says == "" && f != nil || c.says != "" && (f == nil || !strings.Contains(f.summary, c.says)) || !went {
			t.Errorf("%s: %+v %t, want %q", name, f, went, c.says)
		}
	}
}

// TestOracleSeesBrokenCountersOfAHang: those of a pool that stands still say who sleeps.
func TestOracleSeesBrokenCountersOfAHang(t *testing.T) {
	still := func() pool.State {
		return pool.State{
			Workers: []pool.WorkerState{
				{Asleep: true, Latch: sleep.Sleeping}, {Index: 1, Asleep: true, Latch: sleep.Set}, {Index: 2, Asleep: true, Notified: true},
				{Index: 3, Asleep: true, Private: true}, {Index: 4},
			},
			Counters: sleep.Counters{Sleeping: 2, Inactive: 3},
		}
	}
	if f := stillPool(still(), ""); len(f) > 0 {
		t.Errorf("as it should be: %v", f)
	}
	for name, plant := range map[string]func(s *pool.State){
		"a sleeper that is not counted": func(s *pool.State) { s.Counters.Sleeping-- },
		"one sleeper too many":          func(s *pool.State) { s.Counters.Sleeping++ },
		"a latch that nobody has told":  func(s *pool.State) { s.Workers[0].Latch = sleep.Unset },
	} {
		s := still()
		plant(&s)
		if f := stillPool(s, "jec-blocks"); len(f) != 1 || f[0].verdict != Invariant {
			t.Errorf("%s: %v", name, f)
		}
		if f := stillPool(s, "tickle"); len(f) > 0 {
			t.Errorf("another protocol counts otherwise: %v", f)
		}
	}
}

// TestJobsLookAtTheCounters: each of them does, and what they see is not told a thousand times.
func TestJobsLookAtTheCounters(t *testing.T) {
	looks := 0
	l := ledger{look: func() { looks++ }}
	for i := range l.open("me", 3) {
		l.blocks[0][i].ran()
	}
	var x execution
	for range 10 * maxFindings {
		x.convict(Invariant, "again")
	}
	if looks != 3 || len(x.wrong) != maxFindings {
		t.Errorf("%d looks, %d findings", looks, len(x.wrong))
	}
}

func TestOracleSeesDeadlock(t *testing.T) {
	release, gone := make(chan struct{}), make(chan struct{})
	r := judged(t, func(x *execution) {
		defer close(gone)
		p := x.newPool(x.workers)
		x.jobs.open("me", 1)
		<-release
		x.close(p)
	})
	close(release)
	<-gone
	wantVerdict(t, r, Deadlock, "no missing notification", "me, job 0")
	if !strings.Contains(r.State, "asleep") || !strings.Contains(r.Goroutines, "TestOracleSeesDeadlock") {
		t.Errorf("no dumps:\n%s\n%s", r.State, r.Goroutines)
	}
}

func TestOracleSeesTimeout(t *testing.T) {
	release, gone := make(chan struct{}), make(chan struct{})
	r := judgedWithin(t, 300*time.Millisecond, func(*execution) {
		defer close(gone)
		for {
			select {
			case <-release:
				return
			default:
				runtime.Gosched()
			}
		}
	})
	close(release)
	<-gone
	wantVerdict(t, r, Timeout, "somebody still runs")
}

func TestOracleSeesBrokenCounters(t *testing.T) {
	for _, c := range []struct {
		counters sleep.Counters
		workers  int
		broken   bool
	}{
		{sleep.Counters{Sleeping: 0, Inactive: 0}, 1, false},
		{sleep.Counters{Sleeping: 2, Inactive: 2}, 2, false},
		{sleep.Counters{Sleeping: 1, Inactive: 0}, 2, true},
		{sleep.Counters{Sleeping: 0, Inactive: 3}, 2, true},
	} {
		f, broken := brokenCounters(c.counters, c.workers)
		if broken != c.broken || broken && f.verdict != Invariant {
			t.Errorf("%+v of %d workers: %v %+v, want broken %v", c.counters, c.workers, broken, f, c.broken)
		}
	}
}

// TestOracleSeesWhatAPoolLeaves plants each kind of remainder in a state that is
// otherwise as it should be.
func TestOracleSeesWhatAPoolLeaves(t *testing.T) {
	closed := func() pool.State {
		return pool.State{Workers: []pool.WorkerState{{Ended: true}, {Index: 1, Ended: true}}, Closing: true}
	}
	resting := func() pool.State {
		return pool.State{
			Workers:    []pool.WorkerState{{Asleep: true}, {Index: 1, Asleep: true}},
			Counters:   sleep.Counters{Sleeping: 2, Inactive: 2},
			References: 1,
		}
	}
	if f := closedPool(closed()); len(f) > 0 {
		t.Errorf("a closed pool: %v", f)
	}
	if f := restingPool(resting()); len(f) > 0 || !atRest(resting()) {
		t.Errorf("a resting pool: %v", f)
	}
	for name, plant := range map[string]func(s *pool.State){
		"a job in the injector":  func(s *pool.State) { s.Injected = 1 },
		"a job in a deque":       func(s *pool.State) { s.Workers[1].Jobs = 1 },
		"a broadcast":            func(s *pool.State) { s.Workers[0].Broadcasts = 1 },
		"a reference":            func(s *pool.State) { s.References++ },
		"one inactive too many":  func(s *pool.State) { s.Counters.Inactive++ },
		"one sleeper too many":   func(s *pool.State) { s.Counters.Sleeping++ },
		"a worker that goes on":  func(s *pool.State) { s.Workers[1].Ended, s.Workers[1].Asleep = false, false },
		"a worker that is woken": func(s *pool.State) { s.Workers[1].Ended, s.Workers[1].Notified = false, true },
	} {
		s := closed()
		plant(&s)
		if f := closedPool(s); len(f) == 0 || f[0].verdict != Invariant {
			t.Errorf("closed with %s: %v", name, f)
		}
		s = resting()
		plant(&s)
		if f := restingPool(s); len(f) == 0 && atRest(s) {
			t.Errorf("resting with %s: %v", name, f)
		}
	}
}

// TestEveryWorkloadPassesUnharmed: with no faults, at every size that a workload
// takes, there is nothing to find.
func TestEveryWorkloadPassesUnharmed(t *testing.T) {
	for _, w := range Workloads() {
		for workers := max(w.least, 1); workers <= 3 && (w.most == 0 || workers <= w.most); workers++ {
			sc := Scenario{Name: w.Name, Workload: w.Name, Pool: PoolSpec{Workers: []int{workers}}}
			if w.Name == trickleWorkload.Name {
				sc.Sizes.Pause = time.Millisecond // its own come to a second
			}
			for n := range 3 {
				if r := execute(&sc, 1, n, func() {}); r.Verdict != Pass {
					t.Errorf("%s with %d workers: %s: %s\n%s", w.Name, workers, r.Verdict, r.Summary, strings.Join(r.Explanation, "\n"))
				}
			}
		}
	}
}
