//go:build chaos

package explain_test

import (
	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

// Waits for channels.
var channels = []program{
	{
		name: "gave-up",
		body: func(c *chaos.C) { // the asker has given up when the answer comes
			answer := make(chan int)
			c.Go(func() {
				time.Sleep(2 * time.Second)
				channel.Send(answer, 1) // gave-up: send
			})
			var v int
			channel.Select(channel.OnReceive(answer, &v, nil), channel.OnReceive(time.After(time.Second), nil, nil)) // gave-up: select
		},
		want: `
			channel       main's channel/select at {select} took case 1 instead
			sleeps        main/0 at {send}`,
	},
	{
		name: "polled",
		body: func(c *chaos.C) { // the notifier does not wait for the waiter
			wake := make(chan int)
			var waiters atomic.Int64
			c.Go(func() {
				channel.Select(channel.OnSend(wake, 1), channel.Default) // polled: send
			})
			waiters.Add(1)
			channel.Receive(wake) // polled: receive
		},
		want: `
			channel       main/0's channel/select at {send} found no case ready and took its default
			sleeps        main at {receive}`,
	},
	{
		name: "polled-after-check",
		body: func(c *chaos.C) { // between its look and its wait
			wake := make(chan int)
			var set atomic.Bool
			c.Go(func() {
				set.Store(true)                                          // polled-after-check: store
				channel.Select(channel.OnSend(wake, 1), channel.Default) // polled-after-check: send
			})
			for !set.Load() { // polled-after-check: load
				channel.Receive(wake) // polled-after-check: receive
			}
		},
		want: `
			checked       main's atomic/load at {load} read the initial value
			posted        main/0's atomic/store at {store}, after that and before main waited
			channel       main/0's channel/select at {send} found no case ready and took its default
			sleeps        main at {receive}`,
	},
	{
		name: "stolen",
		body: func(c *chaos.C) { // one token, two takers
			tokens := make(chan int, 1)
			c.Go(func() {
				channel.Receive(tokens) // stolen: thief
			})
			c.Go(func() {
				channel.Receive(tokens) // stolen: other
			})
			channel.Send(tokens, 1) // stolen: send
		},
		want: `
			channel       main's channel/send at {send} was received by main/1 at {other}
			sleeps        main/0 at {thief}`,
		or: `
			channel       main's channel/send at {send} was received by main/0 at {thief}
			sleeps        main/1 at {other}`,
	},
	{
		name: "send-not-close",
		body: func(c *chaos.C) { // an end that only one of two observes
			stop := make(chan int)
			c.Go(func() {
				channel.Receive(stop) // send-not-close: first
			})
			c.Go(func() {
				channel.Receive(stop) // send-not-close: second
			})
			channel.Send(stop, 1) // send-not-close: send
		},
		want: `
			channel       main's channel/send at {send} was received by main/1 at {second}
			sleeps        main/0 at {first}`,
		or: `
			channel       main's channel/send at {send} was received by main/0 at {first}
			sleeps        main/1 at {second}`,
	},
	{
		name: "other-channel",
		body: func(c *chaos.C) { // what is closed is not what is waited for
			var stopped atomic.Bool
			stop, done := make(chan int), make(chan int)
			c.Go(func() {
				stopped.Store(true) // other-channel: post
				channel.Close(done) // other-channel: close
			})
			if !stopped.Load() { // other-channel: check
				channel.Receive(stop) // other-channel: receive
			}
			channel.Receive(done)
		},
		want: `
			checked       main's atomic/load at {check} read the initial value
			posted        main/0's atomic/store at {post}, while main waited
			channel       nothing was sent to it after that, and it was not closed; main/0's channel/close at {close} found no waiter
			sleeps        main at {receive}`,
	},
	{
		name: "cancelled",
		body: func(c *chaos.C) { // the waiter does not listen to the context
			ctx, cancel := context.WithCancel(context.Background())
			jobs := make(chan int)
			c.Go(func() {
				cancel() // cancelled: cancel
			})
			if ctx.Err() == nil { // cancelled: check
				channel.Receive(jobs) // cancelled: receive
			}
		},
		want: `
			checked       main's context.Err at {check} read the initial value
			posted        main/0's context/cancel at {cancel}, while main waited
			channel       nothing was sent to it after that, and it was not closed
			sleeps        main at {receive}`,
	},
	{
		name: "coalesced",
		body: func(c *chaos.C) { // a token for two posts, and a wait for each
			wake := make(chan int, 1)
			post := func() {
				channel.Select(channel.OnSend(wake, 1), channel.Default) // coalesced: post
			}
			c.Go(post)
			c.Go(post)
			channel.Receive(wake) // coalesced: first
			channel.Receive(wake) // coalesced: second
		},
		want: `
			channel       main/1's channel/select at {post} was received by main at {first}; main/0's channel/select at {post} found no case ready and took its default
			sleeps        main at {second}`,
	},
	{
		name: "unrelated-count",
		body: func(c *chaos.C) { // a count that changes after it was read has nothing to do with the wait
			var lookups atomic.Int64
			jobs := make(chan int)
			c.Go(func() {
				lookups.Add(1) // unrelated-count: add
			})
			lookups.Load()        // unrelated-count: read
			channel.Receive(jobs) // unrelated-count: receive
		},
		want: `
			checked       main's atomic/load at {read} read the initial value
			channel       nothing was sent to it after that, and it was not closed
			sleeps        main at {receive}`,
		or: `
			checked       main's atomic/load at {read} read what main/0's atomic/add at {add} wrote
			channel       nothing was sent to it after that, and it was not closed
			sleeps        main at {receive}`,
	},
	{
		name: "handed-to-none",
		body: func(c *chaos.C) { // a semaphore gives its permit to a waiter that has given up
			var mu sync.Mutex
			var queue []chan int
			wait := func() chan int {
				mu.Lock()
				defer mu.Unlock()
				own := make(chan int, 1)
				queue = append(queue, own)
				return own
			}
			first, second := wait(), wait()
			c.Go(func() {
				mu.Lock()
				next := queue[0]
				queue = queue[1:]
				mu.Unlock()
				channel.Send(next, 1) // handed-to-none: send
			})
			if channel.Select(channel.OnReceive(first, nil, nil), channel.Default) == 0 { // handed-to-none: poll
				return
			}
			channel.Receive(second) // handed-to-none: receive
		},
		want: `
			checked       main's channel/select at {poll} found nothing ready
			posted        main/0's channel/send at {send}, while main waited
			channel       nothing was sent to it after that, and it was not closed
			sleeps        main at {receive}`,
	},
}
