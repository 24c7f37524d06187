//go:build chaos

package context

import (
	"context"
	"time"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

// WithCancel is [context.WithCancel]; cancel passes context/cancel, cancels, and
// passes context/cancelled.
func WithCancel(parent Context) (ctx Context, cancel CancelFunc) {
	if control := seam.Controlled(); control != nil {
		c := newControlled(control, parent)
		return c, func() { observe(func() { c.cancel(context.Canceled, nil) }) }
	}
	ctx, standard := context.WithCancel(parent)
	return ctx, func() { observe(standard) }
}

// WithCancelCause is [context.WithCancelCause]; cancel passes context/cancel,
// cancels, and passes context/cancelled.
func WithCancelCause(parent Context) (ctx Context, cancel CancelCauseFunc) {
	if control := seam.Controlled(); control != nil {
		c := newControlled(control, parent)
		return c, func(cause error) {
			observe(func() { c.cancel(context.Canceled, cause) })
		}
	}
	ctx, standard := context.WithCancelCause(parent)
	return ctx, func(cause error) {
		observe(func() { standard(cause) })
	}
}

// observe cancels between the two points. A second cancellation calls nothing off, but its caller is
// in the same place. The function that a caller got is a closure of the constructor, whose name is the
// same in each Go: reports have it.
func observe(cancel func()) {
	cancelling.At()
	cancel()
	seam.Published()
	cancelled.At()
}

// WithDeadline is [context.WithDeadline], then passes context/deadline; the
// function that it returns is as that of WithCancel.
func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return WithDeadlineCause(parent, d, nil)
}

// WithDeadlineCause is [context.WithDeadlineCause], then passes context/deadline;
// the function that it returns is as that of WithCancel.
func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	if control := seam.Controlled(); control != nil {
		c := newControlled(control, parent)
		c.expire(d, cause)
		deadline.At()
		return c, func() { observe(func() { c.cancel(context.Canceled, nil) }) }
	}
	ctx, cancel := context.WithDeadlineCause(parent, d, cause)
	deadline.At()
	return ctx, func() { observe(cancel) }
}

// WithTimeout is [context.WithTimeout], then passes context/deadline; the function
// that it returns is as that of WithCancel.
func WithTimeout(parent Context, timeout time.Duration) (Context, CancelFunc) {
	return WithTimeoutCause(parent, timeout, nil)
}

// WithTimeoutCause is [context.WithTimeoutCause], then passes context/deadline; the
// function that it returns is as that of WithCancel.
func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (Context, CancelFunc) {
	if control := seam.Controlled(); control != nil {
		return WithDeadlineCause(parent, now(control).Add(timeout), cause)
	}
	return WithDeadlineCause(parent, time.Now().Add(timeout), cause)
}

// AfterFunc is [context.AfterFunc], then passes context/after-func. The run of f
// is a task, child of the goroutine that calls AfterFunc, and passes
// context/after-run before f begins. stop passes context/after-stop, then stops.
//
// The task is made here, where its number follows program order, and not where
// the context ends. The standard package runs it once or never.
func AfterFunc(ctx Context, f func()) (stop func() bool) {
	if control := seam.Controlled(); control != nil {
		return whenDone(control, ctx, f)
	}
	standard := context.AfterFunc(ctx, hooks.Task(func() {
		afterRun.At()
		f()
	}))
	afterFunc.At()
	return func() bool {
		afterStop.At()
		return standard()
	}
}
