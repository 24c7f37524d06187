//go:build chaos

package context

import (
	"context"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/seam"
)

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
