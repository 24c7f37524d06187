package pool_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Catches: a worker that blocks hard while it runs in another pool (BUG-12): A
// waits for B, whose job waits for A. mutual_install of rayon.
func TestPoolARunsIntoBWhichRunsIntoA(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		a, b := newPool(t, workers), newPool(t, workers)
		ran := 0
		var bounce func(w *pool.Worker, left int) error
		bounce = func(w *pool.Worker, left int) error {
			ran++
			if left == 0 {
				return errTest
			}
			other := a
			if w.Pool() == a {
				other = b
			}
			return w.Run(other, func(w *pool.Worker) error { return bounce(w, left-1) })
		}
		if err := a.Run(background, func(w *pool.Worker) error { return bounce(w, 30) }); err != errTest {
			t.Error(err)
		}
		if ran != 31 {
			t.Errorf("%d workers: ran %d times, want 31", workers, ran)
		}
	}
}

// asleep waits until all workers of p sleep.
func asleep(p *pool.Pool) {
	quiet(p) // to count as sleeping is not enough: the final check may turn a worker back
}

// Catches: a cross latch that wakes a worker of the wrong pool, or none: the
// waiting pool is asleep when its run is done. mutual_install_sleepy of rayon.
func TestPoolARunsIntoBWhichRunsIntoAWhileBothSleep(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		a, b := newPool(t, workers), newPool(t, workers)
		for range 20 {
			err := a.Run(background, func(w *pool.Worker) error {
				return w.Run(b, func(w *pool.Worker) error {
					asleep(a) // all of a, the worker that waits for us included
					return w.Run(a, func(w *pool.Worker) error {
						for b.Counters().Sleeping < b.Workers() { // all of b
							runtime.Gosched()
						}
						return errTest
					})
				})
			})
			if err != errTest {
				t.Error(err)
			}
		}
	}
}

// Catches: two pools of one worker each that run into each other from both sides
// at once, and of which one does not work while it waits.
func TestPoolsRunIntoEachOtherFromBothSides(t *testing.T) {
	a, b := newPool(t, 1), newPool(t, 1)
	var ran atomic.Int32
	done := make(chan error)
	for _, pools := range [][2]*pool.Pool{{a, b}, {b, a}} {
		go func() {
			for range 200 {
				err := pools[0].Run(background, func(w *pool.Worker) error {
					return w.Run(pools[1], func(*pool.Worker) error { ran.Add(1); return nil })
				})
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if ran.Load() != 400 {
		t.Errorf("ran %d times, want 400", ran.Load())
	}
}

// Catches: panic, Goexit or error of a run in another pool that is lost, or that
// costs either pool a worker or a reference.
func TestRunInAnotherPoolEnds(t *testing.T) {
	other := newPool(t, 1)
	each(t, func(t *testing.T, p *pool.Pool) {
		across := func(f func(w *pool.Worker) error) error {
			return p.Run(background, func(w *pool.Worker) error { return w.Run(other, f) })
		}
		wantPanic(t, panicOf(func() { _ = across(func(*pool.Worker) error { explode(); return nil }) }), errTest)
		// The goroutine that exited is the other pool's: here it is an error.
		if err := across(func(*pool.Worker) error { runtime.Goexit(); return nil }); err != pool.ErrGoexit {
			t.Error(err)
		}
		if err := across(func(*pool.Worker) error { return errTest }); err != errTest {
			t.Error(err)
		}
		if err := across(nil); err != pool.ErrNoFunction {
			t.Error(err)
		}
		works(t, p)
		works(t, other)
		if a, b := quiet(p).References, quiet(other).References; a != 1 || b != 1 {
			t.Errorf("%d and %d references, want each pool's own", a, b)
		}
	})
}

// Catches: a run into the own pool that takes the way through the injector, and a
// closed pool that takes a job from another.
func TestRunInOwnAndInClosedPool(t *testing.T) {
	closed, err := pool.New(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(background); err != nil {
		t.Fatal(err)
	}
	p := newPool(t, 1)
	err = p.Run(background, func(w *pool.Worker) error {
		if err := w.Run(closed, func(*pool.Worker) error { t.Error("it ran"); return nil }); err != pool.ErrClosed {
			t.Error(err)
		}
		if err := w.Run(nil, func(*pool.Worker) error { t.Error("it ran"); return nil }); err != pool.ErrNoPool {
			t.Error(err)
		}
		return w.Run(p, func(own *pool.Worker) error {
			if own != w {
				t.Error("another handle")
			}
			return errTest
		})
	})
	if err != errTest {
		t.Error(err)
	}
}
