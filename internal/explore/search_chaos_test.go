//go:build chaos

package explore

import (
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// A counter is incremented by two tasks, without a lock.
type counter struct {
	n    atomic.Int64
	done sync.WaitGroup
}

func (c *counter) increment() {
	defer c.done.Done()
	n := c.n.Load()
	c.n.Store(n + 1)
}

// newSearch returns a search for lost increments, by two tasks or, in other variants, by more.
func newSearch(t *testing.T, o Options, variants int) *Search {
	t.Helper()
	var c *counter
	o.Body = func(x strategy.Execution) func() {
		return func() {
			c = &counter{}
			tasks := 2 + x.Number%variants
			c.done.Add(tasks)
			for range tasks {
				go hooks.Task(c.increment)()
			}
			c.done.Wait()
		}
	}
	o.Judge = func(r control.Result) control.Result {
		if r.Verdict == verdict.Pass && c.n.Load() < 2 {
			r.Verdict, r.Effect, r.Summary = verdict.WrongResult, verdict.WrongResult, "an increment is lost"
		}
		return r
	}
	o.Seed = func(n int) uint64 { return strategy.ChildKey(1, n) }
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestExplore: the first failure that is judged ends the search, and the executions before it have
// run.
func TestExplore(t *testing.T) {
	random := Options{Engine: control.Options{Strategy: strategy.Random()}}
	s := newSearch(t, random, 1)
	first, r := s.Explore(Range{To: 1000})
	if r.Verdict != verdict.WrongResult || first == 0 {
		t.Fatalf("execution %d: %s: %s", first, r.Verdict, r.Summary)
	}
	s.Close()
	// later skips that one.
	later := newSearch(t, random, 1)
	var before []int
	after := 0
	second, r := later.Explore(Range{To: 1000, Judge: first + 1,
		Before: func(n int) bool { before = append(before, n); return true },
		After:  func(*control.Result) { after++ },
	})
	if r.Verdict != verdict.WrongResult || second <= first || later.Executions() != second+1 || after != second+1 ||
		!slices.IsSorted(before) || len(before) != second+1 {
		t.Errorf("execution %d: %s: %s, after %d and %d executions, %d announced", second, r.Verdict, r.Summary, later.Executions(), after, len(before))
	}
	later.Close()
	stopped := newSearch(t, random, 1)
	if n, r := stopped.Explore(Range{To: 1000, Before: func(n int) bool { return n < first }}); n != first || r.Verdict != verdict.Pass {
		t.Errorf("stopped at %d, want %d: %s", n, first, r.Verdict)
	}
}

// TestGuard: a body that does something else when it is repeated is found out.
func TestGuard(t *testing.T) {
	calls := 0
	s, err := New(Options{Body: func(strategy.Execution) func() {
		return func() {
			calls++
			for range calls {
				new(atomic.Int64).Load()
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n, r := s.Explore(Range{From: 1, To: 200}); n != guardEvery || r.Verdict != verdict.Nondeterminism || r.Effect != r.Verdict {
		t.Errorf("execution %d: %s: %s", n, r.Verdict, r.Summary)
	}
}

// TestReplay: a failure is recorded, repeated, shrunk and explained.
func TestReplay(t *testing.T) {
	s := newSearch(t, Options{Engine: control.Options{Strategy: strategy.Random()}}, 1)
	n, r := s.Explore(Range{To: 1000})
	x, schedule := s.Execution(n), r.Schedule.Clone()
	recorded := s.Recording(x, r, schedule)
	if again := s.Replay(x, recorded); again.Likeness != recording.Exact || again.Differs != "" || again.Verdict != r.Verdict || len(again.Events) == 0 {
		t.Errorf("likeness %d: %s, %s", again.Likeness, again.Differs, again.Verdict)
	}
	shorter, attempts := s.Shrink(x, schedule, r, 100)
	traced := s.Trace(x, shorter)
	if shorter.Len() == 0 || shorter.Len() > schedule.Len() || attempts == 0 || traced.Verdict != r.Verdict || traced.Summary != r.Summary {
		t.Errorf("shrunk from %d to %d in %d attempts: %s", schedule.Len(), shorter.Len(), attempts, traced.Verdict)
	}
	if other, unused := s.Repeat(x, strategy.Schedule{}); other.Verdict != verdict.Pass || unused.Len() > 0 {
		t.Errorf("by the canonical schedule: %s", other.Verdict)
	}
}

// losesWakeup checks a flag under a lock that its writer does not take.
func losesWakeup() {
	var mu sync.Mutex
	var ready atomic.Bool
	woken := sync.NewCond(&mu)
	go hooks.Task(func() { ready.Store(true); woken.Signal() })()
	mu.Lock()
	if !ready.Load() {
		woken.Wait()
	}
	mu.Unlock()
}

// TestExplain: the sleeper of a deadlock is explained.
func TestExplain(t *testing.T) {
	s, err := New(Options{
		Engine: control.Options{Strategy: strategy.DFS(1)},
		Body:   func(strategy.Execution) func() { return losesWakeup },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n, r := s.Explore(Range{To: 100})
	if r.Verdict != verdict.Deadlock {
		t.Fatalf("%s: %s", r.Verdict, r.Summary)
	}
	traced := s.Trace(s.Execution(n), r.Schedule.Clone())
	if why := traced.Explain(""); why.Checked == "" || why.Posted == "" || why.Sleeps == "" {
		t.Errorf("explained as %q", why.Lines())
	}
}

// TestTimelines: a shrunk failure has the schedule that it was shrunk from beside it, and in both what decides is
// marked; what nothing depends on any more is left out.
func TestTimelines(t *testing.T) {
	s := newSearch(t, Options{Engine: control.Options{Strategy: strategy.Random()}}, 1)
	n, r := s.Explore(Range{To: 1000})
	x, schedule := s.Execution(n), r.Schedule.Clone()
	found := s.Recording(x, r, schedule)
	shorter, _ := s.Shrink(x, schedule, r, 100)
	traced := s.Trace(x, shorter)
	rec := s.Recording(x, traced.Result, shorter)
	rec.ShrunkFrom(found)
	report := explain.Report{Result: traced.Result, Events: traced.Events, Why: traced.Why()}
	all := traced.Timelines(&report, rec, nil)
	if all.Found == nil || all.Found.Decisions != len(found.Entries) || all.Minimal.Decisions != len(rec.Entries) || all.Found.Switches < all.Minimal.Switches {
		t.Fatalf("minimal %+v, found %+v", all.Minimal, all.Found)
	}
	for name, l := range map[string]*explain.Timeline{"minimal": all.Minimal, "found": all.Found} {
		i := slices.IndexFunc(l.Marks, func(m explain.Mark) bool { return m.Kind == "order" })
		if i < 0 || len(l.Marks[i].Steps) != 2 {
			t.Errorf("%s: no order in %+v", name, l.Marks)
			continue
		}
		for _, at := range l.Marks[i].Steps {
			if step := l.Steps[at]; !step.Kept || step.Line == 0 {
				t.Errorf("%s: the order names %+v", name, step)
			}
		}
	}
	rec.Found = []recording.Entry{{Task: "main", Ops: 1, To: "main/9"}}
	if again := traced.Timelines(&report, rec, nil); again.Found != nil {
		t.Errorf("a schedule that does not fail is shown: %+v", again.Found)
	}
}

// TestTimelineOfALostWakeup: the check and the notification that does not arrive are marked.
func TestTimelineOfALostWakeup(t *testing.T) {
	s, err := New(Options{Engine: control.Options{Strategy: strategy.DFS(1)}, Body: func(strategy.Execution) func() { return losesWakeup }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n, r := s.Explore(Range{To: 100})
	traced := s.Trace(s.Execution(n), r.Schedule.Clone())
	report := explain.Report{Result: traced.Result, Events: traced.Events, Why: traced.Why()}
	l := report.Timeline(nil)
	marked := map[string][]string{}
	for _, m := range l.Marks {
		for _, i := range m.Steps {
			marked[m.Kind] = append(marked[m.Kind], l.Lanes[l.Steps[i].Lane].Task+" "+l.Steps[i].Kind)
			if !l.Steps[i].Kept {
				t.Errorf("%s: step %d may be hidden", m.Kind, i)
			}
		}
	}
	for kind, want := range map[string]string{"check": "main load", "notification": "main/0 signal"} {
		if !slices.Contains(marked[kind], want) {
			t.Errorf("%s: marked are %q, want %q among them", kind, marked[kind], want)
		}
	}
	i := slices.IndexFunc(l.Steps, func(s explain.Step) bool { return s.Kind == "store" })
	if i < 0 || !l.Steps[i].Kept {
		t.Error("the last write of what was last read may be hidden")
	}
}
