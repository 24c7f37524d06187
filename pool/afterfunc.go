//go:build !chaos

package pool

import "context"

// afterFunc is [context.AfterFunc]. It has a twin, as the drop-in's package brings
// variables with it that a normal binary need not have.
func afterFunc(ctx context.Context, f func()) (stop func() bool) { return context.AfterFunc(ctx, f) }
