package pool

import (
	gocontext "context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	gosync "sync"
	"sync/atomic" // of the oracle, which no engine is to see

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// panicsWorkload: the waiter, the pool's bookkeeping and the worker's goroutine must not wait for a job
// that does not return.
var panicsWorkload = workload{
	name:     "panics",
	about:    "Jobs that panic or call Goexit, run, joined, in scopes, broadcast, submitted, posted, some of whose waiters give up: each panic arrives once where it is documented to, each Goexit as an error, whatever else was started runs, and the pool keeps working.",
	uses:     []string{"jobs", "injectors", "pause"},
	defaults: sizes{jobs: 20, injectors: 2, pause: defaultPause},
	small:    sizes{jobs: 1, injectors: 1},
	run: func(x *execution) {
		var handled handler
		p := x.newPool(x.workers, pool.WithPanicHandler(handled.panicked))
		x.panics(p, &handled, waysToFail)
		x.close(p) // by then every job has panicked
		handled.judge(x)
	},
}

// A panicToken is the value with which one job panics, and no other.
type panicToken struct{ name string }

func (t *panicToken) String() string { return "of " + t.name }

// A failingJob is a job that does not return.
type failingJob struct {
	// what it panics with; nil: it calls Goexit.
	token *panicToken
	// others are jobs that must run all the same.
	others []entry
	// until, unless nil, waits for a while until its waiter may give up: it then fails at about that time.
	until func(condition func() bool) bool
	// failed is set when it begins to fail.
	failed atomic.Bool
}

// failWith is like fail, for a job whose waiter gives up when the context ends.
func (f *failingJob) failWith(ctx gocontext.Context) {
	if f.until != nil {
		f.until(func() bool { return ctx.Err() != nil })
	}
	f.fail()
}

func (f *failingJob) fail() {
	f.failed.Store(true)
	if f.token != nil {
		panic(f.token)
	}
	runtime.Goexit()
}

// A wayToFail has a job fail, and reports what arrived: the value of the panic, or the
// error.
type wayToFail struct {
	name   string
	others int // jobs that it runs in addition
	// waits inside: another job that calls Goexit may run meanwhile, on top of the one that waits,
	// which then ends as if it had called Goexit itself.
	waits bool
	// givesUp: the waiter may give up, and then the panic handler gets the panic.
	givesUp bool
	fail    func(p *pool.Pool, f *failingJob) (panicked any, err error)
}

// arrived calls f, and reports what it panics with.
func arrived(f func() error) (panicked any, err error) {
	defer func() {
		if v := recover(); v != nil {
			if hooks.Unwinding(v) {
				panic(v)
			}
			panicked = v
		}
	}()
	return nil, f()
}

// runIn runs f in the pool, and reports what arrives outside.
func runIn(p *pool.Pool, f func(w *pool.Worker)) (panicked any, err error) {
	return arrived(func() error {
		return p.Run(gocontext.Background(), func(w *pool.Worker) error { f(w); return nil })
	})
}

// givenUp calls f with a context that another goroutine ends meanwhile.
func givenUp(f func(ctx gocontext.Context) error) (panicked any, err error) {
	ctx, end := context.WithCancel(gocontext.Background())
	return arrived(func() error { return ending(end, func() error { return f(ctx) }) })
}

// waysToFail lists the ways with a waiter. In the others the panic handler gets the panic: see panics.
var waysToFail = []wayToFail{
	{name: "Run", fail: func(p *pool.Pool, f *failingJob) (any, error) {
		return runIn(p, func(*pool.Worker) { f.fail() })
	}},
	{name: "Join, the first half", others: 1, waits: true, fail: func(p *pool.Pool, f *failingJob) (any, error) {
		return runIn(p, func(w *pool.Worker) {
			w.Join(func(*pool.Worker) { f.fail() }, func(*pool.Worker) { f.others[0].ran() })
		})
	}},
	{name: "Join, the second half", others: 1, waits: true, fail: func(p *pool.Pool, f *failingJob) (any, error) {
		return runIn(p, func(w *pool.Worker) {
			w.Join(func(*pool.Worker) { f.others[0].ran() }, func(*pool.Worker) { f.fail() })
		})
	}},
	{name: "Scope", others: 2, waits: true, fail: func(p *pool.Pool, f *failingJob) (any, error) {
		return runIn(p, func(w *pool.Worker) {
			w.Scope(func(s *pool.Scope) {
				s.Go(w, func(*pool.Worker) { f.others[0].ran() })
				s.Go(w, func(*pool.Worker) { f.fail() })
				s.Go(w, func(*pool.Worker) { f.others[1].ran() })
			})
		})
	}},
	{name: "InPlaceScope", others: 1, fail: func(p *pool.Pool, f *failingJob) (any, error) {
		return arrived(func() error {
			return p.InPlaceScope(func(s *pool.Scope) {
				s.Go(nil, func(*pool.Worker) { f.fail() })
				s.Go(nil, func(*pool.Worker) { f.others[0].ran() })
			})
		})
	}},
	{name: "Broadcast", fail: func(p *pool.Pool, f *failingJob) (any, error) {
		return arrived(func() error {
			return p.Broadcast(gocontext.Background(), func(w *pool.Worker) {
				if w.Index() == p.Workers()-1 {
					f.fail()
				}
			})
		})
	}},
	{name: "Submit", fail: func(p *pool.Pool, f *failingJob) (any, error) {
		return arrived(func() error {
			_, err := pool.Submit(gocontext.Background(), p, func(*pool.Worker) (int, error) { f.fail(); return 0, nil }).Wait(gocontext.Background())
			return err
		})
	}},
	{name: "Run, given up", givesUp: true, fail: func(p *pool.Pool, f *failingJob) (any, error) {
		return givenUp(func(ctx gocontext.Context) error {
			return p.Run(ctx, func(*pool.Worker) error { f.failWith(ctx); return nil })
		})
	}},
	{name: "Broadcast, given up", givesUp: true, fail: func(p *pool.Pool, f *failingJob) (any, error) {
		return givenUp(func(ctx gocontext.Context) error {
			return p.Broadcast(ctx, func(w *pool.Worker) {
				if w.Index() == 0 {
					f.failWith(ctx)
				}
			})
		})
	}},
	{name: "For", others: 3, waits: true, fail: func(p *pool.Pool, f *failingJob) (any, error) {
		return runIn(p, func(w *pool.Worker) {
			pool.For(w, len(f.others)+1, func(_ *pool.Worker, i int) {
				if i == len(f.others) {
					f.fail()
				}
				f.others[i].ran()
			}, pool.MaxLen(1))
		})
	}},
}

// failures says how failing jobs fail.
type failures struct{ goexits, panics bool }

// failures draws how jobs fail: in one execution of three they panic, in one they call Goexit, in one they do both.
func (x *execution) failures(name string) failures {
	n := x.Rand(name).IntN(3)
	return failures{goexits: n != 0, panics: n != 1}
}

// drawPanic draws whether the next job that fails panics; if not, it calls Goexit.
func (f failures) drawPanic(r *rand.Rand) bool { return !f.goexits || f.panics && r.IntN(2) == 0 }

// panics has jobs fail in these ways, and posts some that have no waiter.
func (x *execution) panics(p *pool.Pool, handled *handler, ways []wayToFail) {
	fails := x.failures("panics")
	givenUp := slices.DeleteFunc(slices.Clone(ways), func(way wayToFail) bool { return !way.givesUp })
	var outsiders subject.Crew
	for i := range x.sizes.injectors {
		name := fmt.Sprint("outsider ", i)
		outsiders.Start(name, func() {
			r := x.Rand(name)
			for j := range x.sizes.jobs {
				x.pause(r)
				f := &failingJob{}
				if fails.drawPanic(r) {
					f.token = &panicToken{fmt.Sprintf("%s, job %d", name, j)}
				}
				ways := ways
				if len(givenUp) > 0 && r.IntN(2) == 0 { // there the order of the goroutines matters
					ways = givenUp
				}
				if r.IntN(2) == 0 {
					f.until = x.bestEffort
				}
				if n := r.IntN(len(ways) + 1); n < len(ways) {
					x.failing(p, &ways[n], f, handled, fails.goexits)
				} else if handled.expect(f.token); p.Go(func(*pool.Worker) { f.fail() }) != nil {
					x.Fail(verdict.WrongResult, "%s, job %d: Go on an open pool has failed", name, j)
				}
			}
		})
	}
	outsiders.Wait()
	x.working(p)
}

// failing has one job fail, and checks what arrives.
func (x *execution) failing(p *pool.Pool, way *wayToFail, f *failingJob, handled *handler, goexits bool) {
	if way.others > 0 {
		f.others = x.open("with a failing job of "+way.name, way.others)
	}
	panicked, err := way.fail(p, f)
	if caught, ok := panicked.(*pool.PanicError); ok {
		panicked = caught.Value
		if len(caught.Stack) == 0 {
			x.Fail(verdict.WrongResult, "%s: a panic arrived without its stack", way.name)
		}
	}
	ended := panicked == nil && errors.Is(err, pool.ErrGoexit)
	switch {
	case way.givesUp && errors.Is(err, gocontext.Canceled):
		handled.expectOf(f)
	case f.token == nil && !ended:
		x.Fail(verdict.WrongResult, "%s: the job called Goexit; panic %v and error %v arrived, want %v", way.name, panicked, err, pool.ErrGoexit)
	case f.token != nil && panicked != f.token && !(ended && way.waits && goexits):
		x.Fail(verdict.WrongResult, "%s: the job panicked with the token %v; panic %v and error %v arrived", way.name, f.token, panicked, err)
	}
	for i := range f.others {
		if f.others[i].runs.Load() == 0 {
			x.Fail(verdict.LostTask, "%s: its waiter was notified before %s had run", way.name, f.others[i].name)
		}
	}
}

// working checks that every worker of the pool still works.
func (x *execution) working(p *pool.Pool) {
	jobs := x.open("afterwards, on each worker", p.Workers())
	if err := p.Broadcast(gocontext.Background(), func(w *pool.Worker) { jobs[w.Index()].ran() }); err != nil {
		x.Fail(verdict.WrongResult, "Broadcast afterwards: %v", err)
	}
}

// A handler is a panic handler that knows which panics to expect.
type handler struct {
	mu    gosync.Mutex
	times map[any]int
	all   []*panicToken
	left  []*failingJob // whose waiters have given up
}

// expect notes a panic without a waiter; it ignores nil.
func (h *handler) expect(t *panicToken) {
	if t == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, t)
}

// expectOf notes a job whose waiter has given up: if the job panics, its panic has no waiter.
func (h *handler) expectOf(f *failingJob) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = append(h.left, f)
}

// panicked is the pool's panic handler.
func (h *handler) panicked(e *pool.PanicError) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.times == nil {
		h.times = map[any]int{}
	}
	h.times[e.Value]++
}

// judge checks that each panic came once, and no other.
func (h *handler) judge(x *execution) {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.all
	for _, f := range h.left {
		if f.failed.Load() && f.token != nil {
			all = append(all, f.token)
		}
	}
	for _, t := range all {
		if n := h.times[t]; n != 1 {
			x.Fail(verdict.WrongResult, "the panic of %s, which has no waiter, came to the panic handler %d times, want once", t.name, n)
		}
		delete(h.times, t)
	}
	if len(h.times) > 0 {
		x.Fail(verdict.WrongResult, "%d panics with a waiter came to the panic handler", len(h.times))
	}
}
