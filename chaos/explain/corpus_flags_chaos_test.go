//go:build chaos

package explain_test

import (
	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// Conditions on atomic variables.
var flags = []program{
	{
		name: "no-lock",
		body: func(c *chaos.C) { // the setter of the flag signals without the lock
			var mu sync.Mutex
			var full atomic.Bool
			cond := sync.NewCond(&mu)
			c.Go(func() {
				full.Store(true) // no-lock: post
				cond.Signal()    // no-lock: signal
			})
			mu.Lock()          // no-lock: lock
			for !full.Load() { // no-lock: check
				cond.Wait() // no-lock: wait
			}
			mu.Unlock()
		},
		want: `
			checked       main's atomic/load at {check} read the initial value
			posted        main/0's atomic/store at {post}, after that and before main waited
			notification  main/0's sync/cond-signal at {signal} reached no waiter
			sleeps        main at {wait}`,
	},
	{
		name: "check-outside",
		body: func(c *chaos.C) { // the check is outside of the lock
			var mu sync.Mutex
			var full atomic.Bool
			cond := sync.NewCond(&mu)
			c.Go(func() {
				mu.Lock()
				full.Store(true) // check-outside: post
				cond.Broadcast() // check-outside: broadcast
				mu.Unlock()      // check-outside: unlock
			})
			for !full.Load() { // check-outside: check
				mu.Lock()   // check-outside: lock
				cond.Wait() // check-outside: wait
				mu.Unlock()
			}
		},
		want: `
			checked       main's atomic/load at {check} read the initial value, then main held the lock from {lock}, after main/0's sync/mutex-unlock at {unlock}
			posted        main/0's atomic/store at {post}, after that and before main waited
			notification  main/0's sync/cond-broadcast at {broadcast} reached no waiter
			sleeps        main at {wait}`,
	},
	{
		name: "latch",
		body: func(c *chaos.C) { // set by a swap, without the lock, and notified only if it slept
			const unset, sleeping, set = 0, 1, 2
			var mu sync.Mutex
			var state atomic.Int32
			cond := sync.NewCond(&mu)
			c.Go(func() {
				if state.Swap(set) == sleeping { // latch: post
					mu.Lock()
					cond.Signal()
					mu.Unlock()
				}
			})
			mu.Lock()                 // latch: lock
			for state.Load() != set { // latch: check
				state.Store(sleeping) // latch: sleepy
				cond.Wait()           // latch: wait
			}
			mu.Unlock()
		},
		want: `
			checked       main's atomic/load at {check} read the initial value
			posted        main/0's atomic/swap at {post}, after that and before main waited; undone by main's atomic/store at {sleepy}
			notification  none was sent after that
			sleeps        main at {wait}`,
	},
	{
		name: "event-count",
		body: func(c *chaos.C) { // the poster does not move the counter
			var mu sync.Mutex
			var ready atomic.Bool
			var count atomic.Int64
			cond := sync.NewCond(&mu)
			c.Go(func() {
				ready.Store(true) // event-count: post
				mu.Lock()
				cond.Broadcast() // event-count: broadcast
				mu.Unlock()
			})
			for {
				before := count.Load() // event-count: key
				if ready.Load() {      // event-count: check
					return
				}
				mu.Lock()                    // event-count: lock
				for count.Load() == before { // event-count: recheck
					cond.Wait() // event-count: wait
				}
				mu.Unlock()
			}
		},
		want: `
			checked       main's atomic/load at {recheck} read the initial value
			notification  none was sent after that; before it, main/0's sync/cond-broadcast at {broadcast} woke main, which waited again at {wait}
			sleeps        main at {wait}`,
	},
	{
		name: "jobs-event-counter",
		body: func(c *chaos.C) { // the counter moves before the job is there
			var mu sync.Mutex
			var jobs, events atomic.Int64
			cond := sync.NewCond(&mu)
			c.Go(func() {
				events.Add(1) // jobs-event-counter: count
				jobs.Add(1)   // jobs-event-counter: post
				mu.Lock()
				cond.Signal() // jobs-event-counter: signal
				mu.Unlock()   // jobs-event-counter: unlock
			})
			for {
				sleepy := events.Load() // jobs-event-counter: sleepy
				if jobs.Load() > 0 {    // jobs-event-counter: search
					return
				}
				mu.Lock()                    // jobs-event-counter: lock
				if events.Load() == sleepy { // jobs-event-counter: recheck
					cond.Wait() // jobs-event-counter: wait
				}
				mu.Unlock()
			}
		},
		want: `
			checked       main's atomic/load at {search} read the initial value, then main held the lock from {lock}, after main/0's sync/mutex-unlock at {unlock}
			posted        main/0's atomic/add at {post}, after that and before main waited
			notification  main/0's sync/cond-signal at {signal} reached no waiter
			sleeps        main at {wait}`,
	},
	{
		name: "aba",
		body: func(c *chaos.C) { // the flag is up again before any task looks
			var mu sync.Mutex
			var gate atomic.Bool
			cond := sync.NewCond(&mu)
			c.Go(func() {
				gate.Store(true) // aba: open
				mu.Lock()
				cond.Signal() // aba: signal
				mu.Unlock()
				gate.Store(false) // aba: shut
			})
			mu.Lock()          // aba: lock
			for !gate.Load() { // aba: check
				cond.Wait() // aba: wait
			}
			mu.Unlock()
		},
		want: `
			checked       main's atomic/load at {check} read what main/0's atomic/store at {shut} wrote
			notification  none was sent after that; before it, main/0's sync/cond-signal at {signal} woke main, which waited again at {wait}
			sleeps        main at {wait}`,
	},
	{
		name: "other-object",
		body: func(c *chaos.C) { // what was checked last is not what is posted
			var mu sync.Mutex
			var ready, closed atomic.Bool
			cond := sync.NewCond(&mu)
			c.Go(func() {
				ready.Store(true) // other-object: post
				cond.Signal()     // other-object: signal
			})
			mu.Lock()                             // other-object: lock
			for !ready.Load() && !closed.Load() { // other-object: check
				cond.Wait() // other-object: wait
			}
			mu.Unlock()
		},
		want: `
			checked       main's atomic/load at {check} read the initial value
			posted        main/0's atomic/store at {post}, after that and before main waited
			notification  main/0's sync/cond-signal at {signal} reached no waiter
			sleeps        main at {wait}`,
	},
	{
		name: "statistics",
		body: func(c *chaos.C) { // what was read before the wait is not what it is about
			var mu sync.Mutex
			var lookups atomic.Int64
			cond := sync.NewCond(&mu)
			ready := false
			c.Go(func() {
				lookups.Add(1) // statistics: count
				mu.Lock()
				ready = true
				mu.Unlock() // statistics: post
			})
			if lookups.Load() > 9 { // statistics: read
				return
			}
			mu.Lock() // statistics: lock
			for !ready {
				cond.Wait() // statistics: wait
			}
			mu.Unlock()
		},
		want: `
			checked       main's atomic/load at {read} read the initial value, then main held the lock from {lock}
			posted        main/0's sync/mutex-unlock at {post}, while main waited
			notification  none was sent after that
			sleeps        main at {wait}`,
	},
	{
		name: "unrelated",
		body: func(c *chaos.C) { // a count that changes after it was read, and a waiter that looks once
			var mu sync.Mutex
			var lookups atomic.Int64
			cond := sync.NewCond(&mu)
			ready := false
			c.Go(func() {
				lookups.Add(1)
				mu.Lock()
				ready = true
				mu.Unlock()
			})
			lookups.Load() // unrelated: read
			mu.Lock()      // unrelated: lock
			if !ready {
				cond.Wait() // unrelated: wait
			}
			mu.Unlock()
		},
		want: `
			checked       main's atomic/load at {read} read the initial value, then main held the lock from {lock}
			notification  none was sent after that
			sleeps        main at {wait}`,
	},
	{
		name: "parker",
		body: func(c *chaos.C) { // two tokens are one, which an earlier wait consumes
			var mu sync.Mutex
			var token atomic.Bool
			cond := sync.NewCond(&mu)
			unpark := func() {
				mu.Lock()
				token.Store(true) // parker: post
				cond.Signal()     // parker: signal
				mu.Unlock()
			}
			c.Go(unpark)
			c.Go(unpark)
			for range 2 {
				mu.Lock()           // parker: lock
				for !token.Load() { // parker: check
					cond.Wait() // parker: wait
				}
				token.Store(false) // parker: consume
				mu.Unlock()
			}
		},
		want: `
			checked       main's atomic/load at {check} read what main's atomic/store at {consume} wrote
			notification  none was sent after that; before it, main/0's sync/cond-signal at {signal} reached no waiter
			sleeps        main at {wait}`,
	},
}
