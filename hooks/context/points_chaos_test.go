//go:build chaos

package context_test

import (
	standard "context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/internal/recorder"
	"github.com/rouse-go/rouse/internal/seam"
)

func TestOperationsPassTheirPoints(t *testing.T) {
	passed := make(map[string]bool)
	synctest.Test(t, func(t *testing.T) {
		r := recorder.Install(t)
		background := context.Background()
		var ctx context.Context
		var cancel context.CancelFunc
		var cancelCause context.CancelCauseFunc
		var stop func() bool
		cancelled := func() { cancel() }
		for _, op := range []struct {
			name   string
			do     func()
			points string
		}{
			{"WithCancel", func() { ctx, cancel = context.WithCancel(background) }, ""},
			{"its methods", func() { ctx.Err(); ctx.Done(); ctx.Deadline(); context.Cause(ctx) }, ""},
			{"AfterFunc", func() { stop = context.AfterFunc(ctx, func() {}) }, "after-func"},
			{"stop", func() { stop() }, "after-stop"},
			{"its cancel", cancelled, "cancel cancelled"},
			{"its cancel, again", cancelled, "cancel cancelled"},
			{"AfterFunc of what is done", func() { context.AfterFunc(ctx, func() {}); synctest.Wait() }, "after-func after-run"},
			{"WithCancelCause", func() { ctx, cancelCause = context.WithCancelCause(background) }, ""},
			{"its cancel", func() { cancelCause(nil) }, "cancel cancelled"},
			{"WithTimeout", func() { ctx, cancel = context.WithTimeout(background, time.Second) }, "deadline"},
			{"AfterFunc of a deadline", func() { context.AfterFunc(ctx, func() {}) }, "after-func"},
			{"its passing", func() { time.Sleep(time.Minute); synctest.Wait() }, "after-run"},
			{"its cancel", cancelled, "cancel cancelled"},
			{"WithTimeoutCause", func() { _, cancel = context.WithTimeoutCause(background, time.Second, nil) }, "deadline"},
			{"its cancel", cancelled, "cancel cancelled"},
			{"WithDeadline", func() { _, cancel = context.WithDeadline(background, time.Now()) }, "deadline"},
			{"its cancel", cancelled, "cancel cancelled"},
			{"WithDeadlineCause", func() { _, cancel = context.WithDeadlineCause(background, time.Now(), nil) }, "deadline"},
			{"its cancel", cancelled, "cancel cancelled"},
			{"the others", func() {
				context.WithoutCancel(context.WithValue(context.TODO(), key{}, 1)).Value(key{})
			}, ""},
		} {
			op.do()
			var want []string
			for _, name := range strings.Fields(op.points) {
				want = append(want, "context/"+name)
				passed["context/"+name] = true
			}
			got := r.Take()
			slices.Sort(got) // AfterFunc starts a goroutine, which may be the first to pass a point
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s passes %q, want %q", op.name, got, want)
			}
		}
	})
	for _, p := range seam.Points() {
		if strings.HasPrefix(p.Name, "context/") && !passed[p.Name] {
			t.Errorf("%s is declared, and no operation passes it", p.Name)
		}
	}
}

// Each point is where its window is.
func TestWindows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := recorder.Install(t)
		ctx, cancel := context.WithCancel(context.Background())
		child, cancelChild := context.WithCancel(ctx)
		defer cancelChild()
		var looked atomic.Int32
		see := func(point string, check func() bool) {
			r.Meanwhile[point] = func() {
				looked.Add(1)
				if !check() {
					t.Errorf("%s is not where its window is", point)
				}
			}
		}
		ran := false
		see("context/after-func", func() bool { return !ran })
		stop := context.AfterFunc(ctx, func() { ran = true })
		see("context/cancel", func() bool { return ctx.Err() == nil && child.Err() == nil })
		see("context/cancelled", func() bool { return ctx.Err() != nil && child.Err() != nil })
		see("context/after-run", func() bool { return ctx.Err() != nil && !ran && !stop() })
		cancel()
		synctest.Wait()
		if !ran {
			t.Error("the function of AfterFunc has not run")
		}

		see("context/deadline", func() bool { time.Sleep(time.Minute); return true })
		ctx, cancel = context.WithTimeout(context.Background(), time.Second)
		if ctx.Err() != standard.DeadlineExceeded {
			t.Errorf("a minute late, the context says %v", ctx.Err())
		}
		cancel()

		// The end can come before stop does.
		ctx, cancel = context.WithCancel(context.Background())
		ran = false
		stop = context.AfterFunc(ctx, func() { ran = true })
		see("context/after-stop", func() bool { cancel(); synctest.Wait(); return ran })
		if stop() {
			t.Error("stopped what has run")
		}
		if n := looked.Load(); n != 6 {
			t.Errorf("%d points were looked at, want 6", n)
		}
	})
}

// A task is made where AfterFunc is called, whatever the order of the endings; one
// that is stopped never begins.
func TestTasksAreNumberedInProgramOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := recorder.Install(t)
		first, cancelFirst := context.WithCancel(context.Background())
		second, cancelSecond := context.WithCancel(context.Background())
		runs := 0
		f := func() { runs++ }
		context.AfterFunc(first, f)
		stop := context.AfterFunc(second, f)
		context.AfterFunc(second, f)
		stop()
		cancelSecond()
		synctest.Wait()
		cancelFirst()
		synctest.Wait()
		if want := []int{3, 1}; r.Tasks != 3 || !slices.Equal(r.Began, want) || runs != 2 {
			t.Errorf("%d tasks were made, %v began, the function ran %d times; want 3, %v, 2", r.Tasks, r.Began, runs, want)
		}
	})
}
