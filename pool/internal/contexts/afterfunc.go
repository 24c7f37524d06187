//go:build !chaos

package contexts

import "context"

// AfterFunc is [context.AfterFunc]. It has a twin, as the drop-in's package brings variables with
// it that a normal binary need not have.
func AfterFunc(ctx context.Context, f func()) (stop func() bool) { return context.AfterFunc(ctx, f) }

// WithCancelCause is [context.WithCancelCause].
func WithCancelCause(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	return context.WithCancelCause(ctx)
}

// Cause is [context.Cause].
func Cause(ctx context.Context) error { return context.Cause(ctx) }
