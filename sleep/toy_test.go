package sleep

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// toy is the smallest scheduler that sleeps by the protocol: workers with one
// queue for all, and jobs that are numbers.
type toy struct {
	*Sleep
	mu    sync.Mutex
	queue []int
	done  []atomic.Int32 // how often each job has run
	left  atomic.Int64   // jobs not done
	// children says which jobs a job posts; may be nil.
	children func(job int) []int

	latches []SpinLatch   // each worker's only latch
	gone    []atomic.Bool // the worker has left
	workers sync.WaitGroup
}

func newToy(t *testing.T, workers, jobs int, options ...Option) *toy {
	t.Helper()
	s, err := New(workers, options...)
	if err != nil {
		t.Fatal(err)
	}
	p := &toy{Sleep: s, done: make([]atomic.Int32, jobs), latches: make([]SpinLatch, workers), gone: make([]atomic.Bool, workers)}
	p.left.Store(int64(jobs))
	for i := range workers {
		p.latches[i].Init(s, i)
	}
	return p
}

// start starts the workers.
func (p *toy) start() {
	for i := range p.latches {
		p.workers.Go(func() { p.work(i) })
	}
}

// work is one worker's life: until its latch is set.
func (p *toy) work(i int) {
	defer p.gone[i].Store(true)
	latch := &p.latches[i].CoreLatch
	for !latch.Probe() {
		if job, ok := p.search(i, latch); ok {
			p.run(i, job)
			p.JobDone()
		}
	}
}

// search is A4 to A6.
func (p *toy) search(i int, latch *CoreLatch) (job int, ok bool) {
	var idle IdleState
	p.StartLooking(i, &idle)
	defer p.WorkFound(&idle)
	for !latch.Probe() {
		if job, ok := p.take(); ok {
			return job, true
		}
		p.NoWorkFound(&idle, latch, p)
	}
	return 0, false
}

func (p *toy) take() (job int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.queue) == 0 {
		return 0, false
	}
	job, p.queue = p.queue[0], p.queue[1:]
	return job, true
}

func (p *toy) run(worker, job int) {
	if p.children != nil {
		for _, c := range p.children(job) {
			p.post(c, func(num int, queueWasEmpty bool) { p.NewInternalJobs(worker, num, queueWasEmpty) })
		}
	}
	p.done[job].Add(1)
	p.left.Add(-1)
}

// post posts a job; announce is NewInjectedJobs or NewInternalJobs.
func (p *toy) post(job int, announce func(num int, queueWasEmpty bool)) {
	p.mu.Lock()
	wasEmpty := len(p.queue) == 0
	p.queue = append(p.queue, job)
	p.mu.Unlock()
	announce(1, wasEmpty)
}

func (p *toy) HasInjectedJob() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue) > 0
}

// tickles reports whether the strategy is Tickle, which counts the sleepers and no more.
func tickles(s *Sleep) bool { return s.filter.jobEnds }

// asleep returns how often each worker has fallen asleep, and whether all that
// have not left are asleep with no notification under way.
func (p *toy) asleep() (sleeps string, all bool) {
	all = true
	var b strings.Builder
	for i := range p.latches {
		s := p.Parker(i)
		fmt.Fprint(&b, s.Sleeps, " ")
		all = all && (p.gone[i].Load() || s.Asleep && !s.Notified)
	}
	return b.String(), all
}

// still reports whether the workers are idle for good, as long as nothing
// outside posts or sets: all asleep at two looks, and none was awake in between.
func (p *toy) still() bool {
	before, all := p.asleep()
	if !all {
		return false
	}
	after, all := p.asleep()
	return all && before == after
}

// settle waits until the workers are idle. No job may be left then, and the
// counters must say what is the case. It is to be called when all goroutines outside
// is done; a worker that never sleeps makes it hang.
func (p *toy) settle(t *testing.T) {
	t.Helper()
	for !p.still() {
		runtime.Gosched()
	}
	p.mu.Lock()
	queue := fmt.Sprint(p.queue)
	p.mu.Unlock()
	here := 0
	for i := range p.gone {
		if !p.gone[i].Load() {
			here++
		}
	}
	if n := p.left.Load(); n != 0 || queue != "[]" {
		t.Errorf("all %d workers sleep, and %d jobs are not done; in the queue: %s", here, n, queue)
	}
	if c := p.Counters(); c.Sleeping != here || !tickles(p.Sleep) && c.Inactive != here {
		t.Errorf("all %d workers sleep, but %+v", here, c)
	}
	for job := range p.done {
		if n := p.done[job].Load(); n != 1 {
			t.Errorf("job %d has run %d times", job, n)
		}
	}
}

// stop sets the latches of all workers and waits for their end.
func (p *toy) stop() {
	for i := range p.latches {
		if !p.latches[i].Probe() {
			p.latches[i].Set()
		}
	}
	p.workers.Wait()
}
