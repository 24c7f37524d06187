//go:build chaos

package sleep

import (
	"flag"
	"fmt"
	"math"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/reproduce"
)

// A model is the protocol as it ships, with as little around it as will do: a
// queue that is a counter, workers, and an injector. It runs under control.
type model struct {
	workers, jobs int
	jec           int    // bits
	leaver        bool   // worker 0's latch is set once, at some time; then it is gone
	meet          bool   // each job waits until all have begun
	internal      bool   // the first job posts the others
	broadcast     bool   // besides, a job for each worker, which no other takes
	variant       string // "": the default
}

// atOnce are the options of a variant whose workers are sleepy, and asleep, as soon as
// the strategy allows.
func atOnce(variant string, jecBits int) []Option {
	options := []Option{WithWidths(Widths{Sleeping: 3, Inactive: 3, JEC: jecBits}), WithRoundsUntilSleepy(0)}
	if variant == "" {
		return options
	}
	v, ok := VariantNamed(variant)
	if !ok {
		panic("no variant " + variant)
	}
	return append(v.Options, options...)
}

// A modelRun is one execution of it.
type modelRun struct {
	model
	*Sleep
	queue   atomic.Int64   // jobs that were injected
	deque   atomic.Int64   // jobs that a worker has posted: the final check does not see them
	shares  []atomic.Int64 // of the broadcast, by worker
	begun   atomic.Int64
	done    sync.WaitGroup
	latches []SpinLatch
}

// A modelWorker is what a worker sees in its final check.
type modelWorker struct {
	*modelRun
	index int
}

func (w modelWorker) HasInjectedJob() bool {
	return w.broadcast && w.shares[w.index].Load() > 0 || w.queue.Load() > 0
}

// HasJobInInjector is what it sees by the letter of rayon's README.
func (w modelWorker) HasJobInInjector() bool { return w.queue.Load() > 0 }

// body is what the first task of an execution of e does: it injects, waits, and
// stops the workers.
func (m model) body(e *control.Engine) func() { return func() { m.run(e) } }

func (m model) run(e *control.Engine) {
	s, err := New(m.workers, atOnce(m.variant, m.jec)...)
	if err != nil {
		panic(err)
	}
	r := &modelRun{model: m, Sleep: s, latches: make([]SpinLatch, m.workers)}
	for i := range r.latches {
		r.latches[i].Init(s, i)
	}
	e.OnStuck(r.judge)
	r.done.Add(m.jobs)
	if m.broadcast {
		r.shares = make([]atomic.Int64, m.workers)
		r.done.Add(m.workers)
	}
	for i := range m.workers {
		go hooks.Task(func() { r.work(i) })()
	}
	if m.leaver {
		go hooks.Task(r.latches[0].Set)()
	}
	if m.internal {
		r.inject()
	} else {
		for range m.jobs {
			r.inject()
		}
	}
	if m.broadcast {
		r.injectBroadcast()
	}
	r.done.Wait()
	for i := range r.latches {
		if i > 0 || !m.leaver {
			r.latches[i].Set()
		}
	}
}

func (r *modelRun) inject() {
	wasEmpty := r.queue.Add(1) == 1
	r.NewInjectedJobs(1, wasEmpty)
}

// injectBroadcast is L of the pool: a share for each worker, and then a notification
// to each, without a post.
func (r *modelRun) injectBroadcast() {
	for i := range r.shares {
		r.shares[i].Add(1)
	}
	for i := range r.shares {
		r.NotifyLatchSet(i)
	}
}

// work is one worker's life: until its latch is set.
func (r *modelRun) work(i int) {
	latch := &r.latches[i].CoreLatch
	for !latch.Probe() {
		if r.search(i, latch) {
			r.runJob(i)
		}
	}
}

func (r *modelRun) search(i int, latch *CoreLatch) bool {
	var idle IdleState
	r.StartLooking(i, &idle)
	defer r.WorkFound(&idle)
	for !latch.Probe() {
		if r.take(i) {
			return true
		}
		r.NoWorkFound(&idle, latch, modelWorker{r, i})
	}
	return false
}

func (r *modelRun) take(i int) bool {
	return r.broadcast && takeOne(&r.shares[i]) || r.internal && takeOne(&r.deque) || takeOne(&r.queue)
}

func takeOne(queue *atomic.Int64) bool {
	for {
		n := queue.Load()
		if n == 0 {
			return false
		}
		if queue.CompareAndSwap(n, n-1) {
			return true
		}
	}
}

func (r *modelRun) runJob(worker int) {
	if r.begun.Add(1) == 1 && r.internal {
		for range r.jobs - 1 {
			wasEmpty := r.deque.Add(1) == 1
			r.NewInternalJobs(worker, 1, wasEmpty)
		}
	}
	r.done.Done()
	if r.meet {
		r.done.Wait()
	}
	r.JobDone()
}

// judge distinguishes lost parallelism from a lost job. A job that a worker has posted
// waits behind that worker, whose job waits for it, and a worker sleeps that none
// has woken: fewer are awake than there is work for. A job that was injected is
// in no worker's deque; and a worker that was woken and sleeps has lost the notification.
func (r *modelRun) judge(control.Result) (verdict.Verdict, string) {
	if r.queue.Load() > 0 || r.deque.Load() == 0 {
		return "", ""
	}
	sleeper := -1
	for i := range r.workers {
		switch p := r.Parker(i); {
		case p.Notified:
			return "", ""
		case p.Asleep:
			sleeper = i
		}
	}
	if sleeper < 0 {
		return "", ""
	}
	return verdict.LostParallelism, fmt.Sprintf("what a worker has posted waits behind it (%d), and worker %d was not woken", r.deque.Load(), sleeper)
}

func controlled(t testing.TB, s strategy.Strategy, p plan.Plan) *control.Engine {
	t.Helper()
	e, err := control.New(control.Options{Strategy: s, Plan: p, Grace: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// explored runs the model under a strategy until the strategy has explored all
// there is, or most executions have been made, or one fails.
func explored(t *testing.T, m model, s strategy.Strategy, p plan.Plan, most int) (executions int, complete bool, failure *control.Result) {
	t.Helper()
	e := controlled(t, s, p)
	defer e.Close()
	for n := range most {
		r, more := e.Run(strategy.ChildKey(1, n), m.body(e))
		if !more {
			return n, true, nil
		}
		if r.Verdict != verdict.Pass {
			r.Schedule = r.Schedule.Clone()
			return n, false, &r
		}
	}
	return most, false, nil
}

var (
	preemptions = flag.Int("preemptions", 0, "bound of TestProtocolExhausted; 0 is what takes seconds")
	dporJobs    = flag.Int("dpor-jobs", 1, "jobs of TestProtocolByDPOR")
)

// Every schedule of at most one or two preemptions, the worst counter there is:
// nothing is lost. Of three, in minutes:
// go test -tags chaos -run Exhausted -timeout 1h ./sleep -preemptions 3.
func TestProtocolExhausted(t *testing.T) {
	for _, c := range []struct {
		model
		bound int
	}{
		{model{workers: 1, jobs: 1, jec: 1}, 2},
		{model{workers: 1, jobs: 2, jec: 1}, 2},
		{model{workers: 2, jobs: 1, jec: 1}, 2},
		{model{workers: 2, jobs: 2, jec: 1}, 2},
		{model{workers: 2, jobs: 2, jec: 1, meet: true}, 2},
		{model{workers: 2, jobs: 1, jec: 1, leaver: true}, 1},
		{model{workers: 2, jobs: 1, jec: 1, broadcast: true}, 2},
		{model{workers: 2, jobs: 2, jec: ProductionWidths.JEC, meet: true, internal: true}, 2},
	} {
		if racing.Detector {
			c.bound = 1
		}
		if *preemptions > 0 {
			c.bound = *preemptions
		}
		n, complete, failure := explored(t, c.model, strategy.DFS(c.bound), plan.Plan{}, math.MaxInt)
		if failure != nil || !complete {
			t.Errorf("%+v: complete: %v after %d executions; failure %+v", c.model, complete, n, failure)
		}
		t.Logf("%+v: %d schedules of at most %d preemptions", c.model, n, c.bound)
	}
}

// One worker, and all schedules there are, but for those that differ only in what
// commutes. Of two jobs: go test -tags chaos -run ByDPOR ./sleep -dpor-jobs 2.
func TestProtocolByDPOR(t *testing.T) {
	m := model{workers: 1, jobs: *dporJobs, jec: 1}
	n, complete, failure := explored(t, m, strategy.DPOR(), plan.Plan{}, math.MaxInt)
	if failure != nil || !complete {
		t.Errorf("%+v: complete: %v after %d executions; failure %+v", m, complete, n, failure)
	}
	t.Logf("%+v: %d executions", m, n)
}

// With its production width the counter does not roll over, and jobs that workers
// post find all the workers that they need.
func TestProtocolAtRandom(t *testing.T) {
	executions := 2000
	if testing.Short() {
		executions = 200
	}
	for _, m := range []model{
		{workers: 2, jobs: 2, jec: 32, leaver: true},
		{workers: 3, jobs: 3, jec: 32, internal: true, meet: true},
		{workers: 3, jobs: 4, jec: 1, leaver: true},
	} {
		for _, s := range []strategy.Strategy{strategy.Random(), strategy.PCT(5), strategy.POS()} {
			if n, _, failure := explored(t, m, s, plan.Plan{}, executions); failure != nil {
				t.Errorf("%+v, %s, execution %d: %s: %s", m, s.Name(), n, failure.Verdict, failure.Summary)
			}
		}
	}
}

// With a counter of one bit the README gives up parallelism for jobs that workers
// post: fewer may be awake than there is work for. Jobs that must meet then wait for
// each other. This is what is expected, and shows that the test above can see it.
func TestOneBitLosesParallelism(t *testing.T) {
	m := model{workers: 3, jobs: 3, jec: 1, internal: true, meet: true}
	n, _, failure := explored(t, m, strategy.PCT(5), plan.Plan{}, 200_000)
	if failure == nil || failure.Verdict != verdict.LostParallelism {
		t.Fatalf("not found in %d executions: %+v", n, failure)
	}
	reproduce.Result(t, control.Options{}, *failure, m.body)
	shortest := shrunk(t, m, failure)
	reproduce.Result(t, control.Options{}, shortest, m.body)
	t.Logf("found in execution %d: %s; %d decisions are left of %d", n, failure.Summary, shortest.Schedule.Len(), failure.Schedule.Len())

	m.jec = ProductionWidths.JEC
	executions := 20_000
	if racing.Detector {
		executions = 500
	}
	if n, _, failure := explored(t, m, strategy.PCT(5), plan.Plan{}, executions); failure != nil {
		t.Errorf("with the production width, execution %d: %s: %s", n, failure.Verdict, failure.Summary)
	}
}

// What lost parallelism is not: a notification that was lost, of the same jobs, and
// injected jobs that are stranded.
func TestOtherStuckExecutionsAreDeadlocks(t *testing.T) {
	drop := plan.Plan{Faults: []plan.Fault{{At: "sleep/wake-notify", Kind: hooks.Drops, Count: 1}}}
	noFinalCheck := plan.Plan{Faults: []plan.Fault{{At: "sleep/final-check-post", Kind: hooks.Fails}}}
	for name, c := range map[string]struct {
		model
		plan plan.Plan
	}{
		"a notification dropped": {model{workers: 3, jobs: 3, jec: 32, internal: true, meet: true}, drop},
		"roll-over":              {model{workers: 2, jobs: 2, jec: 1, meet: true}, noFinalCheck},
	} {
		t.Run(name, func(t *testing.T) {
			n, _, failure := explored(t, c.model, strategy.PCT(5), c.plan, 4000)
			if failure == nil || failure.Verdict != verdict.Deadlock {
				t.Fatalf("not found in %d executions: %+v", n, failure)
			}
			reproduce.Result(t, control.Options{}, *failure, c.body)
		})
	}
}

// shrunk returns the failure with the shortest schedule that shows it.
func shrunk(t *testing.T, m model, failure *control.Result) control.Result {
	t.Helper()
	e := controlled(t, nil, plan.Plan{})
	defer e.Close()
	body := m.body(e)
	schedule, _ := recording.Shrink(failure.Schedule, func(s strategy.Schedule) (strategy.Schedule, bool) {
		r, _ := e.Repeat(s, body)
		return r.Schedule, r.Verdict == failure.Verdict
	}, 2000)
	r, _ := e.Repeat(schedule, body)
	if r.Verdict != failure.Verdict {
		t.Fatalf("shrunk, %s has become %s", failure.Verdict, r.Verdict)
	}
	r.Schedule = schedule
	return r
}

// Known defects, as faults at their points, and how they are found.
func TestDefectsAreFound(t *testing.T) {
	fault := func(at string, kind hooks.FaultKind, count int) plan.Plan {
		return plan.Plan{Faults: []plan.Fault{{At: at, Kind: kind, Count: count}}}
	}
	noFinalCheck := fault("sleep/final-check-post", hooks.Fails, 0)
	for name, c := range map[string]struct {
		model
		plan plan.Plan
		want verdict.Verdict
		by   strategy.Strategy
		most int // four times the median that a prototype needed
	}{
		"roll-over, a leaver":         {model{workers: 2, jobs: 1, jec: 1, leaver: true}, noFinalCheck, verdict.Deadlock, strategy.PCT(5), 40_000},
		"roll-over, jobs that meet":   {model{workers: 2, jobs: 2, jec: 1, meet: true}, noFinalCheck, verdict.Deadlock, strategy.PCT(5), 4 * 235},
		"a broadcast, no final check": {model{workers: 2, jec: 1, broadcast: true}, noFinalCheck, verdict.Deadlock, strategy.PCT(3), 4000},
		"a notification dropped":      {model{workers: 2, jobs: 2, jec: 1}, fault("sleep/wake-notify", hooks.Drops, 1), verdict.Leak, strategy.PCT(3), 4 * 3},
		"a latch's notification lost": {model{workers: 2, jobs: 2, jec: 1}, fault("sleep/latch-set-notify", hooks.Drops, 1), verdict.Leak, strategy.PCT(3), 4 * 24},
		"an idle worker wakes none":   {model{workers: 2, jobs: 2, jec: 1, meet: true}, fault("sleep/found-wake", hooks.Drops, 0), verdict.Deadlock, strategy.PCT(3), 4000},
	} {
		t.Run(name, func(t *testing.T) {
			n, _, failure := explored(t, c.model, c.by, c.plan, c.most)
			if failure == nil || failure.Verdict != c.want {
				t.Fatalf("not found in %d executions: %+v", n, failure)
			}
			shortest := shrunk(t, c.model, failure)
			schedule := shortest.Schedule
			reproduce.Result(t, control.Options{}, shortest, c.body)
			if schedule.Len() > 10 {
				t.Errorf("%d entries are left, want 10 at most", schedule.Len())
			}
			t.Logf("%s in execution %d by %s; %d decisions and %d faults are left of %d", failure.Verdict, n, c.by.Name(),
				len(schedule.Deviations), len(schedule.Fires), failure.Schedule.Len())
		})
	}
}

func BenchmarkModel(b *testing.B) {
	e := controlled(b, nil, plan.Plan{})
	m := model{workers: 2, jobs: 2, jec: 1}
	steps := 0
	n := 0
	for b.Loop() {
		r, _ := e.Run(uint64(n), m.body(e))
		steps += r.Steps
		n++
	}
	b.ReportMetric(float64(steps)/float64(n), "steps/op")
}
