//go:build chaos

package pool

import (
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
)

// What the pool uses again is what a defect spoils for its second use only. These tests look into the pool,
// on the goroutine of the worker, while workloads run under control at their small sizes: in each execution,
// or in most, the same memory has to serve twice.

// inside returns an unexported field of a worker, or of a field of it.
func inside(w *pool.Worker, path ...string) reflect.Value {
	v := reflect.ValueOf(w).Elem()
	for _, name := range path {
		v = v.FieldByName(name)
	}
	return v
}

// nextFrame returns the address of the frame at the place of the worker's next fork, 0 if there is none.
func nextFrame(w *pool.Worker) uintptr {
	frames, place := inside(w, "forks", "frames"), int(inside(w, "forks", "top").Int())
	if place >= frames.Cap() {
		return 0
	}
	return addressOf(frames.Slice(0, frames.Cap()).Index(place))
}

// addressOf returns the address of what an interface holds, 0 if it is nil.
func addressOf(v reflect.Value) uintptr {
	if v.IsNil() {
		return 0
	}
	return v.Elem().Pointer()
}

// reuse counts, in an execution, what was used again.
type reuse struct {
	mu    sync.Mutex       // never held over an operation of package hooks
	seen  map[uintptr]bool // by address, or by another number
	again int
}

// use notes that a thing was used.
func (u *reuse) use(address uintptr) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.seen[address] {
		u.again++
	}
	u.seen[address] = true
}

// usedAgain runs executions of the workload under control, with that run in place of its own, and returns in
// how many of them something was used again.
func usedAgain(t *testing.T, w workload, workers, executions int, run func(x *execution, u *reuse)) (times int) {
	t.Helper()
	var all []*reuse
	w.run = func(x *execution) {
		u := &reuse{seen: map[uintptr]bool{}}
		all = append(all, u)
		run(x, u)
	}
	sc := tiny(w, "portfolio", workers)
	if r := explored(t, &sc, w, executions); r.Verdict != verdict.Pass {
		t.Fatalf("%s: %s: %s", w.name, r.Verdict, r.Summary)
	}
	for _, u := range all {
		if u.again > 0 {
			times++
		}
	}
	return times
}

func TestUsedAgainInOneExecution(t *testing.T) {
	const executions = 60
	for _, c := range []struct {
		what     string
		workload workload
		workers  int
		least    int // of the executions
		run      func(x *execution, u *reuse)
	}{
		{"a frame of Fn.Join", typedWorkload, 1, executions, usesFrames(0)},
		{"a frame of Fn.Join, with thieves", typedWorkload, 2, executions / 2, usesFrames(0)},
		{"a frame of Fn.Join, other joins in between", typedWorkload, 1, executions / 4, usesFrames(1)},
		{"a task of the injector", orderWorkload, 1, executions / 2, usesTasks},
		{"a task of the injector, with thieves", orderWorkload, 2, executions / 3, usesTasks},
		{"a loop", dataWorkload, 1, executions, usesLoops},
		{"a spare worker", blockingWorkload, 1, executions / 2, usesSpares},
		{"a spare worker, of two", blockingWorkload, 2, executions / 2, usesSpares},
		{"the latch that a worker sleeps on", trickleWorkload, 1, executions, usesLatches},
		{"the latch that a worker sleeps on, with others", trickleWorkload, 3, executions / 2, usesLatches},
	} {
		t.Run(c.what, func(t *testing.T) {
			if times := usedAgain(t, c.workload, c.workers, executions, c.run); times < c.least {
				t.Errorf("used again in %d of %d executions of %s, want at least %d", times, executions, c.workload.name, c.least)
			}
		})
	}
}

// usesFrames watches the frames of Fn.Join: times 0 all joins are of that kind, times 1 they are drawn as in
// the workload. A frame that is in its place before and after a join was there before, and that join has used it.
func usesFrames(times uint64) func(x *execution, u *reuse) {
	type fn = pool.Fn[[]entry, int]
	return func(x *execution, u *reuse) {
		p := x.newPool(x.workers)
		x.typed(p, &typedForks{draws: x.Rand("typed").Uint64() * times}, func(fn *fn, w *pool.Worker, a, b []entry) (int, int) {
			before := nextFrame(w)
			n, m := fn.Join(w, a, b)
			if before != 0 && nextFrame(w) == before {
				u.use(before)
				u.use(before)
			}
			return n, m
		})
		x.finish(p)
	}
}

// usesTasks watches the tasks of jobs from outside: those in a worker's list are free.
func usesTasks(x *execution, u *reuse) {
	p := x.newPool(x.workers)
	way := orderedStarts[slices.IndexFunc(orderedStarts, func(s orderedStart) bool { return s.name == "Pool.Go" })]
	start := way.start
	way.start = func(p *pool.Pool, n int, job func(w *pool.Worker, i int)) error {
		return start(p, n, func(w *pool.Worker, i int) {
			free := map[uintptr]bool{}
			for next := inside(w, "tasks"); !next.IsNil(); next = next.Elem().FieldByName("next") {
				free[next.Pointer()] = true
			}
			u.mu.Lock()
			for address := range u.seen {
				if !free[address] { // it was free, and is in use
					u.again++
				}
			}
			for address := range free {
				u.seen[address] = true
			}
			u.mu.Unlock()
			job(w, i)
		})
	}
	x.inOrder(p, []orderedStart{way})
	x.finish(p)
}

// usesLoops watches the loop that a worker keeps for the next one of its kind.
func usesLoops(x *execution, u *reuse) {
	p := x.newPool(x.workers)
	x.data(p, []computation{{"watched", func(w *pool.Worker, s []int, opts ...pool.LoopOption) string {
		kept := func() uintptr { return addressOf(inside(w, "spareLoop")) }
		before, taken := kept(), false
		pool.Reduce(w, s, 0, func(of *pool.Worker, a, b int) int {
			taken = taken || of == w && kept() == 0
			return a + b
		}, opts...)
		if taken && before != 0 && kept() == before {
			u.use(before)
			u.use(before)
		}
		return ""
	}}})
	x.finish(p)
}

// usesSpares counts the goroutines of each spare.
func usesSpares(x *execution, u *reuse) {
	p := x.newPool(x.workers, pool.WithSpares(sparesOfBlockers(x.sizes)), pool.WithStartHandler(func(w *pool.Worker) error {
		if w.Index() >= w.Pool().Workers() {
			u.use(uintptr(w.Index()))
		}
		return nil
	}))
	x.blocking(p, (*pool.Worker).Blocking)
	x.finish(p)
}

// usesLatches counts the sleeps of each worker, which waits for nothing but jobs: on the latch that ends it.
func usesLatches(x *execution, u *reuse) {
	p := x.newPool(x.workers)
	x.trickle(p.Go)
	for i, w := range p.State().Workers {
		for range w.Sleeps {
			u.use(uintptr(i))
		}
	}
	x.finish(p)
}
