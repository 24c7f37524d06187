//go:build chaos

package pool

import (
	"context"

	hookscontext "github.com/rouse-go/rouse/hooks/context"
)

// afterFunc is [context.AfterFunc], where a test can see it.
func afterFunc(ctx context.Context, f func()) (stop func() bool) {
	return hookscontext.AfterFunc(ctx, f)
}
