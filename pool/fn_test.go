package pool_test

import (
	"testing"

	"github.com/rouse-go/rouse/pool"
)

var fibFn = pool.NewFn(func(fib *pool.Fn[int, int], w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	x, y := fib.Join(w, n-1, n-2)
	return x + y
})

func fibFunc(w *pool.Worker, n int) int {
	if n < 2 {
		return n
	}
	x, y := pool.Join(w, fibFunc, n-1, n-2)
	return x + y
}

func TestTypedJoins(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		run(t, p, func(w *pool.Worker) {
			if got := fibFn.Call(w, 15); got != 610 {
				t.Errorf("Fn: fib(15) = %d", got)
			}
			if got := fibFunc(w, 15); got != 610 {
				t.Errorf("Join: fib(15) = %d", got)
			}
		})
	})
}

// The second call has been stolen: its result comes from another worker.
func TestTypedJoinsStolen(t *testing.T) {
	p := newPool(t, 2)
	first := make(chan int, 1)
	meet := func(w *pool.Worker, n int) int {
		if n == 1 {
			return 10 * <-first
		}
		first <- 7
		return n
	}
	fn := pool.NewFn(func(_ *pool.Fn[int, int], w *pool.Worker, n int) int { return meet(w, n) })
	run(t, p, func(w *pool.Worker) {
		// The first call waits for the second, which only a test may rely on.
		if a, b := pool.Join(w, meet, 1, 2); a != 70 || b != 2 {
			t.Errorf("Join = %d, %d", a, b)
		}
		if a, b := fn.Join(w, 1, 2); a != 70 || b != 2 {
			t.Errorf("Fn.Join = %d, %d", a, b)
		}
	})
}

func TestTypedJoinsPanic(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		run(t, p, func(w *pool.Worker) {
			broken := func(w *pool.Worker, n int) int {
				if n == 2 {
					panic("broken")
				}
				return n
			}
			for _, v := range []any{
				panicOf(func() { pool.Join(w, broken, 2, 1) }),
				panicOf(func() {
					pool.NewFn(func(_ *pool.Fn[int, int], w *pool.Worker, n int) int { return broken(w, n) }).Join(w, 2, 1)
				}),
			} {
				if v != "broken" {
					t.Errorf("panicked with %v", v)
				}
			}
		})
		for name, v := range map[string]any{
			"NewFn": panicOf(func() { pool.NewFn[int, int](nil) }),
			"Join":  panicOf(func() { run(t, p, func(w *pool.Worker) { pool.Join[int, int](w, nil, 1, 2) }) }),
		} {
			e, ok := v.(*pool.PanicError)
			if v != pool.ErrNoFunction && (!ok || e.Value != pool.ErrNoFunction) {
				t.Errorf("%s of nil panicked with %v", name, v)
			}
		}
	})
}

func TestJoinContextMigrated(t *testing.T) {
	p := newPool(t, 2)
	run(t, p, func(w *pool.Worker) {
		w.JoinContext(
			func(_ *pool.Worker, migrated bool) {
				if migrated {
					t.Error("a has migrated")
				}
			},
			func(other *pool.Worker, migrated bool) {
				if migrated != (other != w) {
					t.Errorf("migrated = %v on worker %d, forked by %d", migrated, other.Index(), w.Index())
				}
			},
		)
		begun := make(chan struct{})
		w.JoinContext( // a waits for b: b has been stolen
			func(*pool.Worker, bool) { <-begun },
			func(_ *pool.Worker, migrated bool) {
				close(begun)
				if !migrated {
					t.Error("b was stolen, and has not migrated")
				}
			},
		)
	})
	one := newPool(t, 1)
	run(t, one, func(w *pool.Worker) {
		w.JoinContext(func(*pool.Worker, bool) {}, func(_ *pool.Worker, migrated bool) {
			if migrated {
				t.Error("b has migrated in a pool of one")
			}
		})
	})
}
