package pool

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/rouse-go/rouse/internal/proptest"
)

// An anyQueue is a queue, or the injector.
type anyQueue interface {
	push(j *job)
	pop() *job
	isEmpty() bool
	waiting() (first uint64, n int)
}

// injectorQueue is the injector as one.
type injectorQueue struct {
	*injector
}

func newInjectorQueue() anyQueue { return injectorQueue{new(injector)} }

func (q injectorQueue) push(j *job) { _ = q.injector.push(nil, injected{job: j}) }

func (q injectorQueue) pop() *job {
	x, _ := q.injector.pop()
	return x.job
}

func (q injectorQueue) waiting() (first uint64, n int) {
	first, n, _ = q.injector.waiting()
	return first, n
}

// kindsOfQueue are both.
var kindsOfQueue = map[string]func() anyQueue{
	"queue":    func() anyQueue { return new(queue) },
	"injector": newInjectorQueue,
}

type queueSubject struct {
	anyQueue
	next int
}

func TestQueueMatchesModel(t *testing.T) {
	for name, kind := range kindsOfQueue {
		t.Run(name, func(t *testing.T) { matchesModel(t, kind) })
	}
}

// Catches: a job that is lost, doubled or out of order, above all where one chunk
// follows another or the spare one is used again; a size or a first number that
// does not fit.
func matchesModel(t *testing.T, kind func() anyQueue) {
	type command = proptest.Command[sequence, *queueSubject]
	seen := func(q *queueSubject, taken []int) any {
		first, n := q.waiting()
		return fmt.Sprint(taken, first, n, q.isEmpty())
	}
	push := func(n int) command {
		return command{
			Name: fmt.Sprintf("push %d", n),
			Step: func(m sequence) (sequence, any) {
				m = m.push(n)
				return m, fmt.Sprint([]int{}, m.Next-len(m.Jobs), len(m.Jobs), len(m.Jobs) == 0)
			},
			Run: func(q *queueSubject) any {
				for range n {
					q.push(newNumbered(q.next))
					q.next++
				}
				return seen(q, nil)
			},
		}
	}
	pop := func(n int) command {
		return command{
			Name: fmt.Sprintf("pop %d", n),
			Step: func(m sequence) (sequence, any) {
				taken := make([]int, n)
				for i := range n {
					m, taken[i] = m.take(0)
				}
				return m, fmt.Sprint(taken, m.Next-len(m.Jobs), len(m.Jobs), len(m.Jobs) == 0)
			},
			Run: func(q *queueSubject) any {
				taken := make([]int, n)
				for i := range n {
					taken[i] = numberOf(q.pop())
				}
				return seen(q, taken)
			},
		}
	}
	commands := []command{push(1), push(queueChunk - 1), push(queueChunk), pop(1), pop(queueChunk - 1), pop(queueChunk + 1)}
	proptest.Check(t, 200, 20, proptest.Machine[sequence, *queueSubject]{
		Initial:  gen.Const(sequence{}),
		New:      func(sequence) *queueSubject { return &queueSubject{anyQueue: kind()} },
		Commands: func(sequence) []command { return commands },
	}.Property())
}

func TestQueueConcurrently(t *testing.T) {
	for name, kind := range kindsOfQueue {
		t.Run(name, func(t *testing.T) { concurrently(t, kind()) })
	}
}

// Catches: a queue that is not FIFO for each producer, or that gives a job to two
// consumers or to none; one that says it is empty while a push is complete.
func concurrently(t *testing.T, q anyQueue) {
	const producers, each = 3, 3000
	var produced atomic.Int32
	taken := make([]atomic.Int32, producers*each)
	var functions []func()
	for p := range producers {
		functions = append(functions, func() {
			for i := range each {
				q.push(newNumbered(p*each + i))
			}
			produced.Add(1)
		})
	}
	for range 2 {
		functions = append(functions, func() {
			last := [producers]int{-1, -1, -1}
			for {
				over := produced.Load() == producers
				n := numberOf(q.pop())
				if n == none {
					if over {
						return
					}
					runtime.Gosched()
					continue
				}
				taken[n].Add(1)
				if p, i := n/each, n%each; i <= last[p] {
					t.Errorf("job %d of producer %d after its job %d", i, p, last[p])
				} else {
					last[p] = i
				}
			}
		})
	}
	proptest.Together(functions...)
	for n := range taken {
		if k := taken[n].Load(); k != 1 {
			t.Fatalf("job %d was taken %d times", n, k)
		}
	}
	if first, n := q.waiting(); first != producers*each || n != 0 {
		t.Errorf("afterwards the first job is number %d, and %d wait", first, n)
	}
}

// Catches: a final check that does not look into the injector, or not at the
// worker's own broadcasts (BUG-31), or at another's.
func TestHasInjectedJob(t *testing.T) {
	for _, c := range []struct {
		where func(p *Pool) anyQueue
		want  [2]bool // for worker 0 and 1
	}{
		{func(*Pool) anyQueue { return new(queue) }, [2]bool{false, false}},
		{func(p *Pool) anyQueue { return injectorQueue{&p.injector} }, [2]bool{true, true}},
		{func(p *Pool) anyQueue { return &p.workers[1].broadcasts }, [2]bool{false, true}},
	} {
		p := new(Pool)
		for range 2 {
			w := &Worker{pool: p}
			w.deque.init(1)
			w.deque.push(newNumbered(0)) // not an injected one
			p.workers = append(p.workers, w)
		}
		p.all.Store(&p.workers)
		c.where(p).push(newNumbered(1))
		if got := [2]bool{(*finalCheck)(p.workers[0]).HasInjectedJob(), (*finalCheck)(p.workers[1]).HasInjectedJob()}; got != c.want {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
}

// Catches: a search that overlooks a place, or takes from it in the wrong order:
// own deque (newest), own broadcasts, other workers (oldest), injector.
func TestFindWorkOrder(t *testing.T) {
	p := new(Pool)
	for i := range 3 {
		w := &Worker{pool: p, index: i}
		w.rng.init(i)
		w.deque.init(4)
		p.workers = append(p.workers, w)
	}
	p.all.Store(&p.workers)
	w := p.workers[1]
	injectorQueue{&p.injector}.push(newNumbered(6))
	p.workers[0].deque.push(newNumbered(4))
	p.workers[0].deque.push(newNumbered(5))
	p.workers[0].broadcasts.push(newNumbered(99)) // is not stolen
	w.broadcasts.push(newNumbered(2))
	w.broadcasts.push(newNumbered(3))
	w.deque.push(newNumbered(1))
	w.deque.push(newNumbered(0))
	for want := range 7 {
		if got := numberOf(w.findWork()); got != want {
			t.Errorf("found job %d, want %d", got, want)
		}
	}
	if j := w.findWork(); j != nil {
		t.Errorf("found job %d, want none", numberOf(j))
	}
	if w.counts.steals != 2 {
		t.Errorf("%d steals, want 2", w.counts.steals)
	}
}

// Catches: a generator that does not visit every victim, or is the same for two
// workers, so that thieves crowd.
func TestThievesSpread(t *testing.T) {
	var first [3]uint64
	for i := range first {
		var x xorshift
		x.init(i)
		seen := map[uint64]bool{}
		first[i] = x.next()
		for range 100 {
			seen[x.next()%5] = true
		}
		if len(seen) != 5 {
			t.Errorf("worker %d begins at %d of 5 victims", i, len(seen))
		}
	}
	if first[0] == first[1] || first[1] == first[2] {
		t.Errorf("%d", first)
	}
}
