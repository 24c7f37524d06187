package pool

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/sleep"
)

// Catches: room that is lost if it is given to a waiter whose context has ended, but which
// has not given up yet.
func TestRoomGivenAtTheEndOfTheContext(t *testing.T) {
	g := &gate{room: 1}
	if !g.try(1) || g.try(1) {
		t.Error("not one for the room of one")
	}
	ctx, cancel := context.WithCancel(context.Background())
	err := g.enter(ctx, new(sleep.LockLatch), func() {
		g.leave(nil) // gives the room to the waiter here
		cancel()
		if g.try(1) {
			t.Error("the room was given to two")
		}
	})
	if err != nil {
		t.Errorf("a waiter that was given room before it gave up got %v", err)
	}
	g.leave(nil)
	if g.room != 1 || len(g.waiting) != 0 {
		t.Errorf("room for %d, %d wait", g.room, len(g.waiting))
	}
}
