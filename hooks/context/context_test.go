package context_test

import (
	standard "context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rouse-go/rouse/hooks/context"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// That the API is complete and what a normal binary holds of this package is
// tested in hooks/sync, for all drop-ins.
//
// These tests hold in both builds.

// An api is what two packages have in common, and may do differently.
type api struct {
	withCancel        func(context.Context) (context.Context, context.CancelFunc)
	withCancelCause   func(context.Context) (context.Context, context.CancelCauseFunc)
	withDeadline      func(context.Context, time.Time) (context.Context, context.CancelFunc)
	withDeadlineCause func(context.Context, time.Time, error) (context.Context, context.CancelFunc)
	withTimeout       func(context.Context, time.Duration) (context.Context, context.CancelFunc)
	withTimeoutCause  func(context.Context, time.Duration, error) (context.Context, context.CancelFunc)
	afterFunc         func(context.Context, func()) func() bool
}

var ours = api{
	context.WithCancel, context.WithCancelCause,
	context.WithDeadline, context.WithDeadlineCause, context.WithTimeout, context.WithTimeoutCause,
	context.AfterFunc,
}

var theirs = api{
	standard.WithCancel, standard.WithCancelCause,
	standard.WithDeadline, standard.WithDeadlineCause, standard.WithTimeout, standard.WithTimeoutCause,
	standard.AfterFunc,
}

// A notebook is what one scenario observes, apart from what others do.
type notebook struct {
	start time.Time
	lines []string
}

func (n *notebook) write(what string, values ...any) {
	n.lines = append(n.lines, fmt.Sprint(what, ": ", fmt.Sprintln(values...)))
}

// look writes down all that a context says, and when.
func (n *notebook) look(what string, ctx context.Context) {
	synctest.Wait()
	d, ok := ctx.Deadline()
	done := false
	select {
	case <-ctx.Done():
		done = true
	default:
	}
	n.write(what, time.Since(n.start), ctx.Err(), context.Cause(ctx), done, d.Sub(n.start), ok, ctx.Value(key{}), ctx)
}

type key struct{}

var errCause = errors.New("the cause")

// The parents that something is derived from.
var parents = map[string]func() (context.Context, func()){
	"Background": func() (context.Context, func()) { return context.Background(), func() {} },
	"TODO":       func() (context.Context, func()) { return context.TODO(), func() {} },
	"value":      func() (context.Context, func()) { return context.WithValue(context.Background(), key{}, 1), func() {} },
	"cancelled":  func() (context.Context, func()) { c, f := standard.WithCancel(context.Background()); f(); return c, f },
	"uncancellable": func() (context.Context, func()) {
		c, f := standard.WithCancel(context.Background())
		f()
		return context.WithoutCancel(c), f
	},
	"to be cancelled soon": func() (context.Context, func()) {
		return context.WithCancel(context.Background())
	},
	"timeout": func() (context.Context, func()) {
		return context.WithTimeout(context.Background(), 500*time.Millisecond)
	},
}

var scenarios = map[string]func(a api, n *notebook, parent context.Context, end func()){
	"WithCancel": func(a api, n *notebook, parent context.Context, end func()) {
		ctx, cancel := a.withCancel(parent)
		child, cancelChild := a.withCancel(ctx)
		n.look("at first", child)
		cancel()
		n.look("after cancel", ctx)
		n.look("after the parent's cancel", child)
		cancel()
		cancelChild()
		n.look("after more of them", child)
	},
	"WithCancel, by the parent": func(a api, n *notebook, parent context.Context, end func()) {
		ctx, cancel := a.withCancel(parent)
		defer cancel()
		end()
		n.look("after the parent's end", ctx)
	},
	"WithCancelCause": func(a api, n *notebook, parent context.Context, end func()) {
		ctx, cancel := a.withCancelCause(parent)
		n.look("at first", ctx)
		cancel(errCause)
		n.look("after cancel", ctx)
		cancel(errors.New("another cause"))
		n.look("after another", ctx)
		ctx, cancel = a.withCancelCause(parent)
		cancel(nil)
		n.look("after cancel without a cause", ctx)
	},
	"deadlines": func(a api, n *notebook, parent context.Context, end func()) {
		for _, d := range []time.Duration{time.Second, time.Hour, 0, -1} {
			deadline, cancel1 := a.withDeadline(parent, n.start.Add(d))
			deadlineCause, cancel2 := a.withDeadlineCause(parent, n.start.Add(d), errCause)
			timeout, cancel3 := a.withTimeout(parent, d)
			timeoutCause, cancel4 := a.withTimeoutCause(parent, d, errCause)
			all := []context.Context{deadline, deadlineCause, timeout, timeoutCause}
			look := func(what string) {
				for i, ctx := range all {
					n.look(fmt.Sprint(d, ", ", i, " ", what), ctx)
				}
			}
			look("at first")
			time.Sleep(time.Second)
			look("a second later")
			for _, cancel := range []func(){cancel1, cancel2, cancel3, cancel4} {
				cancel()
			}
			look("after cancel")
		}
		end()
	},
	"AfterFunc": func(a api, n *notebook, parent context.Context, end func()) {
		ctx, cancel := a.withCancel(parent)
		ran := make([]int, 3)
		first := a.afterFunc(ctx, func() { ran[0]++ })
		second := a.afterFunc(ctx, func() { ran[1]++ })
		synctest.Wait()
		n.write("at first", ran)
		n.write("stop", second(), second())
		cancel()
		synctest.Wait()
		n.write("after cancel", ran)
		n.write("stop", first(), second())
		third := a.afterFunc(ctx, func() { ran[2]++ })
		synctest.Wait()
		n.write("of what is cancelled", ran, third())
	},
	"AfterFunc, of a parent": func(a api, n *notebook, parent context.Context, end func()) {
		ran := 0
		stop := a.afterFunc(parent, func() { ran++ })
		end()
		synctest.Wait()
		n.write("after its end", ran, stop())
	},
}

func TestContextsAreTheStandardOnes(t *testing.T) {
	for name, scenario := range scenarios {
		for parent, make := range parents {
			see := func(a api) (lines []string) {
				synctest.Test(t, func(t *testing.T) {
					n := &notebook{start: time.Now()}
					parent, end := make()
					defer end()
					scenario(a, n, parent, end)
					lines = n.lines
				})
				return lines
			}
			got, want := see(ours), see(theirs)
			if !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("%s of %s:\n%q, want\n%q", name, parent, got, want)
			}
		}
	}
}

// The comparison has to see when something is not done.
func TestComparisonSeesWhatIsNotDone(t *testing.T) {
	damaged := map[string]func(*api){
		"WithCancel": func(a *api) {
			a.withCancel = func(c context.Context) (context.Context, context.CancelFunc) {
				return c, func() {}
			}
		},
		"WithCancelCause": func(a *api) {
			a.withCancelCause = func(c context.Context) (context.Context, context.CancelCauseFunc) {
				ctx, cancel := standard.WithCancelCause(c)
				return ctx, func(error) { cancel(nil) }
			}
		},
		"deadlines": func(a *api) {
			a.withTimeoutCause = func(c context.Context, d time.Duration, _ error) (context.Context, context.CancelFunc) {
				return standard.WithTimeout(c, d)
			}
		},
		"AfterFunc": func(a *api) {
			a.afterFunc = func(c context.Context, f func()) func() bool {
				stop := standard.AfterFunc(c, f)
				return func() bool { stop(); return true }
			}
		},
	}
	for name, damage := range damaged {
		see := func(a api) (lines []string) {
			synctest.Test(t, func(t *testing.T) {
				n := &notebook{start: time.Now()}
				scenarios[name](a, n, context.Background(), func() {})
				lines = n.lines
			})
			return lines
		}
		bad := theirs
		damage(&bad)
		if slices.Equal(see(bad), see(theirs)) {
			t.Errorf("%s: the damage was not seen", name)
		}
	}
}

// By identity: callers compare them with those of the standard package.
func TestErrorsAreTheStandardOnes(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if ctx.Err() != standard.Canceled {
		t.Errorf("%v, want %v", ctx.Err(), standard.Canceled)
	}
	ctx, cancel = context.WithTimeout(context.Background(), -1)
	defer cancel()
	if ctx.Err() != standard.DeadlineExceeded {
		t.Errorf("%v, want %v", ctx.Err(), standard.DeadlineExceeded)
	}
}

func TestMisusePanics(t *testing.T) {
	use := func(a api) map[string]func() {
		return map[string]func(){
			"WithCancel":        func() { a.withCancel(nil) },
			"WithCancelCause":   func() { a.withCancelCause(nil) },
			"WithDeadline":      func() { a.withDeadline(nil, time.Time{}) },
			"WithDeadlineCause": func() { a.withDeadlineCause(nil, time.Time{}, nil) },
			"WithTimeout":       func() { a.withTimeout(nil, 1) },
			"WithTimeoutCause":  func() { a.withTimeoutCause(nil, 1, nil) },
			"AfterFunc":         func() { a.afterFunc(nil, func() {}) },
		}
	}
	outcome := func(f func()) (v any) {
		defer func() { v = recover() }()
		f()
		return nil
	}
	standard := use(theirs)
	for name, f := range use(ours) {
		if got, want := outcome(f), outcome(standard[name]); want == nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s of no parent panics with %v, want %v", name, got, want)
		}
	}
}
