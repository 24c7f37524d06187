//go:build chaos

package control

import (
	stdcontext "context"
	"errors"
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/time"
)

func TestContexts(t *testing.T) { testModels(t, contextModels) }

var contextModels = []modelled{
	{"a cancellation, and a task that asks", func(say func(string)) {
		ctx, cancel := context.WithCancel(context.Background())
		tasks(cancel)
		say(fmt.Sprint(ctx.Err()))
	}, []string{"<nil>", "context canceled"}},

	{"a cancellation wakes, through those that derive", func(say func(string)) {
		ctx, cancel := context.WithCancel(context.Background())
		child, stop := context.WithTimeout(context.WithValue(ctx, "k", "v"), time.Hour)
		defer stop()
		tasks(cancel)
		channel.Receive(child.Done())
		say(fmt.Sprintf("%v %v %d", child.Err(), child.Value("k"), time.Now().Minute()))
	}, []string{"context canceled v 0"}},

	{"a deadline", func(say func(string)) {
		begin := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		at, _ := ctx.Deadline()
		channel.Receive(ctx.Done())
		say(fmt.Sprint(ctx.Err(), time.Since(begin), at.Sub(begin)))
	}, []string{"context deadline exceeded 1h0m0s 1h0m0s"}},

	{"the parent's deadline is earlier", func(say func(string)) {
		parent, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		ctx, stop := context.WithTimeout(parent, time.Hour)
		defer stop()
		begin := time.Now()
		channel.Receive(ctx.Done())
		say(time.Since(begin).String())
	}, []string{"1m0s"}},

	{"a deadline that is over", func(say func(string)) {
		ctx, cancel := context.WithTimeout(context.Background(), -1)
		defer cancel()
		child, stop := context.WithCancel(ctx)
		defer stop()
		say(fmt.Sprint(child.Err()))
	}, []string{"context deadline exceeded"}},

	{"a function, and its stop", func(say func(string)) {
		var ran atomic.Bool
		ctx, cancel := context.WithCancel(context.Background())
		stop := context.AfterFunc(ctx, func() { ran.Store(true) })
		tasks(cancel)
		if stop() {
			time.Sleep(time.Second)
			say(fmt.Sprint("stopped, ran ", ran.Load()))
		} else {
			time.Sleep(time.Second)
			say(fmt.Sprint("too late, ran ", ran.Load()))
		}
	}, []string{"stopped, ran false", "too late, ran true"}},

	{"a function of a context that never ends", func(say func(string)) {
		stop := context.AfterFunc(context.Background(), func() { say("ran") })
		say(fmt.Sprint(stop(), stop()))
	}, []string{"true false"}},

	{"a cause", func(say func(string)) {
		ctx, cancel := context.WithCancelCause(context.Background())
		child, stop := context.WithCancel(ctx)
		defer stop()
		cancel(errors.New("why"))
		cancel(errors.New("too late"))
		say(fmt.Sprint(context.Cause(child), child.Err(), context.Cause(context.WithoutCancel(child))))
	}, []string{"why context canceled <nil>"}},

	{"a context of the standard package that derives from ours", func(say func(string)) {
		ctx, cancel := context.WithCancel(context.Background())
		child, stop := stdcontext.WithCancel(ctx)
		defer stop()
		cancel()
		for child.Err() == nil { // its cancellation is a task that is still to run
			time.Sleep(1)
		}
		say(fmt.Sprint(child.Err()))
	}, []string{"context canceled"}},

	{"a wait for a context that is never cancelled", func(say func(string)) {
		ctx, cancel := context.WithCancel(context.Background())
		_ = cancel
		channel.Receive(ctx.Done())
	}, []string{"deadlock"}},
}
