//go:build chaos

package pool

import (
	"context"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/subject"
)

// Every oracle of the pool has a positive control: a workload with the defect that the oracle is there
// to see. The lost wakeups have theirs in scenarios.yaml, since it takes a fault to lose one.

// judged runs a workload once, with no faults.
func judged(t *testing.T, run func(x *execution)) outcome.Result {
	t.Helper()
	w := workload{name: "judged", run: run}
	sc := parallel(t, w, 2)
	return executed(&sc, w, 0)
}

// withFault is judged, with that fault at each visit of its point, of a pool that comes to rest.
func withFault(t *testing.T, f chaos.Fault) outcome.Result {
	t.Helper()
	f.Probability = 1
	w := workload{name: "rests", run: func(x *execution) {
		p := x.newPool(x.workers)
		p.Run(context.Background(), func(*pool.Worker) error { return nil }) //nolint:errcheck // it returns nil
		x.rest(p)
		x.close(p)
	}}
	sc := parallel(t, w, 2)
	sc.Plan = []chaos.Fault{f}
	return executed(&sc, w, 0)
}

func TestOraclesLetGoodWorkPass(t *testing.T) {
	r := judged(t, func(x *execution) {
		p := x.newPool(x.workers)
		e := x.open("me", 1)
		p.Run(context.Background(), func(*pool.Worker) error { e[0].ran(); return nil })
		x.sample()
		x.rest(p)
		x.close(p)
	})
	wantVerdict(t, r, verdict.Pass)
}

func TestOracleSeesPanicOfAJob(t *testing.T) {
	r := judged(t, func(x *execution) {
		p := x.newPool(1)
		defer x.close(p)
		p.Run(context.Background(), func(*pool.Worker) error { panic("so it goes") })
	})
	wantVerdict(t, r, verdict.Panicked, "so it goes")
}

// TestOracleSeesStaleUse: what the pool reports of memory that it has poisoned differs from other panics.
func TestOracleSeesStaleUse(t *testing.T) {
	stale := &pool.StaleUseError{What: "a loop", Freed: "worker 0 has ended it", Used: "worker 1 does elements of it"}
	r := judged(t, func(x *execution) {
		p := x.newPool(1)
		defer x.close(p)
		p.Run(context.Background(), func(*pool.Worker) error { panic(stale) })
	})
	wantVerdict(t, r, verdict.StaleUse, stale.Error())
}

// TestOracleSeesWhoNeverSleeps: a fault makes workers find, each time, that there may be work. They read
// a JEC to come, since one that has been may be what a worker remembers, which then falls asleep.
func TestOracleSeesWhoNeverSleeps(t *testing.T) {
	r := withFault(t, chaos.Fault{At: "sleep/jec-check", Kind: hooks.Rolls, By: 2})
	wantVerdict(t, r, verdict.NeverSleeps, "search for work for ever", "worker 0", "worker 1")
}

// TestOracleSeesSpinning: a fault wakes a worker from its sleep each time, and it sleeps on.
func TestOracleSeesSpinning(t *testing.T) {
	r := withFault(t, chaos.Fault{At: "sleep/block", Kind: hooks.SpuriousWakes})
	wantVerdict(t, r, verdict.Spin, "all workers sleep", "still uses processors")
}

// TestSearchesWhileOthersAreHeld: a worker may search while there is work, or while another falls asleep
// or is not scheduled.
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
		"both":                  {state(110, 150, 3, 0), "worker 0, worker 1 search for work for ever: 100 failed searches"},
		"one is not scheduled":  {state(10, 9_999, 3, 0), ""},
		"one has fallen asleep": {state(110, 150, 4, 0), ""},
		"a job waits":           {state(110, 150, 3, 1), ""},
	} {
		looks := searches{enough: 100}
		for _, s := range []pool.State{state(10, 20, 3, 0), state(11, 21, 3, 0)} {
			if f, _ := looks.look(s); f != nil {
				t.Errorf("%s: too early: %s", name, f.Summary)
			}
		}
		f, progress := looks.look(c.then)
		if c.says == "" && f != nil || c.says != "" && (f == nil || !strings.Contains(f.Summary, c.says)) || !progress {
			t.Errorf("%s: %+v %t, want %q", name, f, progress, c.says)
		}
	}
}

// TestOracleSeesBrokenCountersOfAHang: those of a pool that is stuck count the workers that sleep.
func TestOracleSeesBrokenCountersOfAHang(t *testing.T) {
	stuck := func() pool.State {
		return pool.State{
			Workers: []pool.WorkerState{
				{Asleep: true, Latch: sleep.Sleeping}, {Index: 1, Asleep: true, Latch: sleep.Set}, {Index: 2, Asleep: true, Notified: true},
				{Index: 3, Asleep: true, Private: true}, {Index: 4},
			},
			Counters: sleep.Counters{Sleeping: 2, Inactive: 3},
		}
	}
	if f := stuckPool(stuck(), ""); len(f) > 0 {
		t.Errorf("as it should be: %v", f)
	}
	for name, plant := range map[string]func(s *pool.State){
		"a sleeper that is not counted":       func(s *pool.State) { s.Counters.Sleeping-- },
		"one sleeper too many":                func(s *pool.State) { s.Counters.Sleeping++ },
		"a latch that is not set to sleeping": func(s *pool.State) { s.Workers[0].Latch = sleep.Unset },
	} {
		s := stuck()
		plant(&s)
		if f := stuckPool(s, "jec-blocks"); len(f) != 1 || f[0].Verdict != verdict.Invariant {
			t.Errorf("%s: %v", name, f)
		}
		if f := stuckPool(s, "tickle"); len(f) > 0 {
			t.Errorf("another protocol counts otherwise: %v", f)
		}
	}
}

// TestJobsLookAtTheCounters: natively, each of them does.
func TestJobsLookAtTheCounters(t *testing.T) {
	looks := 0
	jobs := prepared(parallel(t, injectWorkload, 2), injectWorkload).open("me", 3)
	for i := range jobs {
		if jobs[i].look == nil {
			t.Fatal("a job does not look at the counters")
		}
		jobs[i].look = func() { looks++ }
		jobs[i].ran()
	}
	if looks != 3 {
		t.Errorf("%d looks of 3 jobs", looks)
	}
}

func TestOracleSeesDeadlock(t *testing.T) {
	release, gone := make(chan struct{}), make(chan struct{})
	r := judged(t, func(x *execution) {
		defer close(gone)
		p := x.newPool(x.workers)
		x.open("me", 1)
		<-release
		x.close(p)
	})
	close(release)
	<-gone
	wantVerdict(t, r, verdict.Deadlock, "no missing notification", "me, job 0")
	if !strings.Contains(r.State, "asleep") || !strings.Contains(r.Goroutines, "TestOracleSeesDeadlock") {
		t.Errorf("no dumps:\n%s\n%s", r.State, r.Goroutines)
	}
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
		if broken != c.broken || broken && f.Verdict != verdict.Invariant {
			t.Errorf("%+v of %d workers: %v %+v, want broken %v", c.counters, c.workers, broken, f, c.broken)
		}
	}
}

func TestOracleSeesBrokenStatistics(t *testing.T) {
	for name, c := range map[string]struct {
		stats  pool.Stats
		broken int
	}{
		"all taken":            {pool.Stats{Jobs: 10, Joins: 4, Pushed: 6, Injected: 3, Steals: 6}, 0},
		"all forks taken back": {pool.Stats{Jobs: 6, Joins: 4, Pushed: 6, Injected: 3}, 0},
		"a join too many":      {pool.Stats{Jobs: 10, Joins: 5, Pushed: 6, Injected: 3}, 1},
		"a job too many":       {pool.Stats{Jobs: 11, Joins: 4, Pushed: 6, Injected: 3}, 1},
		"jobs that are lost":   {pool.Stats{Jobs: 5, Joins: 4, Pushed: 6, Injected: 3}, 1},
		"a steal too many":     {pool.Stats{Jobs: 10, Joins: 4, Pushed: 6, Injected: 3, Steals: 7}, 1},
	} {
		if wrong := closedStats(c.stats, 4, 1); len(wrong) != c.broken {
			t.Errorf("%s: %v, want %d findings", name, wrong, c.broken)
		}
	}
	s := pool.Stats{Jobs: 1, Joins: 2, Pushed: 3, Steals: 4, Injected: 5}
	if got, want := sumOf(s, s), (pool.Stats{Jobs: 2, Joins: 4, Pushed: 6, Steals: 8, Injected: 10}); got != want {
		t.Errorf("a sum of %+v, want %+v", got, want)
	}
}

// TestOracleSeesBrokenStates: of workers that run, and of others that sleep through two readings.
func TestOracleSeesBrokenStates(t *testing.T) {
	state := func(w pool.WorkerState) pool.State { return pool.State{Workers: []pool.WorkerState{w}} }
	for name, c := range map[string]struct {
		worker pool.WorkerState
		broken int
	}{
		"runs":                      {pool.WorkerState{}, 0},
		"waits":                     {pool.WorkerState{WaitsFor: "jobs", Latch: sleep.Sleeping, Broadcasts: 2}, 0},
		"waits and runs":            {pool.WorkerState{Latch: sleep.Sleeping}, 1},
		"more broadcasts than came": {pool.WorkerState{Broadcasts: 3}, 1},
		"broadcasts below none":     {pool.WorkerState{Broadcasts: -1}, 1},
	} {
		if wrong := brokenState(state(c.worker), 2); len(wrong) != c.broken {
			t.Errorf("%s: %v, want %d findings", name, wrong, c.broken)
		}
	}
	for name, c := range map[string]struct {
		before, after pool.WorkerState
		strategy      string
		broken        int
	}{
		"sleeps":             {pool.WorkerState{Asleep: true, Latch: sleep.Sleeping}, pool.WorkerState{Asleep: true}, "jec", 0},
		"its latch is set":   {pool.WorkerState{Asleep: true, Latch: sleep.Set}, pool.WorkerState{Asleep: true}, "jec", 0},
		"has been notified":  {pool.WorkerState{Asleep: true, Notified: true}, pool.WorkerState{Asleep: true}, "jec", 0},
		"is awake again":     {pool.WorkerState{Asleep: true}, pool.WorkerState{}, "jec", 0},
		"sleeps once more":   {pool.WorkerState{Asleep: true, Sleeps: 1}, pool.WorkerState{Asleep: true, Sleeps: 2}, "jec", 0},
		"another strategy":   {pool.WorkerState{Asleep: true}, pool.WorkerState{Asleep: true}, "tickle", 0},
		"no latch to set":    {pool.WorkerState{Asleep: true}, pool.WorkerState{Asleep: true}, "jec", 1},
		"no latch privately": {pool.WorkerState{Asleep: true, Private: true}, pool.WorkerState{Asleep: true}, "jec-readme", 1},
	} {
		if wrong := brokenSleepers(state(c.before), state(c.after), c.strategy); len(wrong) != c.broken {
			t.Errorf("%s: %v, want %d findings", name, wrong, c.broken)
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
		if f := closedPool(s); len(f) == 0 || f[0].Verdict != verdict.Invariant {
			t.Errorf("closed with %s: %v", name, f)
		}
		s = resting()
		plant(&s)
		if f := restingPool(s); len(f) == 0 && atRest(s) {
			t.Errorf("resting with %s: %v", name, f)
		}
	}
}

// TestOracleSeesSleepStatistics: of each pair, the one that is wrong.
func TestOracleSeesSleepStatistics(t *testing.T) {
	for _, c := range []struct {
		variant      string
		right, wrong pool.Stats
	}{
		{"jec", pool.Stats{Sleeps: 3, Wakes: 3, Parked: 1}, pool.Stats{Sleeps: 4, Wakes: 3, Parked: 1}},
		{"jec-blocks", pool.Stats{}, pool.Stats{Wakes: 1}},
		{"jec", pool.Stats{Sleeps: 1, Wakes: 1, Parked: 1}, pool.Stats{Parked: 1}},
		{"tickle", pool.Stats{Sleeps: 4, Wakes: 3, Parked: 1}, pool.Stats{Sleeps: 3, Wakes: 4, Parked: 1}},
		{"rfc5", pool.Stats{Sleeps: 3, Wakes: 4, Parked: 1}, pool.Stats{Sleeps: 3, Wakes: 4, Parked: -1}},
	} {
		if f := sleepStats(c.right, c.variant); len(f) > 0 {
			t.Errorf("%s, %+v: %v", c.variant, c.right, f)
		}
		if f := sleepStats(c.wrong, c.variant); len(f) != 1 || f[0].Verdict != verdict.WrongResult {
			t.Errorf("%s, %+v: %v", c.variant, c.wrong, f)
		}
	}
}

// TestOracleSeesSpuriousWakes: more than were injected, and fewer than notifications explain.
func TestOracleSeesSpuriousWakes(t *testing.T) {
	at := func(point string, fires uint64) []subject.Fired {
		return []subject.Fired{{Point: point, Kind: "spurious", Fires: fires}, {Point: "sleep/wake-notify", Kind: "delay", Fires: 9}}
	}
	for name, c := range map[string]struct {
		stats pool.Stats
		fired []subject.Fired
		wrong int
	}{
		"all":               {pool.Stats{Wakes: 2, Spurious: 5}, at("sleep/block", 5), 0},
		"all of Tickle":     {pool.Stats{Wakes: 2, Spurious: 5}, at("sleep/tickle-wait", 5), 0},
		"two were notified": {pool.Stats{Wakes: 2, Spurious: 3}, at("sleep/block", 5), 0},
		"one is missing":    {pool.Stats{Wakes: 2, Spurious: 2}, at("sleep/block", 5), 1},
		"one too many":      {pool.Stats{Wakes: 2, Spurious: 6}, at("sleep/block", 5), 1},
		"none was injected": {pool.Stats{Wakes: 2, Spurious: 1}, nil, 1},
		"at any condition":  {pool.Stats{Wakes: 2, Spurious: 1}, at("sync/cond-wait", 5), 0},
	} {
		if f := spuriousWakes(c.stats, c.fired); len(f) != c.wrong {
			t.Errorf("%s: %v, want %d findings", name, f, c.wrong)
		}
	}
}

// TestEveryWorkloadPassesUnharmed: with no faults, at every size that a workload
// takes, there is nothing to find.
func TestEveryWorkloadPassesUnharmed(t *testing.T) {
	for _, w := range workloads() {
		for workers := max(w.least, 1); workers <= 3 && (w.most == 0 || workers <= w.most); workers++ {
			sc := parallel(t, w, workers)
			sc.Name = w.name
			if w.name == trickleWorkload.name {
				sc.Sizes = map[string]string{"pause": "1ms"} // its own come to a second
			}
			for n := range 3 {
				if r := executed(&sc, w, n); r.Verdict != verdict.Pass {
					t.Errorf("%s with %d workers: %s: %s\n%s", w.name, workers, r.Verdict, r.Summary, strings.Join(r.Explanation, "\n"))
				}
			}
		}
	}
}
