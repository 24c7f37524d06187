//go:build chaos

package context

import (
	"context"

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
