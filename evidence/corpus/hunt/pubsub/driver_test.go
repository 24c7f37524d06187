package example

import (
	"testing"

	"github.com/cskr/pubsub/v2"
)

// A subscriber reads and unsubscribes while another goroutine publishes and shuts down.
func TestUnsubBesideTryPub(t *testing.T) {
	ps := pubsub.New[string, int](1)
	once, all := ps.SubOnceEach("a", "b"), ps.Sub("a")
	done := make(chan struct{})
	go func() {
		defer close(done)
		ps.TryPub(1, "a", "b")
		ps.TryPub(2, "a")
	}()
	go ps.Unsub(all, "a")
	for range all {
	}
	<-done
	ps.Shutdown()
	for range once {
	}
}
