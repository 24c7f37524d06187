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
		return c, observe(func() { c.cancel(context.Canceled, nil) })
	}
	ctx, cancel = context.WithCancel(parent)
	return ctx, observe(cancel)
}

// WithCancelCause is [context.WithCancelCause]; cancel passes context/cancel,
// cancels, and passes context/cancelled.
func WithCancelCause(parent Context) (ctx Context, cancel CancelCauseFunc) {
	if control := seam.Controlled(); control != nil {
		c := newControlled(control, parent)
		return c, func(cause error) {
			observe(func() { c.cancel(context.Canceled, cause) })()
		}
	}
	ctx, standard := context.WithCancelCause(parent)
	return ctx, func(cause error) {
		observe(func() { standard(cause) })()
	}
}

// observe puts the points around a cancellation. A second one calls nothing off,
// but its caller is in the same place.
func observe(cancel CancelFunc) CancelFunc {
	return func() {
		cancelling.At()
		cancel()
		seam.Published()
		cancelled.At()
	}
}
