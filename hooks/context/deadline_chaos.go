//go:build chaos

package context

import (
	"context"
	"time"

	"github.com/rouse-go/rouse/internal/seam"
)

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
