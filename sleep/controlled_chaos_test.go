//go:build chaos

package sleep

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// A model is the protocol as it ships, with as little around it as will do: a
// queue that is a counter, workers, and an injector. It runs under control.
type model struct {
	workers, jobs int
	jec           int  // bits
	leaver        bool // worker 0's latch is set once, at some time; then it is gone
	meet          bool // each job waits until all have begun
	internal      bool // the first job posts the others
}

// A modelRun is one execution of it.
type modelRun struct {
	model
	*JEC
	queue   atomic.Int64
	begun   atomic.Int64
	done    sync.WaitGroup
	latches []SpinLatch
}

func (r *modelRun) HasInjectedJob() bool { return r.queue.Load() > 0 }

// body is what the first task does: it injects, waits, and stops the workers.
func (m model) body() {
	widths := Widths{Sleeping: 3, Inactive: 3, JEC: m.jec}
	s, err := New(m.workers, WithWidths(widths), WithRoundsUntilSleepy(0))
	if err != nil {
		panic(err)
	}
	r := &modelRun{model: m, JEC: s, latches: make([]SpinLatch, m.workers)}
	for i := range r.latches {
		r.latches[i].Init(s, i)
	}
	r.done.Add(m.jobs)
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

// work is one worker's life: until its latch is set.
func (r *modelRun) work(i int) {
	latch := &r.latches[i].CoreLatch
	for !latch.Probe() {
		if r.search(i, latch) {
			r.run()
		}
	}
}

func (r *modelRun) search(i int, latch *CoreLatch) bool {
	idle := r.StartLooking(i)
	defer r.WorkFound()
	for !latch.Probe() {
		if r.take() {
			return true
		}
		r.NoWorkFound(&idle, latch, r)
	}
	return false
}

func (r *modelRun) take() bool {
	for {
		n := r.queue.Load()
		if n == 0 {
			return false
		}
		if r.queue.CompareAndSwap(n, n-1) {
			return true
		}
	}
}

func (r *modelRun) run() {
	if r.begun.Add(1) == 1 && r.internal {
		for range r.jobs - 1 {
			wasEmpty := r.queue.Add(1) == 1
			r.NewInternalJobs(1, wasEmpty)
		}
	}
	r.done.Done()
	if r.meet {
		r.done.Wait()
	}
}

func controlled(t testing.TB, s strategy.Strategy, p plan.Plan) *control.Engine {
	t.Helper()
	e, err := control.New(control.Options{Strategy: s, Plan: p})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func TestModelPasses(t *testing.T) {
	for _, m := range []model{
		{workers: 1, jobs: 1, jec: 1},
		{workers: 1, jobs: 2, jec: 1},
		{workers: 2, jobs: 2, jec: 1},
		{workers: 2, jobs: 2, jec: 32},
		{workers: 2, jobs: 2, jec: 1, leaver: true},
		{workers: 2, jobs: 2, jec: 1, meet: true},
		{workers: 3, jobs: 3, jec: 32, internal: true, meet: true},
	} {
		e := controlled(t, nil, plan.Plan{})
		for n := range 3000 {
			r, _ := e.Run(uint64(n), m.body)
			if r.Verdict != verdict.Pass {
				t.Fatalf("%+v, execution %d: %s: %s\n%s", m, n, r.Verdict, r.Summary, r.Tasks)
			}
		}
		e.Close()
	}
}

func BenchmarkModel(b *testing.B) {
	e := controlled(b, nil, plan.Plan{})
	m := model{workers: 2, jobs: 2, jec: 1}
	steps := 0
	n := 0
	for b.Loop() {
		r, _ := e.Run(uint64(n), m.body)
		steps += r.Steps
		n++
	}
	b.ReportMetric(float64(steps)/float64(n), "steps/op")
}
