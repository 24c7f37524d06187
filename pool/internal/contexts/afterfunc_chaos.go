//go:build chaos

package contexts

import (
	"context"

	hookscontext "github.com/rouse-go/rouse/hooks/context"
)

// AfterFunc is [context.AfterFunc], where a test can see it.
func AfterFunc(ctx context.Context, f func()) (stop func() bool) {
	return hookscontext.AfterFunc(ctx, f)
}

// WithCancelCause is [context.WithCancelCause], where a test can see it.
func WithCancelCause(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	return hookscontext.WithCancelCause(ctx)
}

// Cause is [context.Cause], where a test can see it.
func Cause(ctx context.Context) error { return hookscontext.Cause(ctx) }
