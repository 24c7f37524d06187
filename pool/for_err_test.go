package pool_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// Catches: a loop that ends early, or fails, although no call has failed; results out of order.
func TestErrLoopsWithoutErrors(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		run(t, p, func(w *pool.Worker) {
			for _, n := range []int{0, 1, 7, 1000} {
				done := make([]int, n) // plain: the race detector sees an early return
				if err := pool.ForErr(w, n, func(_ *pool.Worker, i int) error { done[i]++; return nil }); err != nil {
					t.Error(err)
				}
				if i := slices.IndexFunc(done, func(times int) bool { return times != 1 }); i >= 0 {
					t.Errorf("%d of %d was done %d times", i, n, done[i])
				}
				got, err := pool.MapErr(w, numbers(n), func(_ *pool.Worker, i int) (string, error) { return strconv.Itoa(i), nil })
				if err != nil || len(got) != n {
					t.Errorf("%d results: %v", len(got), err)
				}
				for i, s := range got {
					if s != strconv.Itoa(i) {
						t.Errorf("result %d is %s", i, s)
					}
				}
			}
		})
	})
}

// Catches: an error that is lost; another than that of the lowest index; calls that begin after one
// has failed; a leaf that continues.
func TestErrLoopsReturnTheError(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		run(t, p, func(w *pool.Worker) {
			for _, opts := range [][]pool.LoopOption{nil, {pool.MaxLen(1)}, {pool.MinLen(1000)}} {
				var calls, behind atomic.Int64
				failed := make(chan struct{})
				err := pool.ForErr(w, 1000, func(_ *pool.Worker, i int) error {
					calls.Add(1)
					if i == 3 {
						close(failed)
						return errTest
					}
					select {
					case <-failed:
						behind.Add(1)
					default:
					}
					return nil
				}, opts...)
				if n := behind.Load(); err != errTest || n > 0 && p.Workers() == 1 { // others may have looked before it was noted
					t.Errorf("%v; %d of %d calls began behind the error", err, n, calls.Load())
				}
				got, err := pool.MapErr(w, numbers(10), func(*pool.Worker, int) (int, error) { return 1, errTest }, opts...)
				if got != nil || err != errTest {
					t.Errorf("MapErr = %v, %v", got, err)
				}
			}
		})
	})
	one := newPool(t, 1)
	run(t, one, func(w *pool.Worker) { // in order: both leaves fail only if the first does not end the loop
		if err := pool.ForErr(w, 100, func(_ *pool.Worker, i int) error { return errors.New(strconv.Itoa(i)) }, pool.MaxLen(1)); err.Error() != "0" {
			t.Error(err)
		}
	})
}

// Catches: several errors of which the last, or the right one, wins. All have begun before one
// fails.
func TestForErrPrefersTheLowestIndex(t *testing.T) {
	p := newPool(t, 2)
	run(t, p, func(w *pool.Worker) {
		for range 100 {
			var began atomic.Int32
			wants := [2]error{errors.New("0"), errors.New("1")}
			err := pool.ForErr(w, 2, func(_ *pool.Worker, i int) error {
				for began.Add(1); began.Load() < 2; {
				}
				return wants[i]
			}, pool.MaxLen(1))
			if err != wants[0] {
				t.Fatal(err)
			}
		}
	})
}

// Catches: a cause that is lost; one that comes although all calls were done; an error that it
// hides; calls that begin behind it.
func TestErrLoopsUntil(t *testing.T) {
	each(t, func(t *testing.T, p *pool.Pool) {
		run(t, p, func(w *pool.Worker) {
			ctx, cancel := context.WithCancelCause(background)
			last := func(_ *pool.Worker, i int) error {
				if i == 9 {
					cancel(errTest)
				}
				return nil
			}
			if err := pool.ForErr(w, 10, last, pool.Until(ctx), pool.MinLen(10)); err != nil {
				t.Errorf("all were done: %v", err)
			}
			never := func(*pool.Worker, int) error { t.Error("called"); return nil }
			if err := pool.ForErr(w, 10, never, pool.Until(ctx)); err != errTest {
				t.Error(err)
			}
			if got, err := pool.MapErr(w, numbers(3), func(w *pool.Worker, i int) (int, error) { return 0, never(w, i) }, pool.Until(ctx)); got != nil || err != errTest {
				t.Errorf("MapErr = %v, %v", got, err)
			}
			ctx, cancel = context.WithCancelCause(background)
			own := errors.New("its own")
			if err := pool.ForErr(w, 10, func(*pool.Worker, int) error { cancel(errTest); return own }, pool.Until(ctx)); err != own {
				t.Error(err)
			}
		})
	})
}

// Catches: a panic that an error hides.
func TestErrLoopsPanic(t *testing.T) {
	p := newPool(t, 1)
	run(t, p, func(w *pool.Worker) {
		if v := panicOf(func() {
			_ = pool.ForErr(w, 4, func(_ *pool.Worker, i int) error {
				if i == 0 {
					explode()
				}
				return errors.New("behind it")
			}, pool.MaxLen(1))
		}); v == nil {
			t.Error("no panic")
		}
	})
}
