package scale

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func way(t *testing.T, name string) Way {
	t.Helper()
	w, err := WayNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func mustRun(t *testing.T, w Way, load Workload, workers int, c Costs, seed uint64) Result {
	t.Helper()
	r, err := Run(context.Background(), w, load, workers, c, seed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// single is one job that is nothing.
var single = Workload{Name: "single", run: func(s *sim, w *walker) {
	s.quick = true
	s.inject(w, s.newJob(nil, func(*worker) {}))
}}

// Catches: a step that is left out, taken twice, or costs something else. All of it is counted by
// hand: the poster's core has nothing at hand but what it has just written.
func TestSingleJobByHand(t *testing.T) {
	const (
		foreign = 100 + 10 // a write of a line that another core has
		own     = 10
	)
	post := 100 + // G1': the injector's size, fetched
		foreign + foreign + own + // G2': its lock, its size, its lock again
		100 + // H1: the counters, fetched
		foreign // C4: the worker has announced that it is sleepy
	wake := foreign + 1000 + // J: the sleep lock, and the notification
		3000 // until the worker runs
	worker := foreign + own + own + // the sleep lock again; L3; unlock (F9)
		1 + // B: past its own deque, to the injector
		foreign + foreign + own + // the injector's lock, its size, its lock again
		foreign + // C2
		2 // the job
	r := mustRun(t, way(t, "JEC"), single, 1, round, 1)
	if got, want := r.Took, Time(post+wake+worker)*nanosecond; got != want {
		t.Errorf("done after %v ns, want %v", got.Nanoseconds(), want.Nanoseconds())
	}
	if got, want := r.Post, Time(100+foreign+foreign+1000+own+own)*nanosecond; got != want { // H1, C4, J, C3, unlock
		t.Errorf("a post takes %v ns, want %v", got.Nanoseconds(), want.Nanoseconds())
	}
}

// Catches: another number of wakes than the rules say: JEC's post wakes one, which wakes two as it
// has found the job; Tickle wakes all.
func TestSingleJobWakes(t *testing.T) {
	for name, want := range map[string]map[int][2]int{ // by workers: wakes, wasted
		"JEC":               {1: {1, 0}, 2: {2, 1}, 3: {3, 2}, 8: {3, 2}, 1000: {3, 2}},
		"JEC, spread scans": {1: {1, 0}, 2: {2, 1}, 3: {3, 2}, 8: {3, 2}},
		"local-queue":       {1: {1, 0}, 2: {2, 1}, 3: {3, 2}, 8: {3, 2}},
		"blocks":            {1: {1, 0}, 2: {2, 1}, 3: {3, 2}, 8: {3, 2}},
		"Tickle":            {1: {1, 0}, 2: {2, 1}, 8: {8, 7}, 100: {100, 99}},
	} {
		for workers, want := range want {
			r := mustRun(t, way(t, name), single, workers, round, 1)
			if got := [2]int{r.Wakes, r.Wasted}; got != want {
				t.Errorf("%s, %d workers: %v woken and in vain, want %v", name, workers, got, want)
			}
		}
	}
}

// Catches: a wake that nobody sleeps after, a job that is not there, work that is done faster than
// possible, processor time that is more than there is or negative, more busy workers than there are.
func TestInvariants(t *testing.T) {
	for _, load := range Workloads() {
		for _, w := range AllWays() {
			for _, workers := range []int{1, 2, 3, 8, 33, 64} {
				r := mustRun(t, w, load, workers, DefaultCosts(), 1)
				name := load.Name + ", " + w.Name
				if !load.Steady && r.Wakes != r.Sleeps {
					t.Errorf("%s, %d: %d wakes, %d sleeps", name, workers, r.Wakes, r.Sleeps)
				}
				if r.Wasted > r.Wakes+workers || r.Most > workers || r.Jobs < 1 {
					t.Errorf("%s, %d: %+v", name, workers, r)
				}
				if r.CPU <= 0 || r.CPU > Time(workers)*r.Span+Time(r.Sleeps)*DefaultCosts().in(workers).park {
					t.Errorf("%s, %d: CPU %v of %v", name, workers, r.CPU, r.Span)
				}
				if r.Nearly > r.Full && r.Full > 0 || r.Full > 0 != (r.Most == workers) {
					t.Errorf("%s, %d: %v, %v, most %d", name, workers, r.Nearly, r.Full, r.Most)
				}
				if load.Name == "fork" && r.Took < 2*leafTime || load.Name == "burst" && r.Took < leafTime {
					t.Errorf("%s, %d: done after %v", name, workers, r.Took.Duration())
				}
			}
		}
	}
}

// Catches: a run that something else than its seed decides, and a seed that decides nothing.
func TestSeed(t *testing.T) {
	for _, w := range AllWays() {
		load := Workloads()[0]
		first := mustRun(t, w, load, 64, DefaultCosts(), 7)
		if again := mustRun(t, w, load, 64, DefaultCosts(), 7); again != first {
			t.Errorf("%s: %+v, and then %+v", w.Name, first, again)
		}
		other := mustRun(t, w, load, 64, DefaultCosts(), 8)
		if other.Seed = first.Seed; other == first {
			t.Errorf("%s: seeds 7 and 8 give the same", w.Name)
		}
	}
}

// Catches: a time in the model that is no cost's: where all costs are doubled, all times are, and
// nothing else changes.
func TestTwiceAsSlow(t *testing.T) {
	double := round
	for _, f := range double.fields() {
		*f.ns *= 2
	}
	for _, w := range AllWays() {
		forking := func(leaf Time) Workload {
			return Workload{Name: "forks", run: func(s *sim, w *walker) { forks(s, w, 4*len(s.workers), leaf) }}
		}
		r, slow := mustRun(t, w, forking(microsecond), 16, round, 3), mustRun(t, w, forking(2*microsecond), 16, double, 3)
		r.Nearly, r.Full, r.Took, r.Span, r.CPU, r.PostMost = 2*r.Nearly, 2*r.Full, 2*r.Took, 2*r.Span, 2*r.CPU, 2*r.PostMost
		r.Word.Waited, r.Injector.Waited = 2*r.Word.Waited, 2*r.Injector.Waited
		if slow.Post/2 != r.Post { // which is rounded
			t.Errorf("%s: a post takes %v, and %v", w.Name, r.Post, slow.Post)
		}
		r.Post, slow.Post = 0, 0
		if r != slow {
			t.Errorf("%s: twice\n%+v, got\n%+v", w.Name, r, slow)
		}
	}
}

// Catches: figures that don't follow the costs: dearer wakes that make a pool faster, dearer visits
// that make a trickle cheaper, a bigger pool in which Tickle wakes less.
func TestMonotony(t *testing.T) {
	dear := DefaultCosts()
	dear.Wake, dear.WakeQuick, dear.Probe = 10*dear.Wake, 10*dear.WakeQuick, 4*dear.Probe
	for _, w := range AllWays() {
		fork, trickle := Workloads()[0], Workloads()[3]
		if a, b := mustRun(t, w, fork, 32, DefaultCosts(), 1), mustRun(t, w, fork, 32, dear, 1); a.Full >= b.Full {
			t.Errorf("%s: all are busy after %v, and %v with dearer wakes", w.Name, a.Full.Duration(), b.Full.Duration())
		}
		if a, b := mustRun(t, w, trickle, 32, DefaultCosts(), 1), mustRun(t, w, trickle, 32, dear, 1); a.CPU >= b.CPU {
			t.Errorf("%s: a trickle burns %v, and %v with dearer visits", w.Name, a.CPU.Duration(), b.CPU.Duration())
		}
		if a, b := mustRun(t, w, trickle, 32, DefaultCosts(), 1), mustRun(t, w, trickle, 128, DefaultCosts(), 1); a.CPU >= b.CPU {
			t.Errorf("%s: a trickle burns %v in a pool of 32, and %v in one of 128", w.Name, a.CPU.Duration(), b.CPU.Duration())
		}
	}
}

// aboutToSleep posts a job, and another when the workers are about to sleep again.
var aboutToSleep = Workload{Name: "two jobs", run: func(s *sim, w *walker) { trickle(s, w, 2, 60*microsecond) }}

// slowLooks are costs with which it is long from a worker's last look to its sleep, and a post is quick:
// with others, a post that falls in between is over too late to be missed.
var slowLooks = Costs{Load: 1000, RMW: 10, Transfer: 1, Probe: 1, ProbeMany: 1, Yield: 5, Execute: 2, Notify: 1000, NotifyNext: 50, Wake: 20_000, WakeQuick: 3000, Park: 500}

// lost runs the way with many seeds, and returns the first error.
func lost(t *testing.T, w Way, b broken) string {
	t.Helper()
	for _, workers := range []int{1, 2, 3} {
		for seed := range uint64(250) {
			if _, err := run(context.Background(), w, aboutToSleep, workers, slowLooks, seed, b); err != nil {
				return err.Error()
			}
		}
	}
	return ""
}

// Catches: an oracle that is blind, and a model that loses jobs as it is.
func TestConservation(t *testing.T) {
	for _, w := range AllWays() {
		if what := lost(t, w, broken{}); what != "" {
			t.Errorf("%s loses a job: %s", w.Name, what)
		}
		for _, b := range []broken{{noSecondLook: true}, {noWakes: true}} {
			what := lost(t, w, b)
			if !strings.Contains(what, "were lost") {
				t.Errorf("%s, %+v, loses nothing: %q", w.Name, b, what)
			}
		}
	}
	s := newSim(1, round.in(1), 1)
	s.protocol = newTickle(s)
	s.newJob(nil, nil).runs = 2
	if err := s.check(); err == nil || !strings.Contains(err.Error(), "1 ran twice") {
		t.Errorf("a job that ran twice: %v", err)
	}
	s.jobs[0].runs = 1
	if err := s.check(); err == nil || !strings.Contains(err.Error(), "0 of them sleep") {
		t.Errorf("a worker that is awake: %v", err)
	}
}

// Catches: figures that depend on how many runs go on at the same time, or are not in order; a size
// that has more runs, or less, than it should.
func TestPlan(t *testing.T) {
	p := Plan{Ways: Ways(), Workloads: Workloads()[3:], Workers: []int{8, 2 * ManyWorkers}, Costs: DefaultCosts(), Seeds: 2, Cores: 1}
	told := 0
	one, err := p.Run(context.Background(), func(Result) { told++ })
	if err != nil || told != 2*4*(2+1) {
		t.Fatalf("%d runs, %v", told, err)
	}
	p.Cores = 3
	three, err := p.Run(context.Background(), func(Result) {})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range one {
		if g := three[i]; f.Way != g.Way || f.Workload != g.Workload || f.Workers != g.Workers || !slices.Equal(f.Runs, g.Runs) {
			t.Errorf("%+v with one core, %+v with three", f, g)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Run(ctx, func(Result) {}); err == nil {
		t.Error("an ended context is no error")
	}
}
