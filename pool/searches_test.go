package pool

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic" // not the drop-ins, neither of them: what watches is no step of what is watched
	"testing"

	hooked "github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/sleep"
)

// Searches watch the searches of pools: what was there before a search began, it finds, or
// another worker does. All sleep strategies rely on it ("if work was available before the
// search started, it would have been found").
type Searches struct {
	// Controlled: one task at a time runs, so what locks guard may be read without.
	Controlled bool

	mu         sync.Mutex
	before     map[*Worker][]place
	Failed     int // searches
	Looked     int // jobs that were there before a failed search
	Overlooked []string
}

// searches wraps a pool's strategy, where each search begins and where it fails.
type searches struct {
	sleep.Strategy
	*Searches
	pool *Pool
}

// A place is where a job waits: in a deque, at a place that no other job had before it,
// in a queue, or in the injector, where its number is its own.
type place struct {
	deque    *deque
	owner    *Worker // of the deque
	at       int64
	pushed   uint64 // how many jobs the owner had pushed, before the first look at the deque
	queue    *queue
	job      *job
	injector *injector
	number   uint64
}

// Watch is an option of any number of pools. It takes the place of a start handler.
func (s *Searches) Watch() Option {
	return func(c *config) {
		var once sync.Once
		// The first worker that starts puts s there before any of them looks for work.
		c.startHandler = func(w *Worker) error {
			once.Do(func() { w.pool.sleep.Strategy = &searches{w.pool.sleep.Strategy, s, w.pool} })
			return nil
		}
	}
}

// StartLooking implements sleep.Strategy: a search is about to begin.
func (s *searches) StartLooking(worker int, idle *sleep.IdleState) {
	s.Strategy.StartLooking(worker, idle)
	s.begins((*pointer(&s.pool.all).Load())[worker])
}

// NoWorkFound implements sleep.Strategy: a search has failed, and the next is
// about to begin.
func (s *searches) NoWorkFound(idle *sleep.IdleState, latch *sleep.CoreLatch, jobs sleep.Injected) {
	w := (*Worker)(jobs.(*finalCheck))
	s.endsInVain(w)
	s.Strategy.NoWorkFound(idle, latch, jobs)
	s.begins(w)
}

func (s *searches) begins(w *Worker) {
	there := s.jobsFor(w)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.before == nil {
		s.before = make(map[*Worker][]place)
	}
	s.before[w] = there
}

func (s *searches) endsInVain(w *Worker) {
	s.mu.Lock()
	before := s.before[w]
	s.mu.Unlock()
	var still []string
	for _, p := range before {
		if s.isThere(p) {
			still = append(still, s.name(p))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Failed++
	s.Looked += len(before)
	if len(still) > 0 {
		s.Overlooked = append(s.Overlooked, fmt.Sprintf("worker %d has overlooked what was there before it began to search: %s", w.index, still))
	}
}

func (s *searches) name(p place) string {
	if p.injector != nil {
		return "a job in the injector"
	}
	for _, w := range *pointer(&s.pool.all).Load() {
		switch {
		case p.deque == &w.deque:
			return fmt.Sprintf("job %d in the deque of worker %d", p.at, w.index)
		case p.queue == &w.broadcasts:
			return fmt.Sprintf("a broadcast for worker %d", w.index)
		}
	}
	return "a job nowhere"
}

// jobsFor returns the jobs that w may take.
func (s *searches) jobsFor(w *Worker) (there []place) {
	for _, other := range *pointer(&s.pool.all).Load() {
		there = append(there, inDeque(other)...)
	}
	for _, j := range s.inQueue(&w.broadcasts) {
		there = append(there, place{queue: &w.broadcasts, job: j})
	}
	q := &s.pool.injector
	first, end := inInjector(q)
	for ; first < end; first++ {
		there = append(there, place{injector: q, number: first})
	}
	return there
}

// inInjector returns the numbers of the jobs that are in the injector at one time during
// the call: first, and those that follow it before end.
func inInjector(q *injector) (first, end uint64) {
	c := pointer(&q.head).Load()
	if c == nil {
		return 0, 0
	}
	first = c.first + uint64((*atomic.Uint32)(&c.taken).Load())
	for {
		end = c.first + uint64((*atomic.Uint32)(&c.written).Load())
		if c = pointer(&c.next).Load(); c == nil {
			return first, end
		}
	}
}

func (s *searches) isThere(p place) bool {
	if p.injector != nil {
		first, _ := inInjector(p.injector)
		return first <= p.number
	}
	if p.deque == nil {
		for _, j := range s.inQueue(p.queue) {
			if j == p.job {
				return true
			}
		}
		return false
	}
	// In this order: what is at its place although it has been taken is overwritten
	// before bottom comes there again, and top never shrinks.
	bottom := (*atomic.Int64)(&p.deque.bottom).Load()
	if p.at >= bottom || jobAt(p.deque, p.at) != p.job || (*atomic.Int64)(&p.deque.top).Load() > p.at {
		return false
	}
	// What a join posts, the next one at that place of the stack may post again: there only what was
	// there all the time counts.
	_, reused := p.job.task.(interface{ join() *joinTask })
	return !reused || pushed(p.owner) == p.pushed
}

// pushed is how many jobs w has pushed, or is about to. A push that is seen is counted.
//
//go:norace
func pushed(w *Worker) uint64 { return w.counts.pushed }

// inDeque returns what can be stolen at one time during the call.
func inDeque(w *Worker) (there []place) {
	d, before := &w.deque, pushed(w)
	for i := (*atomic.Int64)(&d.top).Load(); i < (*atomic.Int64)(&d.bottom).Load(); i++ {
		p := place{deque: d, owner: w, pushed: before, at: i, job: jobAt(d, i)}
		// The second look at bottom: a job that is being pushed is in its slot before.
		if i < (*atomic.Int64)(&d.bottom).Load() && p.job != nil && postedOnce(p.job) {
			there = append(there, p)
		}
	}
	return there
}

// postedOnce reports whether the job is in a queue once in its life. Tickets of a fifo and
// pieces of a loop are there again and again, and can't be distinguished.
func postedOnce(j *job) bool {
	_, again := j.task.(*ticket)
	return !again && !strings.HasPrefix(fmt.Sprintf("%T", j.task), "*pool.span[")
}

// pointer is the drop-in as the type that it replaces.
func pointer[T any](p *hooked.Pointer[T]) *atomic.Pointer[T] { return (*atomic.Pointer[T])(p) }

func jobAt(d *deque, i int64) *job {
	a := pointer(&d.array).Load()
	return pointer(a.slot(i)).Load()
}

// inQueue returns the jobs that have been put into the queue, and not been taken.
func (s *searches) inQueue(q *queue) []*job {
	if !s.Controlled {
		q.mu.Lock()
		defer q.mu.Unlock()
	}
	return written(q)
}

//go:norace
func written(q *queue) (jobs []*job) {
	read := q.read
	for c := q.head; c != nil; c = c.next {
		end := queueChunk
		if c == q.tail {
			end = q.written
		}
		for i := read; i < end; i++ {
			jobs = append(jobs, c.jobs[i])
		}
		read = 0
	}
	return jobs
}

// watched is a pool of two that is not started.
func watched(t *testing.T) (*Searches, *Pool) {
	t.Helper()
	c := config{dequeCapacity: 1}
	s := new(Searches)
	s.Watch()(&c)
	slept, err := sleep.New(2)
	if err != nil {
		t.Fatal(err)
	}
	p := &Pool{sleep: *slept, dequeCapacity: 1}
	p.workers = []*Worker{p.newWorker(0), p.newWorker(1)}
	p.all.Store(&p.workers)
	if err := c.startHandler(p.workers[0]); err != nil {
		t.Fatal(err)
	}
	return s, p
}

// The positive control, wherever a job may be, and what is no job overlooked: one that
// came too late, and one that another worker takes.
func TestWhatASearchOverlooksIsSeen(t *testing.T) {
	places := map[string]func(p *Pool) (push func(j *job), take func() *job){
		"its own deque": func(p *Pool) (func(j *job), func() *job) { return p.workers[0].deque.push, p.workers[0].deque.pop },
		"another's deque": func(p *Pool) (func(j *job), func() *job) {
			return p.workers[1].deque.push, p.workers[1].deque.pop
		},
		"its broadcasts": func(p *Pool) (func(j *job), func() *job) {
			return p.workers[0].broadcasts.push, p.workers[0].broadcasts.pop
		},
		"the injector": func(p *Pool) (func(j *job), func() *job) {
			q := injectorQueue{injector: &p.injector}
			return q.push, q.pop
		},
	}
	for name, at := range places {
		for _, c := range []struct {
			name           string
			before, during func(push func(j *job), take func() *job)
			want           int
		}{
			{"a job", func(push func(j *job), _ func() *job) { push(newNumbered(0)) }, nil, 1},
			{"one that comes later", nil, func(push func(j *job), _ func() *job) { push(newNumbered(0)) }, 0},
			{"one that is taken", func(push func(j *job), _ func() *job) { push(newNumbered(0)) }, func(_ func(j *job), take func() *job) { take() }, 0},
			{"one that another follows to its place", func(push func(j *job), _ func() *job) { push(newNumbered(0)) },
				func(push func(j *job), take func() *job) { take(); push(newNumbered(1)) }, 0},
		} {
			s, p := watched(t)
			push, take := at(p)
			if c.before != nil {
				c.before(push, take)
			}
			var idle sleep.IdleState
			p.sleep.StartLooking(0, &idle)
			if c.during != nil {
				c.during(push, take)
			}
			p.sleep.NoWorkFound(&idle, new(sleep.CoreLatch), (*finalCheck)(p.workers[0]))
			if len(s.Overlooked) != c.want || s.Failed != 1 {
				t.Errorf("%s, %s: %q after %d searches, want %d", name, c.name, s.Overlooked, s.Failed, c.want)
			}
		}
	}
}

// A join's job that was taken, and pushed again by the next join, is none overlooked; one that stayed is.
func TestSearchesKnowReusedJoins(t *testing.T) {
	for name, again := range map[string]bool{"it stays": false, "the next join reuses it": true} {
		s, p := watched(t)
		w, j := p.workers[1], new(closureJoin)
		j.task = j
		push := func() {
			w.counts.pushed++
			w.deque.push(&j.job)
		}
		push()
		var idle sleep.IdleState
		p.sleep.StartLooking(0, &idle)
		if again {
			w.deque.pop()
			push()
		}
		p.sleep.NoWorkFound(&idle, new(sleep.CoreLatch), (*finalCheck)(p.workers[0]))
		if overlooked := len(s.Overlooked) > 0; overlooked == again || s.Looked != 1 {
			t.Errorf("%s: %q, %d looked at", name, s.Overlooked, s.Looked)
		}
	}
}
