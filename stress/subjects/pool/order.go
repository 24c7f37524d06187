package pool

import (
	"context"
	"fmt"
	"iter"
	gosync "sync"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
)

// orderWorkload: the order in which jobs begin is part of what the pool promises.
var orderWorkload = workload{
	name: "order",
	about: "Jobs in order: one goroutine or job starts numbered jobs, in FIFO scopes, by GoFIFO, in loops over sequences, or from outside. Each worker begins them in that " +
		"order, and overtakes only what other workers have already taken; jobs yield, so that others begin on top of them. A worker alone takes the newest job of a plain scope first.",
	uses:     []string{"jobs", "repeat", "pause"},
	defaults: sizes{jobs: 80, repeat: 4, pause: defaultPause},
	small:    sizes{jobs: 3, repeat: 2},
	spares:   func(sizes) int { return sparesOfOne },
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.inOrder(p, orderedStarts)
		x.finish(p)
	},
}

// sparesOfOne is the number of spares of a worker that waits isolated: one that ends and one that starts.
const sparesOfOne = 2

// An orderedStart starts n jobs, by number.
type orderedStart struct {
	name string
	// newest: a worker alone begins with the last job; several make no promise.
	newest bool
	// isolated: spares may stand in for the worker that waits.
	isolated bool
	start    func(p *pool.Pool, n int, job func(w *pool.Worker, i int)) error
}

// startInside starts the jobs in a job of the pool.
func startInside(start func(w *pool.Worker, n int, job func(w *pool.Worker, i int))) func(*pool.Pool, int, func(*pool.Worker, int)) error {
	return func(p *pool.Pool, n int, job func(w *pool.Worker, i int)) error {
		return p.Run(context.Background(), func(w *pool.Worker) error { start(w, n, job); return nil })
	}
}

// startEach starts the jobs in a scope.
func startEach(s *pool.Scope, w *pool.Worker, n int, job func(w *pool.Worker, i int)) {
	for i := range n {
		s.Go(w, func(w *pool.Worker) { job(w, i) })
	}
}

// numbers returns the numbers 0 to n-1 as a sequence.
func numbers(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

var orderedStarts = []orderedStart{
	{name: "ScopeFIFO", start: startInside(func(w *pool.Worker, n int, job func(w *pool.Worker, i int)) {
		w.ScopeFIFO(func(s *pool.Scope) { startEach(s, w, n, job) })
	})},
	{name: "ScopeFIFO, GoN", start: startInside(func(w *pool.Worker, n int, job func(w *pool.Worker, i int)) {
		w.ScopeFIFO(func(s *pool.Scope) { s.GoN(w, n, job) })
	})},
	{name: "ScopeFIFO, isolated", isolated: true, start: startInside(func(w *pool.Worker, n int, job func(w *pool.Worker, i int)) {
		w.Isolated(func(w *pool.Worker) { w.ScopeFIFO(func(s *pool.Scope) { startEach(s, w, n, job) }) })
	})},
	{name: "InPlaceScopeFIFO", start: func(p *pool.Pool, n int, job func(w *pool.Worker, i int)) error {
		return p.InPlaceScopeFIFO(func(s *pool.Scope) { startEach(s, nil, n, job) })
	}},
	{name: "Worker.GoFIFO", start: startInside(func(w *pool.Worker, n int, job func(w *pool.Worker, i int)) {
		for i := range n {
			w.GoFIFO(func(w *pool.Worker) { job(w, i) })
		}
	})},
	{name: "Pool.Go", start: func(p *pool.Pool, n int, job func(w *pool.Worker, i int)) (err error) {
		for i := range n {
			if err = p.Go(func(w *pool.Worker) { job(w, i) }); err != nil {
				return err
			}
		}
		return nil
	}},
	{name: "Pool.GoN", start: func(p *pool.Pool, n int, job func(w *pool.Worker, i int)) error { return p.GoN(n, job) }},
	{name: "ForEachSeq", start: startInside(func(w *pool.Worker, n int, job func(w *pool.Worker, i int)) {
		pool.ForEachSeq(w, numbers(n), func(w *pool.Worker, i int) { job(w, i) }, pool.MaxLen(1))
	})},
	{name: "Scope", newest: true, start: startInside(func(w *pool.Worker, n int, job func(w *pool.Worker, i int)) {
		w.Scope(func(s *pool.Scope) { startEach(s, w, n, job) })
	})},
	{name: "Worker.Go", newest: true, start: startInside(func(w *pool.Worker, n int, job func(w *pool.Worker, i int)) {
		for i := range n {
			w.Go(func(w *pool.Worker) { job(w, i) })
		}
	})},
	{name: "Worker.GoN", newest: true, start: startInside(func(w *pool.Worker, n int, job func(w *pool.Worker, i int)) {
		w.GoN(n, job)
	})},
}

// inOrder starts jobs in these ways.
func (x *execution) inOrder(p *pool.Pool, ways []orderedStart) {
	r := x.Rand("order")
	others := x.workers - 1 // and the spares so far
	for i := range x.sizes.repeat {
		x.pause(r)
		way := &ways[r.IntN(len(ways))]
		jobs := x.open(fmt.Sprintf("%s %d", way.name, i), x.sizes.jobs)
		if way.isolated {
			others += sparesOfOne
		}
		order := beginnings{x: x, way: way, others: others, began: make([]bool, len(jobs)), last: map[int]int{}}
		var over sync.WaitGroup
		over.Add(len(jobs))
		err := way.start(p, len(jobs), func(w *pool.Worker, i int) {
			order.begin(w, i)
			if i%2 == 0 {
				w.YieldNow()
			} else {
				w.YieldLocal()
			}
			jobs[i].ran()
			over.Done()
		})
		if err != nil {
			x.Fail(verdict.WrongResult, "%s: %v", way.name, err)
			return
		}
		over.Wait()
	}
}

// beginnings is the oracle of an order. Jobs are taken one after the other, and a worker begins the job that
// it has taken before it takes the next: so others may have begun fewer earlier jobs, by one each.
type beginnings struct {
	x      *execution
	way    *orderedStart
	others int // workers besides the one that begins a job

	mu    gosync.Mutex // never held over an operation of package hooks
	began []bool
	last  map[int]int // by worker
}

// begin notes that the worker begins job i.
func (b *beginnings) begin(w *pool.Worker, i int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	number := i
	if b.way.newest {
		if b.x.workers > 1 {
			return
		}
		number = len(b.began) - 1 - i
	}
	if last, ok := b.last[w.Index()]; ok && last >= number {
		b.x.Fail(verdict.WrongResult, "%s: worker %d began job %d of %d after a job that comes later", b.way.name, w.Index(), i, len(b.began))
	}
	b.last[w.Index()] = number
	b.began[number] = true
	overtaken := 0
	for _, began := range b.began[:number] {
		if !began {
			overtaken++
		}
	}
	if overtaken > b.others {
		b.x.Fail(verdict.WrongResult, "%s: job %d of %d began before %d earlier ones, want at most %d: one for each other worker",
			b.way.name, i, len(b.began), overtaken, b.others)
	}
}
