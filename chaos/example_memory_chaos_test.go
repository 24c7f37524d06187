//go:build chaos

package chaos_test

import (
	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// A message and a flag. In Go any atomic store of the flag publishes the message; the
// argument of the code, as declared, is not enough if that store is relaxed.
func ExampleMemory() {
	for _, order := range []memory.Order{memory.Relaxed, memory.Release} {
		exploring("TestMessage", func(c *chaos.C) {
			var message, flag atomic.Uint32
			c.Go(func() {
				memory.StoreUint32(&message, 42, memory.Relaxed)
				memory.StoreUint32(&flag, 1, order)
			})
			if memory.LoadUint32(&flag, memory.Acquire) == 1 && memory.LoadUint32(&message, memory.Relaxed) != 42 {
				c.Errorf("no message")
			}
		}, chaos.WithMemory(control.Views))
	}
	// Output:
	// relies-on-sc: the load at example_memory_chaos_test.go:22 reads a store that is not the newest, and so: wrong-result: no message
	// pass
}
