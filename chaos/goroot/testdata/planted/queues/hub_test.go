package queues

import (
	"sync"
	"testing"
)

func TestHubUnsubscribe(t *testing.T) {
	var h Hub
	c, unsubscribe := h.Subscribe()
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, m := range []string{"one", "two", "three"} {
			h.Publish(m)
		}
	})
	wg.Go(func() {
		for range c {
			unsubscribe() // one message is enough
		}
	})
	wg.Wait()
	unsubscribe()
}
