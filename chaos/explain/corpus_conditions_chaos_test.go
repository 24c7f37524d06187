//go:build chaos

package explain_test

import (
	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

// Conditions on plain variables, which a lock protects.
var conditions = []program{
	{
		name: "signal-unheard",
		body: func(c *chaos.C) { // the signal is not remembered
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			c.Go(func() {
				cond.Signal() // signal-unheard: signal
			})
			mu.Lock()   // signal-unheard: lock
			cond.Wait() // signal-unheard: wait
			mu.Unlock()
		},
		want: `
			checked       main held the lock from {lock}
			notification  none was sent after that; before it, main/0's sync/cond-signal at {signal} reached no waiter
			sleeps        main at {wait}`,
		or: `
			checked       main held the lock from {lock}
			notification  main/0's sync/cond-signal at {signal} reached no waiter
			sleeps        main at {wait}`,
	},
	{
		name: "wrong-kind",
		body: func(c *chaos.C) { // putters and takers wait for one condition
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			items := 0
			put := func() {
				mu.Lock() // wrong-kind: put
				for items == 1 {
					cond.Wait() // wrong-kind: full
				}
				items++
				mu.Unlock()   // wrong-kind: putted
				cond.Signal() // wrong-kind: put-signal
			}
			take := func() {
				mu.Lock() // wrong-kind: take
				for items == 0 {
					cond.Wait() // wrong-kind: empty
				}
				items--
				mu.Unlock()   // wrong-kind: taken
				cond.Signal() // wrong-kind: take-signal
			}
			for range 2 {
				c.Go(put)
				c.Go(take)
			}
		},
		want: `
			checked       main/2 held the lock from {put}, after main/0's sync/mutex-unlock at {putted}
			posted        main/1's sync/mutex-unlock at {taken}, while main/2 waited
			notification  main/0's sync/cond-signal at {put-signal} woke main/1; main/1's sync/cond-signal at {take-signal} woke main/3, which waited again at {empty}
			sleeps        main/2 at {full}`,
		or: `
			checked       main/2 held the lock from {put}, after main/0's sync/mutex-unlock at {putted}
			posted        main/1's sync/mutex-unlock at {taken}, while main/2 waited
			notification  main/1's sync/cond-signal at {take-signal} woke main/3, which waited again at {empty}
			sleeps        main/2 at {full}`,
	},
	{
		name: "two-predicates",
		body: func(c *chaos.C) { // one condition, two things to wait for, and one signal
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			a, b := false, false
			c.Go(func() {
				mu.Lock() // two-predicates: b-lock
				for !b {
					cond.Wait() // two-predicates: b-wait
				}
				mu.Unlock()
			})
			c.Go(func() {
				mu.Lock()
				a = true
				mu.Unlock()   // two-predicates: post
				cond.Signal() // two-predicates: signal
			})
			mu.Lock() // two-predicates: a-lock
			for !a {
				cond.Wait() // two-predicates: a-wait
			}
			b = true
			mu.Unlock()
			cond.Signal()
		},
		want: `
			checked       main held the lock from {a-lock}, after main/0's sync/mutex-unlock at {b-wait}
			posted        main/1's sync/mutex-unlock at {post}, while main waited
			notification  main/1's sync/cond-signal at {signal} woke main/0, which waited again at {b-wait}
			sleeps        main at {a-wait}`,
	},
	{
		name: "stale-timer",
		body: func(c *chaos.C) { // a timer uses the lock after the post, and changes nothing
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			ready, ticks := false, 0
			time.AfterFunc(time.Second, func() {
				mu.Lock()
				ticks++
				mu.Unlock() // stale-timer: tick
			})
			c.Go(func() {
				mu.Lock()
				ready = true
				mu.Unlock() // stale-timer: post
			})
			mu.Lock() // stale-timer: lock
			for !ready {
				cond.Wait() // stale-timer: wait
			}
			mu.Unlock()
		},
		want: `
			checked       main held the lock from {lock}
			posted        main/0's sync/mutex-unlock at {post}, while main waited
			notification  none was sent after that
			sleeps        main at {wait}`,
	},
	{
		name: "two-waiters",
		body: func(c *chaos.C) { // both may continue, one is woken
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			ready := false
			wait := func() {
				mu.Lock() // two-waiters: lock
				for !ready {
					cond.Wait() // two-waiters: wait
				}
				mu.Unlock()
			}
			c.Go(wait)
			c.Go(wait)
			mu.Lock()
			ready = true
			mu.Unlock()   // two-waiters: post
			cond.Signal() // two-waiters: signal
		},
		want: `
			checked       main/0 held the lock from {lock}, after main/1's sync/mutex-unlock at {wait}
			posted        main's sync/mutex-unlock at {post}, while main/0 waited
			notification  main's sync/cond-signal at {signal} woke main/1
			sleeps        main/0 at {wait}`,
	},
	{
		name: "chain",
		body: func(c *chaos.C) { // the woken task has to wake the next, and counts wrongly
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			permits := 0
			acquire := func() {
				mu.Lock() // chain: lock
				for permits == 0 {
					cond.Wait() // chain: wait
				}
				permits--
				if permits > 1 {
					cond.Signal()
				}
				mu.Unlock() // chain: acquired
			}
			c.Go(acquire)
			c.Go(acquire)
			mu.Lock()
			permits += 2
			cond.Signal() // chain: signal
			mu.Unlock()   // chain: post
		},
		want: `
			checked       main/0 held the lock from {lock}, after main/1's sync/mutex-unlock at {wait}
			posted        main's sync/mutex-unlock at {post}, while main/0 waited
			notification  main's sync/cond-signal at {signal} woke main/1
			sleeps        main/0 at {wait}`,
	},
	{
		name: "barging",
		body: func(c *chaos.C) { // a task that waits again, as another was faster, does not count as a waiter
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			items, waiters := 0, 0
			take := func() {
				mu.Lock() // barging: lock
				if items == 0 {
					waiters++
				}
				for items == 0 {
					cond.Wait() // barging: wait
				}
				items--
				mu.Unlock() // barging: taken
			}
			c.Go(take)
			c.Go(take)
			for range 2 {
				mu.Lock()
				items++
				if waiters > 0 {
					waiters--
					cond.Signal() // barging: signal
				}
				mu.Unlock() // barging: post
			}
		},
		want: `
			checked       main/1 held the lock from {wait}, after main/0's sync/mutex-unlock at {taken}
			posted        main's sync/mutex-unlock at {post}, while main/1 waited
			notification  none was sent after that; before it, main's sync/cond-signal at {signal} woke main/1, which waited again at {wait}
			sleeps        main/1 at {wait}`,
	},
	{
		name: "dropped",
		body: func(c *chaos.C) { // by a fault at a hook point of the program's own
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			ready := false
			c.Go(func() {
				mu.Lock()
				ready = true
				mu.Unlock()                           // dropped: post
				for range hooks.Notify(notifyPoint) { // dropped: notify
					cond.Signal()
				}
			})
			mu.Lock() // dropped: lock
			for !ready {
				cond.Wait() // dropped: wait
			}
			mu.Unlock()
		},
		want: `
			checked       main held the lock from {lock}
			posted        main/0's sync/mutex-unlock at {post}, while main waited
			notification  main/0's explain-test/notify at {notify} was dropped by the plan
			sleeps        main at {wait}`,
		options: []chaos.Option{chaos.WithPlan(plan.Plan{Faults: []plan.Fault{{At: "explain-test/notify", Kind: hooks.Drops}}})},
	},
	{
		name: "dropped-signal",
		body: func(c *chaos.C) { // by a fault at the condition's own hook point
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			ready := false
			c.Go(func() {
				mu.Lock()
				ready = true
				mu.Unlock()   // dropped-signal: post
				cond.Signal() // dropped-signal: signal
			})
			mu.Lock() // dropped-signal: lock
			for !ready {
				cond.Wait() // dropped-signal: wait
			}
			mu.Unlock()
		},
		want: `
			checked       main held the lock from {lock}
			posted        main/0's sync/mutex-unlock at {post}, while main waited
			notification  main/0's sync/cond-signal at {signal} was dropped by the plan
			sleeps        main at {wait}`,
		options: []chaos.Option{chaos.WithPlan(plan.Plan{Faults: []plan.Fault{{At: "sync/cond-signal", Kind: hooks.Drops}}})},
	},
	{
		name: "duplicated",
		body: func(c *chaos.C) { // a toggle that a fault switches on and off again
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			on := false
			c.Go(func() {
				for range hooks.Notify(notifyPoint) { // duplicated: notify
					mu.Lock()
					on = !on
					mu.Unlock()   // duplicated: toggle
					cond.Signal() // duplicated: signal
				}
			})
			mu.Lock() // duplicated: lock
			for !on {
				cond.Wait() // duplicated: wait
			}
			mu.Unlock()
		},
		want: `
			checked       main held the lock from {wait}, after main/0's sync/mutex-unlock at {toggle}
			notification  main/0's explain-test/notify at {notify} was duplicated by the plan
			sleeps        main at {wait}`,
		options: []chaos.Option{chaos.WithPlan(plan.Plan{Faults: []plan.Fault{{At: "explain-test/notify", Kind: hooks.Duplicates}}})},
	},
	{
		name: "stopped-timer",
		body: func(c *chaos.C) { // the timer that was to post is stopped
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			late := false
			timer := time.AfterFunc(time.Second, func() {
				mu.Lock()
				late = true
				mu.Unlock()
				cond.Signal()
			})
			timer.Stop()
			mu.Lock() // stopped-timer: lock
			for !late {
				cond.Wait() // stopped-timer: wait
			}
			mu.Unlock()
		},
		want: `
			checked       main held the lock from {lock}
			notification  none was sent after that
			sleeps        main at {wait}`,
	},
}

var notifyPoint = hooks.Declare("explain-test/notify", "a waiter is to be notified", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
