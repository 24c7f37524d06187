package pool

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/sleep"
)

// A Pool is a set of workers that share their jobs by stealing. New is the only way to one. All
// methods may be called by any goroutine at any time; those that block are not for jobs of the same
// pool, and say so.
type Pool struct {
	workers      []*Worker
	all          atomic.Pointer[[]*Worker] // workers, and the spares made so far
	spares       spares
	blocked      atomic.Int32 // workers inside Blocking
	injector     injector     // jobs from outside
	gate         *gate        // how many of those there may be; nil: any number
	sleep        sleep.Sleep
	broadcasting sync.Mutex // one broadcast at a time enters the workers' queues
	panicHandler func(*PanicError)
	name         string

	dequeCapacity int
	keeping       keeping
	startHandler  func(w *Worker) error
	exitHandler   func(w *Worker)
	starting      *starting // until New has returned

	refs    atomic.Int64 // see lifecycle.go
	running atomic.Int64 // workers that have not ended
	ended   waiters      // for the last worker to end
}

// New starts a pool of that many workers, each a goroutine; runtime.GOMAXPROCS(0) is the usual
// number. It returns an error if the number, or an option, is out of its range. Close ends the
// pool; otherwise its goroutines stay.
func New(workers int, options ...Option) (*Pool, error) {
	p, err := newPool(workers, options)
	if err != nil {
		return nil, err
	}
	if err := p.start(); err != nil {
		return nil, fmt.Errorf("pool: New(%d): %w", workers, err)
	}
	return p, nil
}

// newPool is New, but for the goroutines.
func newPool(workers int, options []Option) (*Pool, error) {
	c := config{dequeCapacity: defaultDequeCapacity, keeping: keepingAdapts}
	for _, o := range options {
		if o != nil {
			o(&c)
		}
	}
	if n := c.dequeCapacity; n < 1 || n > maxDequeCapacity || n&(n-1) != 0 {
		return nil, fmt.Errorf("pool: WithDequeCapacity(%d): want a power of two from 1 to %d", n, maxDequeCapacity)
	}
	s, spares, err := c.newSleep(workers)
	if err != nil {
		return nil, fmt.Errorf("pool: New(%d): %w", workers, err)
	}
	if c.maxInjected != nil && *c.maxInjected < 1 {
		return nil, fmt.Errorf("pool: WithMaxInjected(%d): want 1 or more", *c.maxInjected)
	}
	p := &Pool{
		workers:      make([]*Worker, workers),
		sleep:        *s,
		panicHandler: c.panicHandler,
		name:         c.name,
	}
	p.refs.Store(oneRef) // its own, which Close gives back
	p.running.Store(int64(workers))
	p.dequeCapacity, p.keeping = c.dequeCapacity, c.keeping
	p.spares.init(spares)
	for i := range p.workers {
		w := p.newWorker(i)
		w.until = new(sleep.OnceLatch)
		p.workers[i] = w
	}
	p.all.Store(&p.workers)
	if c.maxInjected != nil {
		p.gate = &gate{room: *c.maxInjected}
	}
	p.startHandler, p.exitHandler = c.startHandler, c.exitHandler
	return p, nil
}

// newSleep makes the sleep protocol for the workers and their spares: by default as many, up to
// defaultSpares, as the counters can count.
func (c *config) newSleep(workers int) (s *sleep.Sleep, spares int, err error) {
	if s, err = sleep.New(workers, c.sleep...); err != nil {
		return nil, 0, err
	}
	if c.spares != nil {
		if *c.spares < 0 {
			return nil, 0, fmt.Errorf("WithSpares(%d): want 0 or more", *c.spares)
		}
		s, err = sleep.New(workers, append(c.sleep, sleep.WithSpares(*c.spares))...)
		return s, *c.spares, err
	}
	for n := defaultSpares; n > 0; n /= 2 {
		if more, err := sleep.New(workers, append(c.sleep, sleep.WithSpares(n))...); err == nil {
			return more, n, nil
		}
	}
	return s, 0, nil
}

// newWorker makes worker i, without a goroutine.
func (p *Pool) newWorker(i int) *Worker { return p.newWorkerWith(i, p.dequeCapacity) }

// newWorkerWith is newWorker with another first capacity of the deque.
func (p *Pool) newWorkerWith(i, dequeCapacity int) *Worker {
	w := &Worker{pool: p, index: i}
	w.request.Store(met)
	w.rng.init(i)
	w.deque.init(dequeCapacity)
	w.forks.keep(p.keeping.least)
	return w
}

// Name returns the pool's name, "" if it has none.
func (p *Pool) Name() string {
	if p == nil {
		return ""
	}
	return p.name
}

// Workers returns the number of workers, without spares.
func (p *Pool) Workers() int {
	if p == nil {
		return 0
	}
	return len(p.workers)
}

// Go starts f as a job that nothing waits for. It does not block, unless injection is bounded
// (WithMaxInjected): then it waits for room, for as long as it takes. If the pool is closed it
// returns ErrClosed; inside a job, Worker.Go is cheaper and always works. In a job of the same
// pool, outside Blocking, Go panics with a *MisuseError if there is no room; see there for other
// pools' jobs, and for the chaos build.
//
// If f panics, the panic handler is called; without one the process crashes.
func (p *Pool) Go(f func(w *Worker)) error {
	if f != nil && p.isUnbounded() {
		return p.post(injected{f: f})
	}
	return p.GoContext(context.Background(), f)
}

// GoContext is Go, except that it waits for room only until ctx ends, and then returns ctx.Err(),
// without having started f. Once it has returned nil, ctx does not matter any more.
func (p *Pool) GoContext(ctx context.Context, f func(w *Worker)) error {
	if hooks.Enabled {
		p.outsideIfBounded("Pool.Go", "Worker.Go")
	}
	if f == nil {
		return ErrNoFunction
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.isUnbounded() {
		return p.post(injected{f: f})
	}
	j := newGoTask(p, f, false)
	if err := p.enterQueue(ctx, j, "Pool.Go", "Worker.Go"); err != nil {
		return err
	}
	p.inject(j)
	return nil
}

// TryGo is Go, except that it never waits: if injection is bounded and there is no room, it returns
// ErrFull.
func (p *Pool) TryGo(f func(w *Worker)) error {
	if f == nil {
		return ErrNoFunction
	}
	if p.isUnbounded() {
		return p.post(injected{f: f})
	}
	if err := p.enter(); err != nil {
		return err
	}
	if !p.gate.try(1) {
		p.release()
		return ErrFull
	}
	j := newGoTask(p, f, false)
	j.guest = true
	p.inject(j)
	return nil
}

// isUnbounded reports whether New has made p, and let any number of jobs wait in it.
func (p *Pool) isUnbounded() bool {
	return p != nil && p.gate == nil && p.sleep.Strategy != nil
}
