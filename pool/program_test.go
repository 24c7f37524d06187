package pool_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/leanovate/gopter"
	"github.com/rouse-go/rouse/pool"
)

// A kind of node of a random fork-join program.
type kind int

const (
	compute      kind = iota // a number, after a few yields
	join                     // both sides
	scope                    // a body and jobs
	goes                     // a job that nobody waits for: its value goes to the sink
	nested                   // a run in the other pool
	panicsInA                // a join whose a panics: b is the child, its value goes to the sink
	panicsInB                // a join whose b panics: a is the child
	panicsInBody             // a scope whose body panics: the jobs are the children
	panicsInJob              // a scope of which one job panics
	inside                   // a job of a scope starts another of the same scope
	typed                    // both sides of a typed join
	loops                    // a Map over the children
	fifo                     // a batch in a FIFO scope
	inPlace                  // a scope whose jobs run in the other pool
	spawned                  // a future of its own pool
	submitted                // a future of the other pool
	yields                   // runs whatever there is before and after
	blocks                   // blocks until another job has run the child
	isolates                 // waits isolated
	cancels                  // beside the child, a scope whose context ends
	broadcasts               // beside the child, a broadcast
	kinds
)

func (k kind) String() string {
	return [...]string{"compute", "join", "scope", "go", "nested", "panic-a", "panic-b", "panic-body", "panic-job", "inside",
		"typed", "loop", "fifo", "in-place", "spawn", "submit", "yield", "block", "isolated", "cancel", "broadcast"}[k]
}

// A node of a program. Values are immutable; ids are given by number.
type node struct {
	kind     kind
	value    int // of compute; the yields are value%3
	children []*node
	id       int
}

func (n *node) String() string {
	if n.kind == compute {
		return fmt.Sprint(n.value)
	}
	var children []string
	for _, c := range n.children {
		children = append(children, c.String())
	}
	return fmt.Sprintf("%v(%s)", n.kind, strings.Join(children, " "))
}

// grow makes a random tree of at most that many nodes. It holds either jobs that
// broadcast or waits for which a worker goes without its share until they are over:
// the one may wait for the other.
func grow(r *rand.Rand, size int) *node {
	without := []kind{broadcasts}
	if r.IntN(2) == 0 {
		without = []kind{blocks, isolates}
	}
	return growWithout(r, size, without)
}

func growWithout(r *rand.Rand, size int, without []kind) *node {
	if size <= 1 {
		return &node{kind: compute, value: r.IntN(100)}
	}
	n := new(node)
	for n.kind == compute || slices.Contains(without, n.kind) {
		n.kind = kind(r.IntN(int(kinds)))
	}
	children := 1
	switch n.kind {
	case join, inside, typed:
		children = 2
	case scope, panicsInBody, panicsInJob, loops, fifo, inPlace:
		children = 1 + r.IntN(4)
	}
	for range children {
		n.children = append(n.children, growWithout(r, (size-1)/children, without))
	}
	return n
}

// smaller lists programs that are a little smaller: a child in its parent's place,
// a number in a subtree's place.
func (n *node) smaller() []*node {
	if n.kind == compute {
		return nil
	}
	list := slices.Clone(n.children)
	for i, c := range n.children {
		for _, s := range append(c.smaller(), &node{kind: compute, value: 1}) {
			if c.kind == compute && s.kind == compute {
				continue
			}
			copied := *n
			copied.children = slices.Clone(n.children)
			copied.children[i] = s
			list = append(list, &copied)
		}
	}
	return list
}

// genProgram generates trees that grow with gopter's size, and shrinks them.
func genProgram() gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		r := rand.New(rand.NewPCG(p.NextUint64(), 0))
		return gopter.NewGenResult(grow(r, 1+r.IntN(p.MaxSize+1)), func(v any) gopter.Shrink {
			list := v.(*node).smaller()
			return func() (any, bool) {
				if len(list) == 0 {
					return nil, false
				}
				next := list[0]
				list = list[1:]
				return next, true
			}
		})
	}
}

// number numbers the nodes from next on and returns the next number.
func (n *node) number(next int) int {
	n.id = next
	next++
	for _, c := range n.children {
		next = c.number(next)
	}
	return next
}

// meaning is what the program means, computed without any pool: its value, and
// what it adds to the sink.
func (n *node) meaning() (value, sink int) {
	if n.kind == compute {
		return n.value, 0
	}
	var values []int
	sum := 0
	for _, c := range n.children {
		v, s := c.meaning()
		values = append(values, v)
		sum += v
		sink += s
	}
	switch n.kind {
	case join:
		return 31*values[0] + 7*values[1] + 1, sink
	case goes, panicsInA:
		return 3, sink + 17*sum
	case inside:
		return values[0] - 2*values[1], sink
	}
	return 13*sum + int(n.kind), sink
}

// An execution of one program in two pools.
type execution struct {
	pools  [2]*pool.Pool
	ran    []atomic.Int32 // by node
	over   []atomic.Bool  // by node: b of a panicsInA has ended
	sink   atomic.Int64
	sinks  sync.WaitGroup         // jobs that add to the sink
	faults atomic.Pointer[string] // the first thing that was wrong
}

func (e *execution) wrong(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	e.faults.CompareAndSwap(nil, &s)
}

func (e *execution) other(w *pool.Worker) *pool.Pool {
	if w.Pool() == e.pools[0] {
		return e.pools[1]
	}
	return e.pools[0]
}

// child returns a job that stores the value of n.
func (e *execution) child(n *node, value *int) func(w *pool.Worker) {
	return func(w *pool.Worker) { *value = e.eval(w, n) }
}

// eval runs a node on w.
func (e *execution) eval(w *pool.Worker, n *node) int {
	e.ran[n.id].Add(1)
	values := make([]int, len(n.children))
	sum := func() (sum int) {
		for _, v := range values {
			sum += v
		}
		return 13*sum + int(n.kind)
	}
	panics := func(*pool.Worker) { panic(n) }
	child := func(i int) func(w *pool.Worker) { return e.child(n.children[i], &values[i]) }
	toSink := func(w *pool.Worker) {
		defer e.sinks.Done()
		defer e.over[n.id].Store(true)
		e.sink.Add(17 * int64(e.eval(w, n.children[0])))
	}

	switch n.kind {
	case compute:
		for range n.value % 3 {
			runtime.Gosched()
		}
		return n.value
	case join:
		w.Join(child(0), child(1))
		e.wantOver(n)
		return 31*values[0] + 7*values[1] + 1
	case inside:
		w.Scope(func(s *pool.Scope) {
			s.Go(w, func(w *pool.Worker) {
				s.Go(w, child(1))
				child(0)(w)
			})
		})
		return values[0] - 2*values[1]
	case scope:
		w.Scope(func(s *pool.Scope) {
			for i := range n.children {
				if i%3 == 2 {
					s.Go(nil, child(i)) // through the injector
				} else {
					s.Go(w, child(i))
				}
			}
		})
	case goes:
		e.sinks.Add(1)
		w.Go(toSink)
		return 3
	case nested:
		if err := w.Run(e.other(w), func(w *pool.Worker) error { child(0)(w); return nil }); err != nil {
			e.wrong("%v: %v", n, err)
		}
	case typed:
		values[0], values[1] = pool.Join(w, e.eval, n.children[0], n.children[1])
	case loops:
		copy(values, pool.Map(w, n.children, e.eval, pool.MaxLen(1)))
	case fifo:
		w.ScopeFIFO(func(s *pool.Scope) {
			s.GoN(w, len(n.children), func(w *pool.Worker, i int) { child(i)(w) })
		})
	case inPlace:
		if err := w.InPlaceScope(e.other(w), func(s *pool.Scope) {
			for i := range n.children {
				s.Go(w, child(i))
			}
		}); err != nil {
			e.wrong("%v: %v", n, err)
		}
	case spawned, submitted:
		e.await(w, n, &values[0])
	case yields:
		w.YieldNow()
		child(0)(w)
		w.YieldLocal()
	case blocks:
		done := pool.Spawn(w, func(w *pool.Worker) (int, error) { child(0)(w); return 0, nil }).Done()
		w.Blocking(func() { <-done })
	case isolates:
		w.Isolated(child(0))
	case cancels:
		e.cancel(w, n)
		child(0)(w)
	case broadcasts:
		child(0)(w)
		e.broadcast(w, n)
	case panicsInA:
		e.sinks.Add(1) // the job below this one may run b, after its own function
		e.catch(n, func() { w.Join(panics, toSink) })
		return 3
	case panicsInB:
		e.catch(n, func() { w.Join(child(0), panics) })
	case panicsInBody, panicsInJob:
		e.catch(n, func() {
			w.Scope(func(s *pool.Scope) {
				for i := range n.children {
					s.Go(w, child(i))
				}
				if n.kind == panicsInBody {
					panics(w)
				}
				s.Go(w, panics)
			})
		})
	}
	return sum()
}

// await gets the value of n's child by a future.
func (e *execution) await(w *pool.Worker, n *node, value *int) {
	f := func(w *pool.Worker) (int, error) { return e.eval(w, n.children[0]), nil }
	var future *pool.Future[int]
	if n.kind == spawned {
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

// cancel runs a scope whose context one of its jobs ends: it must say so exactly
// if it has dropped others.
func (e *execution) cancel(w *pool.Worker, n *node) {
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
func (e *execution) broadcast(w *pool.Worker, n *node) {
	for _, p := range e.pools {
		var reached atomic.Int32
		if err := w.Broadcast(p, func(*pool.Worker) { reached.Add(1) }); err != nil || int(reached.Load()) != p.Workers() {
			e.wrong("%v: a broadcast reached %d of %d workers, %v", n, reached.Load(), p.Workers(), err)
		}
	}
}

// wantOver is called when what was around n has ended, or n itself: all that n has
// forked must be over then, also what a recovered panic left behind. Only jobs
// that nobody waits for may go on, with all below them.
func (e *execution) wantOver(n *node) {
	if n.kind == goes {
		return
	}
	if n.kind == panicsInA && !e.over[n.id].Load() {
		e.wrong("%v: its b was not over in time", n)
	}
	for _, c := range n.children {
		e.wantOver(c)
	}
}

// catch is a boundary: it recovers the panic of n and no other.
func (e *execution) catch(n *node, f func()) {
	defer func() {
		v := recover()
		if p, ok := v.(*pool.PanicError); ok {
			v = p.Value
		}
		if v != n {
			e.wrong("%v: panicked with %v", n, v)
		}
	}()
	f()
}

// execute runs the program in new pools of that many workers, with a broadcast
// beside it, and returns what was wrong with it; "" if all was right, and it came
// to what is meant.
func execute(root, meant *node, workers [2]int, options ...pool.Option) string {
	size := root.number(0)
	e := &execution{ran: make([]atomic.Int32, size), over: make([]atomic.Bool, size)}
	for i := range e.pools {
		p, err := pool.New(workers[i], options...)
		if err != nil {
			return err.Error()
		}
		e.pools[i] = p
	}
	broadcasts := make(chan int)
	for _, p := range e.pools {
		go func() {
			var reached atomic.Int32
			if err := p.Broadcast(background, func(*pool.Worker) { reached.Add(1) }); err != nil {
				e.wrong("broadcast: %v", err)
			}
			broadcasts <- int(reached.Load()) - p.Workers()
		}()
	}
	value := 0
	if err := e.pools[0].Run(background, func(w *pool.Worker) error { value = e.eval(w, root); return nil }); err != nil {
		e.wrong("%v", err)
	}
	e.wantOver(root)
	for range e.pools {
		if missed := <-broadcasts; missed != 0 {
			e.wrong("a broadcast reached %+d workers more than there are", missed)
		}
	}
	e.sinks.Wait() // they may still run into the other pool
	for _, p := range e.pools {
		if err := p.Close(background); err != nil {
			e.wrong("%v", err)
		}
	}

	for id := range e.ran {
		if n := e.ran[id].Load(); n != 1 {
			e.wrong("node %d ran %d times", id, n)
		}
	}
	wantValue, wantSink := meant.meaning()
	if sink := int(e.sink.Load()); value != wantValue || sink != wantSink {
		e.wrong("value %d and sink %d, want %d and %d", value, sink, wantValue, wantSink)
	}
	if s := e.faults.Load(); s != nil {
		return *s
	}
	return ""
}
