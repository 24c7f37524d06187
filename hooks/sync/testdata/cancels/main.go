// Command cancels calls everything that the drop-in for context has. The normal
// build of it holds nothing of the drop-in.
package main

import (
	standard "context"
	"time"

	"github.com/rouse-go/rouse/hooks/context"
)

type key struct{}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	ctx, cancelCause := context.WithCancelCause(context.WithValue(ctx, key{}, 1))
	ctx, cancelDeadline := context.WithDeadline(ctx, time.Now().Add(time.Hour))
	ctx, cancelDeadlineCause := context.WithDeadlineCause(ctx, time.Now().Add(time.Hour), nil)
	ctx, cancelTimeout := context.WithTimeout(ctx, time.Hour)
	ctx, cancelTimeoutCause := context.WithTimeoutCause(ctx, time.Hour, nil)
	done := make(chan bool)
	stop := context.AfterFunc(ctx, func() { close(done) })
	println(context.WithoutCancel(ctx).Err() == nil, context.TODO().Err() == nil, ctx.Value(key{}).(int))
	cancelTimeoutCause()
	cancelTimeout()
	cancelDeadlineCause()
	cancelDeadline()
	cancelCause(nil)
	cancel()
	<-done
	println(stop(), context.Cause(ctx) == standard.Canceled, ctx.Err() == standard.DeadlineExceeded)
}
