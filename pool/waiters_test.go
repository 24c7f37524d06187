package pool

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/sleep"
)

// Catches: a waiter that has given up and is remembered until the event comes, which
// may be never; and one that is made to give up although the event has come.
func TestWaitersThatGiveUp(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	var q waiters
	for range 3 {
		if err := q.wait(ended); err != context.Canceled {
			t.Error(err)
		}
	}
	if n := len(q.list); n != 0 {
		t.Errorf("%d waiters are remembered", n)
	}
	latch := new(sleep.LockLatch)
	if !q.add(latch) {
		t.Error("the event has not come yet")
	}
	q.come()
	if err := q.gaveUp(ended, latch); err != nil || !latch.Probe() {
		t.Errorf("the event has come, the context has ended, too: %v", err)
	}
}
