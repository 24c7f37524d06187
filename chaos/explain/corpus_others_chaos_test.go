//go:build chaos

package explain_test

import (
	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// Waits for groups, functions and locks.
var others = []program{
	{
		name: "not-done",
		body: func(c *chaos.C) { // one way out of the task does not count it
			var wg sync.WaitGroup
			var failed atomic.Bool
			wg.Add(2)
			c.Go(func() {
				failed.Store(true)
				wg.Done() // not-done: done
			})
			c.Go(func() {
				if failed.Load() {
					return
				}
				wg.Done() // not-done: other
			})
			wg.Wait() // not-done: wait
		},
		want: `
			count         the last change was main/0's sync/waitgroup-done at {done}: counter 1
			sleeps        main at {wait}`,
	},
	{
		name: "once",
		body: func(c *chaos.C) { // the function waits for one that waits for the function
			var once sync.Once
			var mu sync.Mutex
			c.Go(func() {
				mu.Lock()          // once: lock
				once.Do(func() {}) // once: second
				mu.Unlock()
			})
			once.Do(func() { // once: first
				mu.Lock() // once: inner
				//lint:ignore SA2001 only the wait counts
				mu.Unlock()
			})
		},
		want: `
			lock          main has since {first}
			sleeps        main/0 at {second}`,
	},
	{
		name: "readers",
		body: func(c *chaos.C) { // the second read waits for the writer, which waits for it
			var mu sync.RWMutex
			c.Go(func() {
				mu.Lock() // readers: write
				//lint:ignore SA2001 only the wait counts
				mu.Unlock()
			})
			mu.RLock() // readers: first
			mu.RLock() // readers: again
			//lint:ignore SA2001 only the wait counts
			mu.RUnlock()
			mu.RUnlock()
		},
		want: `
			lock          main has since {first}; main/0 waits for the readers of since {write}
			sleeps        main at {again}`,
	},
}
