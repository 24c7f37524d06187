package forkjoin

import (
	gocontext "context"
	"fmt"
	"sync/atomic" // what is only written down is no step of the program

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
)

// background is the context of operations that are never cancelled.
var background = gocontext.Background()

// An Execution is one run of one program in two pools: Run, close the pools, Wrong.
type Execution struct {
	root, meant *Node
	pools       [2]*pool.Pool
	value       int
	ran         []atomic.Int32 // by node
	over        []atomic.Bool  // by node: b of a PanicsInA has ended
	sink        atomic.Int64
	sinks       sync.WaitGroup         // jobs that add to the sink
	faults      atomic.Pointer[string] // the first thing that was wrong
}

// New prepares the program root to be run in these pools, each by its own workers and with runs
// into the other one, and to be compared with the meaning of meant, which is root except in tests of
// the comparison. Either pool needs as many spare workers as there are nodes. Only one Execution of a
// root may run at a time.
func New(root, meant *Node, pools [2]*pool.Pool) *Execution {
	size := root.number(0)
	return &Execution{root: root, meant: meant, pools: pools, ran: make([]atomic.Int32, size), over: make([]atomic.Bool, size)}
}

// Run runs the program, with a broadcast in each pool at the same time, and returns when all of it
// is over. It must be called by a goroutine that is no worker.
func (e *Execution) Run() {
	var broadcasts sync.WaitGroup
	for _, p := range e.pools {
		broadcasts.Add(1)
		go hooks.Task(func() {
			defer broadcasts.Done()
			var reached atomic.Int32
			if err := p.Broadcast(background, func(*pool.Worker) { reached.Add(1) }); err != nil {
				e.wrong("broadcast: %v", err)
			}
			if n := int(reached.Load()); n != p.Workers() {
				e.wrong("a broadcast reached %d workers of %d", n, p.Workers())
			}
		})()
	}
	if err := e.pools[0].Run(background, func(w *pool.Worker) error { e.value = e.eval(w, e.root); return nil }); err != nil {
		e.wrong("%v", err)
	}
	e.wantOver(e.root)
	broadcasts.Wait()
	e.sinks.Wait() // they may still run into the other pool
}

// Wrong describes what was wrong. It returns "" if each node ran once, all waits were as long as they
// should be, and the result is the meaning. The pools must be closed, so that nothing runs any more.
func (e *Execution) Wrong() string {
	for id := range e.ran {
		if n := e.ran[id].Load(); n != 1 {
			e.wrong("node %d ran %d times", id, n)
		}
	}
	wantValue, wantSink := e.meant.Meaning()
	if sink := int(e.sink.Load()); e.value != wantValue || sink != wantSink {
		e.wrong("value %d and sink %d, want %d and %d", e.value, sink, wantValue, wantSink)
	}
	if s := e.faults.Load(); s != nil {
		return *s
	}
	return ""
}

func (e *Execution) wrong(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	e.faults.CompareAndSwap(nil, &s)
}

func (e *Execution) other(w *pool.Worker) *pool.Pool {
	if w.Pool() == e.pools[0] {
		return e.pools[1]
	}
	return e.pools[0]
}

// child returns a job that stores the value of n.
func (e *Execution) child(n *Node, value *int) func(w *pool.Worker) {
	return func(w *pool.Worker) { *value = e.eval(w, n) }
}

// eval runs a node on w.
func (e *Execution) eval(w *pool.Worker, n *Node) int {
	e.ran[n.id].Add(1)
	values := make([]int, len(n.Children))
	sum := func() (sum int) {
		for _, v := range values {
			sum += v
		}
		return 13*sum + int(n.Kind)
	}
	panics := func(*pool.Worker) { panic(n) }
	child := func(i int) func(w *pool.Worker) { return e.child(n.Children[i], &values[i]) }
	toSink := func(w *pool.Worker) {
		defer e.sinks.Done()
		defer e.over[n.id].Store(true)
		e.sink.Add(17 * int64(e.eval(w, n.Children[0])))
	}

	switch n.Kind {
	case Compute:
		for range n.Value % 3 {
			hooks.Gosched()
		}
		return n.Value
	case Join:
		w.Join(child(0), child(1))
		e.wantOver(n)
		return 31*values[0] + 7*values[1] + 1
	case Inside:
		w.Scope(func(s *pool.Scope) {
			s.Go(w, func(w *pool.Worker) {
				s.Go(w, child(1))
				child(0)(w)
			})
		})
		return values[0] - 2*values[1]
	case Scope:
		w.Scope(func(s *pool.Scope) {
			for i := range n.Children {
				if i%3 == 2 {
					s.Go(nil, child(i)) // through the injector
				} else {
					s.Go(w, child(i))
				}
			}
		})
	case Goes:
		e.sinks.Add(1)
		w.Go(toSink)
		return 3
	case Nested:
		if err := w.Run(e.other(w), func(w *pool.Worker) error { child(0)(w); return nil }); err != nil {
			e.wrong("%v: %v", n, err)
		}
	case Typed:
		values[0], values[1] = pool.Join(w, e.eval, n.Children[0], n.Children[1])
	case Loops:
		copy(values, pool.Map(w, n.Children, e.eval, pool.MaxLen(1)))
	case FIFO:
		w.ScopeFIFO(func(s *pool.Scope) {
			s.GoN(w, len(n.Children), func(w *pool.Worker, i int) { child(i)(w) })
		})
	case InPlace:
		if err := w.InPlaceScope(e.other(w), func(s *pool.Scope) {
			for i := range n.Children {
				s.Go(w, child(i))
			}
		}); err != nil {
			e.wrong("%v: %v", n, err)
		}
	case Spawned, Submitted:
		e.await(w, n, &values[0])
	case Yields:
		w.YieldNow()
		child(0)(w)
		w.YieldLocal()
	case Blocks:
		e.block(w, n, child(0))
	case Isolates:
		w.Isolated(child(0))
	case Cancels:
		e.cancel(w, n)
		child(0)(w)
	case Broadcasts:
		child(0)(w)
		e.broadcast(w, n)
	case PanicsInA:
		e.sinks.Add(1) // the job below this one may run b, after its own function
		e.catch(n, func() { w.Join(panics, toSink) })
		return 3
	case PanicsInB:
		e.catch(n, func() { w.Join(child(0), panics) })
	case PanicsInBody, PanicsInJob:
		e.catch(n, func() {
			w.Scope(func(s *pool.Scope) {
				for i := range n.Children {
					s.Go(w, child(i))
				}
				if n.Kind == PanicsInBody {
					panics(w)
				}
				s.Go(w, panics)
			})
		})
	}
	return sum()
}

// block blocks until another worker has run the child.
func (e *Execution) block(w *pool.Worker, n *Node, child func(w *pool.Worker)) {
	future := pool.Spawn(w, func(w *pool.Worker) (int, error) { child(w); return 0, nil })
	done := future.Done()
	w.Blocking(func() { channel.Receive(done) })
	if _, err := future.Await(w); err != nil {
		e.wrong("%v: %v", n, err)
	}
}

// await gets the value of n's child by a future.
func (e *Execution) await(w *pool.Worker, n *Node, value *int) {
	f := func(w *pool.Worker) (int, error) { return e.eval(w, n.Children[0]), nil }
	var future *pool.Future[int]
	if n.Kind == Spawned {
		future = pool.Spawn(w, f)
	} else {
		future = pool.Submit(background, e.other(w), f)
	}
	v, err := future.Await(w)
	if err != nil {
		e.wrong("%v: %v", n, err)
	}
	*value = v
}

// cancel runs a scope whose context one of its jobs ends. The scope must return an
// error exactly if it has dropped other jobs.
func (e *Execution) cancel(w *pool.Worker, n *Node) {
	ctx, cancel := context.WithCancel(background)
	const jobs = 4
	var began atomic.Int32
	err := w.ScopeContext(ctx, func(s *pool.Scope) {
		for range jobs {
			s.Go(w, func(*pool.Worker) {
				if began.Add(1) == 2 {
					cancel()
				}
			})
		}
	})
	cancel()
	if b := began.Load(); b < 2 || b > jobs || (err != nil) != (b < jobs) {
		e.wrong("%v: %d of %d jobs began, %v", n, b, jobs, err)
	}
}

// broadcast reaches every worker of both pools.
func (e *Execution) broadcast(w *pool.Worker, n *Node) {
	for _, p := range e.pools {
		var reached atomic.Int32
		if err := w.Broadcast(p, func(*pool.Worker) { reached.Add(1) }); err != nil || int(reached.Load()) != p.Workers() {
			e.wrong("%v: a broadcast reached %d of %d workers, %v", n, reached.Load(), p.Workers(), err)
		}
	}
}

// wantOver is called when n, or a node around it, has ended: all jobs that n has
// forked must be over then, including those that a recovered panic left behind. Only
// jobs that nothing waits for may continue, with all below them.
func (e *Execution) wantOver(n *Node) {
	if n.Kind == Goes {
		return
	}
	if n.Kind == PanicsInA && !e.over[n.id].Load() {
		e.wrong("%v: its b was not over in time", n)
	}
	for _, c := range n.Children {
		e.wantOver(c)
	}
}

// catch is a boundary: it recovers the panic of n and no other.
func (e *Execution) catch(n *Node, f func()) {
	defer func() {
		v := recover()
		if hooks.Unwinding(v) {
			panic(v)
		}
		if p, ok := v.(*pool.PanicError); ok {
			v = p.Value
		}
		if v != n {
			e.wrong("%v: panicked with %v", n, v)
		}
	}()
	f()
}
