//go:build chaos

package stress

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/pool"
)

// tiny is a controlled scenario with a small pool.
func tiny(workload, strategy string, workers ...int) Scenario {
	rounds := 0
	return Scenario{
		Name: "tiny-" + workload, About: "x", Mode: Control, Strategy: strategy, Workload: workload, Expect: Pass,
		Pool: PoolSpec{Workers: workers, JECBits: 1, Rounds: &rounds, DequeCapacity: 2},
	}
}

// explored runs the first executions and returns the first that is convicted.
func explored(t *testing.T, sc *Scenario, w Workload, executions int) Result {
	t.Helper()
	e, err := newExplorerOf(sc, w, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	n, failed := e.Explore(explore.Range{To: executions})
	if failed.Verdict == Pass {
		return Result{Verdict: Pass}
	}
	x := e.Execution(n)
	r := e.explain(x, e.Trace(x, failed.Schedule.Clone()))
	if r.Verdict != failed.Verdict || r.Summary != firstLine(failed.Summary) {
		t.Errorf("it was %s: %s, and repeated %s: %s", failed.Verdict, failed.Summary, r.Verdict, r.Summary)
	}
	return r
}

// TestEveryWorkloadPassesUnderControl: at every size that a workload takes, with a
// counter of one bit. What it may cost is parallelism for forked jobs that must meet.
func TestEveryWorkloadPassesUnderControl(t *testing.T) {
	executions := 150
	if testing.Short() || raceBuild {
		executions = 15
	}
	for _, w := range Workloads() {
		for workers := max(w.least, 1); workers <= 3 && (w.most == 0 || workers <= w.most); workers++ {
			for _, by := range []string{"portfolio", "pct"} {
				sc := tiny(w.Name, by, workers)
				if w.Name == meetInsideWorkload.Name || w.Name == storyWorkload.Name {
					sc.Pool.JECBits = 0
				}
				if r := explored(t, &sc, w, executions); r.Verdict != Pass {
					t.Errorf("%s with %d workers by %s, execution %d: %s: %s\n%s\n%s", w.Name, workers, by, r.Execution, r.Verdict, r.Summary,
						strings.Join(r.Explanation, "\n"), r.Events)
				}
			}
		}
	}
}

// TestOraclesUnderControl: each oracle sees what is planted for it.
func TestOraclesUnderControl(t *testing.T) {
	run := func(x *execution, f func(w *pool.Worker)) {
		p := x.newPool(x.workers)
		defer x.close(p)
		p.Run(context.Background(), func(w *pool.Worker) error { f(w); return nil })
	}
	for _, c := range []struct {
		name string
		want Verdict
		says string
		run  func(x *execution)
	}{
		{"a lost job", LostTask, "me, job 0", func(x *execution) { x.jobs.open("me", 2)[1].ran() }},
		{"a job twice", DuplicateTask, "me, job 0 ran 2 times", func(x *execution) {
			e := x.jobs.open("me", 1)
			run(x, func(*pool.Worker) { e[0].ran(); e[0].ran() })
		}},
		{"a wrong result", WrongResult, "7 is not 8", func(x *execution) { x.convict(WrongResult, "7 is not %d", 8) }},
		{"a panic", Panicked, "so it goes", func(x *execution) { run(x, func(*pool.Worker) { panic("so it goes") }) }},
		{"a pool that is left open", Leak, "the body has returned", func(x *execution) { x.newPool(1) }},
		{"a lock that nobody gives up", Deadlock, "no task can continue", func(x *execution) {
			var mu sync.Mutex
			mu.Lock()
			run(x, func(*pool.Worker) { mu.Lock() })
		}},
		{"a loop that nobody ends", Livelock, "main is about to yield", func(x *execution) {
			var never atomic.Bool
			for !never.Load() {
				hooks.Gosched()
			}
		}},
		{"a loop that does something", Timeout, "main (workload) is about to store", func(x *execution) {
			for n := new(atomic.Int64); ; n.Add(1) {
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := tiny("inject", "pct(3)", 2)
			if c.want == Timeout {
				sc.MaxSteps = 5000
			}
			r := explored(t, &sc, Workload{run: c.run}, 20)
			if r.Verdict != c.want || !strings.Contains(r.Summary+r.Goroutines, c.says) {
				t.Errorf("%s: %s, want %s: ... %s", r.Verdict, r.Summary, c.want, c.says)
			}
			if r.Events == "" {
				t.Error("no table of events")
			}
		})
	}
}

// A stuck pool is looked at as it stands: unwinding would change it.
func TestTheSceneIsFromBeforeTheUnwinding(t *testing.T) {
	sc := tiny("meet-inside", "surw", 3)
	r := explored(t, &sc, meetInsideWorkload, 20_000)
	if r.Verdict != LostParallelism {
		t.Fatalf("%s: %s", r.Verdict, r.Summary)
	}
	for _, want := range []string{"runs a job; 1 jobs in its deque", "asleep, waits for jobs"} {
		if !strings.Contains(r.State, want) {
			t.Errorf("%q is missing in\n%s", want, r.State)
		}
	}
}

// Who holds a lock that the look needs does not stop it for ever.
func TestALookThatIsBlocked(t *testing.T) {
	sc := tiny("inject", "default", 1)
	e, err := newExplorerOf(&sc, Workload{run: func(x *execution) {
		x.jobs.mu.Lock() // the ledger's, which is none of the engine's
		defer x.jobs.mu.Unlock()
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
	}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.lookTime = 50 * time.Millisecond
	r, _ := e.Run(0)
	if r.Verdict != Deadlock || !strings.Contains(e.scene.String(), "could not be looked at") {
		t.Errorf("%s: %s\n%s", r.Verdict, r.Summary, e.scene)
	}
}

// What an execution does follows from its number: whether those before its batch were
// run makes no difference.
func TestBatchesKnowNothingOfEachOther(t *testing.T) {
	for _, by := range []string{"random", "pct", "pos", "surw", "portfolio"} {
		sc := tiny("inject", by, 1, 2)
		hashes := func(from, to int) string {
			e, err := newExplorer(&sc, 1)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			var all []string
			for n := from; n < to; n++ {
				r, _ := e.Run(n)
				if r.Verdict != Pass {
					t.Fatalf("%s, execution %d: %s", by, n, r.Summary)
				}
				if n >= batchSize {
					all = append(all, fmt.Sprintf("%016x", r.Hash))
				}
			}
			return strings.Join(all, " ")
		}
		if a, b := hashes(0, batchSize+40), hashes(batchSize, batchSize+40); a != b {
			t.Errorf("%s: after a batch\n%s\nwithout\n%s", by, a, b)
		}
	}
}

// An exhaustive strategy says when it is done, for every pool size.
func TestExhausted(t *testing.T) {
	sc := tiny("churn", "dfs(0)", 1, 2)
	r := request{Scenario: sc, CampaignSeed: 1, Explore: &exploreRequest{Stride: 1}}
	var reports []batchReport
	err := r.explore(func(m message) {
		if m.Batch != nil {
			reports = append(reports, *m.Batch)
		}
	}, func(*Scenario, int) {})
	if err != nil || len(reports) != 1 || !reports[0].Complete || !strings.Contains(reports[0].Bounded, "at most 0 preemptions") ||
		reports[0].Executions < 4 || reports[0].Failure != nil {
		t.Errorf("%v, %+v", err, reports)
	}
}

// What the engine cannot see is found out by the guard.
func TestGuardUnderControl(t *testing.T) {
	sc := tiny("inject", "random", 1)
	e, err := newExplorerOf(&sc, Workload{run: func(*execution) {
		calls++
		for range calls {
			new(atomic.Int64).Load()
		}
	}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if n, r := e.Explore(explore.Range{To: 1}); n != 0 || r.Verdict != Nondeterminism {
		t.Errorf("execution %d: %s: %s", n, r.Verdict, r.Summary)
	}
}

var calls int

// The seed brings back what the workload draws and what the plan does.
func TestExecuteControlled(t *testing.T) {
	sc := tiny("inject", "pct(3)", 1, 2)
	sc.Plan = []chaos.Fault{{At: "sleep/wake-notify", Kind: hooks.Drops, Count: 1}}
	want := explored(t, &sc, injectWorkload, 200)
	if want.Verdict != LostWakeup {
		t.Fatalf("%s: %s", want.Verdict, want.Summary)
	}
	got := execute(&sc, 1, want.Execution, func() {})
	if got.Verdict != want.Verdict || got.Summary != want.Summary || got.Events != want.Events {
		t.Errorf("got %s: %s, want %s: %s", got.Verdict, got.Summary, want.Verdict, want.Summary)
	}
}

// Shrinking keeps the verdict and the site: what fails elsewhere is another failure.
func TestShrinkKeepsTheSite(t *testing.T) {
	here := func(mu *sync.Mutex) { mu.Lock() }
	there := func(mu *sync.Mutex) { mu.Lock() }
	sc := tiny("inject", "random", 1)
	e, err := newExplorerOf(&sc, Workload{run: func(x *execution) {
		var mu sync.Mutex
		mu.Lock()
		var early atomic.Bool
		var other crew
		other.start("other", func() { early.Store(true) })
		if early.Load() { // not without a decision
			here(&mu)
		} else {
			there(&mu)
		}
		other.Wait()
	}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for n := range 1000 {
		r, _ := e.Run(n)
		if r.Verdict != Deadlock || !strings.Contains(r.Summary, "TestShrinkKeepsTheSite.func1") {
			continue
		}
		s := mustParse(e.failed(n, r).Schedule)
		short := e.shrink(s, 1000, func() {})
		if got := mustParse(short.Schedule); len(got.Entries) == 0 || !strings.Contains(got.Summary, "TestShrinkKeepsTheSite.func1") {
			t.Errorf("shrunk from\n%s\nto\n%s", s, got)
		}
		return
	}
	t.Fatal("not found")
}

// Exhaustive strategies search for each pool size by itself.
func TestExhaustiveByPoolSize(t *testing.T) {
	count := func(by string, sizes ...int) int {
		sc := tiny("inject", by, sizes...)
		e, err := newExplorerOf(&sc, Workload{run: func(*execution) {
			var x, y atomic.Int64
			var all crew
			all.start("a", func() { x.Add(1); y.Load() })
			all.start("b", func() { y.Add(1); x.Load() })
			all.Wait()
		}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		if n, r := e.Explore(explore.Range{To: 10_000}); r.Verdict != Pass || !e.Exhausted() {
			t.Fatalf("%s, execution %d: %s", by, n, r.Summary)
		}
		return e.Executions()
	}
	for _, by := range []string{"dfs", "dfs(1)", "dpor"} {
		one, three := count(by, 1), count(by, 1, 2, 3)
		if one < 3 || three != 3*one {
			t.Errorf("%s: %d executions with one pool size, %d with three", by, one, three)
		}
	}
}
