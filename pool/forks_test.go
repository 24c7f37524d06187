package pool

import (
	"context"
	"fmt"
	"testing"
)

// sum is 1 to n, by forks of one kind.
var sum = NewFn(func(sum *Fn[int, int], w *Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := sum.Join(w, n/2, n-n/2)
	return a + b
})

// count is the same without a Fn.
func count(w *Worker, n int) int {
	if n < 2 {
		return n
	}
	a, b := Join(w, count, n/2, n-n/2)
	return a + b
}

// mixed is the same by forks of four kinds, which take turns at every depth.
func mixed(w *Worker, n int) (total int) {
	if n < 2 {
		return n
	}
	var a, b int
	switch n % 4 {
	case 0:
		a, b = Join(w, mixed, n/2, n-n/2)
	case 1:
		a, b = sum.Join(w, n/2, n-n/2)
	case 2:
		w.Join(func(w *Worker) { a = mixed(w, n/2) }, func(w *Worker) { b = mixed(w, n-n/2) })
	default:
		parts := [2]int{}
		For(w, 2, func(w *Worker, i int) { parts[i] = mixed(w, []int{n / 2, n - n/2}[i]) })
		a, b = parts[0], parts[1]
	}
	return a + b
}

// Catches: forks that allocate although they are not stolen: their frames are to be used again.
func TestTypedForksAllocateNothing(t *testing.T) {
	for name, f := range map[string]func(w *Worker, n int) int{"Fn": sum.Call, "Join": count} {
		p, err := New(1)
		if err != nil {
			t.Fatal(err)
		}
		err = p.Run(t.Context(), func(w *Worker) error {
			if allocs := testing.AllocsPerRun(100, func() { f(w, 10_000) }); allocs > 0 {
				t.Errorf("%s: %v allocations for 10,000 forks", name, allocs)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if err := p.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// Catches: a frame that is taken for one of another kind, or is in use twice; spare frames without
// end.
func TestForksOfManyKinds(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		p, err := New(workers)
		if err != nil {
			t.Fatal(err)
		}
		err = p.Run(t.Context(), func(w *Worker) error {
			for n := range 1000 {
				if got := mixed(w, n); got != n {
					t.Errorf("%d workers: got %d, want %d", workers, got, n)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if err := p.Close(context.Background()); err != nil {
			t.Error(err)
		}
		for _, w := range p.workers {
			if n := len(w.forks.spares); n > mostSpares {
				t.Errorf("worker %d has %d spare frames", w.index, n)
			}
			if n := w.forks.top; n != 0 {
				t.Errorf("worker %d has ended with %d open forks", w.index, n)
			}
		}
	}
}

// Catches: frames that keep what a second half was called with, or has returned, when it is over:
// they stay with the worker.
func TestFramesForget(t *testing.T) {
	grow := NewFn(func(grow *Fn[*int, *int], w *Worker, n *int) *int {
		if *n == 0 {
			return n
		}
		less := *n - 1
		a, b := grow.Join(w, &less, &less)
		more := *a + *b + 1
		return &more
	})
	var free func(w *Worker, n *int) *int
	free = func(w *Worker, n *int) *int {
		if *n == 0 {
			return n
		}
		less := *n - 1
		a, b := Join(w, free, &less, &less)
		more := *a + *b + 1
		w.Join(func(*Worker) {}, func(*Worker) { more++ })
		w.JoinContext(func(*Worker, bool) {}, func(*Worker, bool) { more-- })
		return &more
	}
	for workers := 1; workers <= 3; workers++ {
		p, err := New(workers)
		if err != nil {
			t.Fatal(err)
		}
		err = p.Run(t.Context(), func(w *Worker) error {
			n := 12
			for _, f := range []func(w *Worker, n *int) *int{grow.Call, free} {
				if got := *f(w, &n); got != 1<<n-1 {
					t.Errorf("%d forks, want %d", got, 1<<n-1)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if err := p.Close(context.Background()); err != nil {
			t.Error(err)
		}
		kept := 0
		for _, w := range p.workers {
			frames := append(w.forks.frames[:cap(w.forks.frames)], w.forks.spares...)
			for i := range w.deque.array.Load().slots {
				if j := w.deque.array.Load().slots[i].Load(); j != nil {
					if f, ok := j.task.(frame); ok {
						frames = append(frames, f)
					}
				}
			}
			for _, f := range frames {
				holds := false
				switch f := f.(type) {
				case nil:
					continue
				case *fnJoin[*int, *int]:
					holds = f.a != nil || f.r != nil
				case *funcJoin[*int, *int]:
					holds = f.f != nil || f.a != nil || f.r != nil
				case *closureJoin:
					holds = f.f != nil
				case *contextJoin:
					holds = f.f != nil
				default:
					t.Errorf("a frame is a %T: this test must be brought up to date", f)
				}
				kept++
				if holds {
					t.Errorf("%d workers: a frame of worker %d holds %s", workers, w.index, fmt.Sprintf("%+v", f))
				}
			}
		}
		if kept < 12 {
			t.Errorf("%d workers: %d frames", workers, kept)
		}
	}
}
