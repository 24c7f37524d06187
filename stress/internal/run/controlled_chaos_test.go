//go:build chaos

package run

import (
	"fmt"
	"strings"
	gosync "sync"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// tiny is a controlled scenario with a small pool.
func tiny(workload, strategy string, workers ...int) scenario.Scenario {
	return scenario.Scenario{
		Name: "tiny-" + workload, About: "x", Mode: scenario.Control, Strategy: strategy, Workload: workload, Expect: verdict.Pass,
		Subject: "pool", Setup: map[string]string{"workers": listOf(workers), "jec-bits": "1", "deque-capacity": "2", "rounds": "0"},
	}
}

// listOf writes a List parameter.
func listOf(values []int) string {
	return strings.ReplaceAll(fmt.Sprint(values), " ", scenario.ListSeparator)
}

// custom is a subject with one workload, which has the List "size".
func custom(run func(x *subject.Execution)) subject.Subject {
	return subject.Target[int]{
		Name: "custom", New: func(*subject.Execution) int { return 0 },
		Params:    []subject.Param{subject.Count{Name: "size", Most: 9, Required: true, List: true}},
		Workloads: []subject.Work[int]{{Name: "run", Run: func(x *subject.Execution, _ int) { run(x) }}},
	}.Subject()
}

// customScenario is a controlled scenario about that.
func customScenario(strategy string, sizes ...int) scenario.Scenario {
	return scenario.Scenario{
		Name: "custom", About: "x", Mode: scenario.Control, Strategy: strategy, Workload: "run", Expect: verdict.Pass,
		Subject: "custom", Setup: map[string]string{"size": listOf(sizes)},
	}
}

// exploring is an explorer of a scenario about one of these subjects.
func exploring(t *testing.T, sc *scenario.Scenario, subjects ...subject.Subject) *explorer {
	t.Helper()
	e, err := (&Runner{Subjects: subjects}).newExplorer(sc, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// explored runs the first executions and returns the first that fails.
func explored(t *testing.T, sc *scenario.Scenario, executions int, subjects ...subject.Subject) outcome.Result {
	t.Helper()
	r, err := (&Runner{Subjects: subjects}).FirstFailure(sc, executions)
	if err != nil {
		t.Error(err)
	}
	return r
}

// TestOraclesUnderControl: each oracle detects the defect that is planted for it.
func TestOraclesUnderControl(t *testing.T) {
	for _, c := range []struct {
		name string
		want verdict.Verdict
		says string
		run  func(x *subject.Execution)
	}{
		{"a lost job", verdict.LostTask, "me, job 0", func(x *subject.Execution) { x.Jobs("me", 2)[1].Done() }},
		{"a job twice", verdict.DuplicateTask, "me, job 0 ran 2 times", func(x *subject.Execution) {
			job := x.Jobs("me", 1)[0]
			x.Go("other", job.Done)
			job.Done()
		}},
		{"a wrong result", verdict.WrongResult, "7 is not 8", func(x *subject.Execution) { x.Fail(verdict.WrongResult, "7 is not %d", 8) }},
		{"a panic", verdict.Panicked, "so it goes", func(*subject.Execution) { panic("so it goes") }},
		{"a task that is left", verdict.Leak, "the body has returned", func(*subject.Execution) {
			never := make(chan struct{})
			left := hooks.Task(func() { channel.Receive(never) })
			go left()
		}},
		{"a lock that is never released", verdict.Deadlock, "no task can continue", func(x *subject.Execution) {
			var mu sync.Mutex
			mu.Lock()
			x.Go("other", mu.Lock)
		}},
		{"a loop without an end", verdict.Livelock, "main is about to yield", func(x *subject.Execution) {
			var never atomic.Bool
			for !never.Load() {
				hooks.Gosched()
			}
		}},
		{"a loop that does something", verdict.Timeout, "main (workload) is about to store", func(x *subject.Execution) {
			for n := new(atomic.Int64); ; n.Add(1) {
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc := customScenario("pct(3)", 2)
			if c.want == verdict.Timeout {
				sc.MaxSteps = 5000
			}
			r := explored(t, &sc, 20, custom(c.run))
			if r.Verdict != c.want || !strings.Contains(r.Summary+r.Goroutines, c.says) {
				t.Errorf("%s: %s, want %s: ... %s", r.Verdict, r.Summary, c.want, c.says)
			}
			if r.Events == "" {
				t.Error("no table of events")
			}
		})
	}
}

// A lock that a stuck task holds, and that the inspection needs, does not stop it for ever.
func TestALookThatIsBlocked(t *testing.T) {
	var held gosync.Mutex // none of the engine's
	target := subject.Target[int]{
		Name: "custom", New: func(*subject.Execution) int { return 0 },
		Workloads: []subject.Work[int]{{Name: "run", Run: func(*subject.Execution, int) {
			held.Lock()
			defer held.Unlock()
			var mu sync.Mutex
			mu.Lock()
			mu.Lock()
		}}},
		State: func(int) string {
			held.Lock()
			defer held.Unlock()
			return "not seen"
		},
	}
	sc := customScenario("default", 1)
	sc.Setup = nil
	e := exploring(t, &sc, target.Subject())
	e.lookTime = time.Hour // the wait for the lock is seen
	r, _ := e.Run(0)
	if r.Verdict != verdict.Deadlock || !strings.Contains(e.inspected.state, "could not be inspected") {
		t.Errorf("%s: %s\n%s", r.Verdict, r.Summary, e.inspected.state)
	}
}

// An execution depends on its number only, not on whether those before its batch were run.
func TestBatchesKnowNothingOfEachOther(t *testing.T) {
	for _, by := range []string{"random", "pct", "pos", "surw", "portfolio"} {
		sc := tiny("inject", by, 1, 2)
		hashes := func(from, to int) string {
			e := exploring(t, &sc, testSubjects...)
			defer e.Close()
			var all []string
			for n := from; n < to; n++ {
				r, _ := e.Run(n)
				if r.Verdict != verdict.Pass {
					t.Fatalf("%s, execution %d: %s", by, n, r.Summary)
				}
				if n >= scenario.BatchSize {
					all = append(all, fmt.Sprintf("%016x", r.Hash))
				}
			}
			return strings.Join(all, " ")
		}
		if a, b := hashes(0, scenario.BatchSize+40), hashes(scenario.BatchSize, scenario.BatchSize+40); a != b {
			t.Errorf("%s: after a batch\n%s\nwithout\n%s", by, a, b)
		}
	}
}

// An exhaustive strategy reports when it is done, for every pool size.
func TestExhausted(t *testing.T) {
	sc := tiny("churn", "dfs(0)", 1, 2)
	r := Request{Scenario: sc, CampaignSeed: 1, Explore: &ExploreRequest{Stride: 1}}
	var reports []BatchReport
	_, err := r.explore(testRunner, func(m Message) {
		if m.Batch != nil {
			reports = append(reports, *m.Batch)
		}
	}, func(*scenario.Scenario, int) {})
	if err != nil || len(reports) != 1 || !reports[0].Complete || !strings.Contains(reports[0].Bounded, "at most 0 preemptions") ||
		reports[0].Executions < 4 || reports[0].Failure != nil {
		t.Errorf("%v, %+v", err, reports)
	}
}

// The guard finds a difference between executions that the engine cannot see.
func TestGuardUnderControl(t *testing.T) {
	sc := customScenario("random", 1)
	e := exploring(t, &sc, custom(func(*subject.Execution) {
		calls++
		for range calls {
			new(atomic.Int64).Load()
		}
	}))
	if n, r := e.Explore(explore.Range{To: 1}); n != 0 || r.Verdict != verdict.Nondeterminism {
		t.Errorf("execution %d: %s: %s", n, r.Verdict, r.Summary)
	}
}

var calls int

// The seed brings back what the workload draws and what the plan does.
func TestExecuteControlled(t *testing.T) {
	sc := tiny("inject", "pct(3)", 1, 2)
	sc.Plan = []chaos.Fault{{At: "sleep/wake-notify", Kind: hooks.Drops, Count: 1}}
	want := explored(t, &sc, 200, testSubjects...)
	if want.Verdict != verdict.LostWakeup {
		t.Fatalf("%s: %s", want.Verdict, want.Summary)
	}
	got := testRunner.Execute(&sc, 1, want.Execution, func() {})
	if got.Verdict != want.Verdict || got.Summary != want.Summary || got.Events != want.Events {
		t.Errorf("got %s: %s, want %s: %s", got.Verdict, got.Summary, want.Verdict, want.Summary)
	}
}

// Shrinking keeps the verdict and the site: what fails elsewhere is another failure.
func TestShrinkKeepsTheSite(t *testing.T) {
	here := func(mu *sync.Mutex) { mu.Lock() }
	there := func(mu *sync.Mutex) { mu.Lock() }
	sc := customScenario("random", 1)
	e := exploring(t, &sc, custom(func(x *subject.Execution) {
		var mu sync.Mutex
		mu.Lock()
		var early atomic.Bool
		x.Go("other", func() { early.Store(true) })
		if early.Load() { // not without a decision
			here(&mu)
		} else {
			there(&mu)
		}
		x.Wait()
	}))
	for n := range 1000 {
		r, _ := e.Run(n)
		if r.Verdict != verdict.Deadlock || !strings.Contains(r.Summary, "TestShrinkKeepsTheSite.func1") {
			continue
		}
		s := MustParse(e.failed(n, r).Schedule)
		short := e.shrink(s, 1000, func() {})
		if got := MustParse(short.Schedule); len(got.Entries) == 0 || !strings.Contains(got.Summary, "TestShrinkKeepsTheSite.func1") {
			t.Errorf("shrunk from\n%s\nto\n%s", s, got)
		}
		return
	}
	t.Fatal("not found")
}

// Exhaustive strategies search for each pool size by itself.
func TestExhaustiveByPoolSize(t *testing.T) {
	count := func(by string, sizes ...int) int {
		sc := customScenario(by, sizes...)
		e := exploring(t, &sc, custom(func(all *subject.Execution) {
			var x, y atomic.Int64
			all.Go("a", func() { x.Add(1); y.Load() })
			all.Go("b", func() { y.Add(1); x.Load() })
			all.Wait()
		}))
		defer e.Close()
		if n, r := e.Explore(explore.Range{To: 10_000}); r.Verdict != verdict.Pass || !e.Exhausted() {
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
