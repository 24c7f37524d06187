// Package join uses chaos.Explore: package goroot runs its tests under the driver.
package join

import (
	"sync"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
)

func TestPasses(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		var mu sync.Mutex
		n := 0
		for range 2 {
			c.Go(func() {
				mu.Lock()
				defer mu.Unlock()
				n++
			})
		}
		c.Cleanup(func() { t.Log("cleaned up") })
		c.Logf("in %s", c.Name())
	})
}

func TestLost(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		var mu sync.Mutex
		n := 0
		var done sync.WaitGroup
		for range 2 {
			done.Add(1)
			c.Go(func() {
				defer done.Done()
				mu.Lock()
				v := n
				mu.Unlock()
				mu.Lock()
				n = v + 1
				mu.Unlock()
			})
		}
		done.Wait()
		if n != 2 {
			c.Errorf("lost: n is %d", n)
		}
	})
}

func TestChooses(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		if a, b := c.Choose(4), c.Choose(4); a == 3 && b == 2 {
			c.Fatalf("chose %d and %d", a, b)
		}
	})
}

func TestStuck(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		c.OnStuck(func(stuck control.Result) (verdict.Verdict, string) {
			return verdict.LostTask, "in a " + string(stuck.Verdict)
		})
		a, b := make(chan int), make(chan int)
		c.Go(func() { a <- 1; <-b })
		b <- 1
		<-a
	})
}

func TestPanics(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		c.Cleanup(func() { c.Logf("cleaned up") })
		panics()
	})
}

func panics() { panic("so it goes") }

var notify = hooks.Declare("join/notify", "a waiter is about to be woken", hooks.Drops|hooks.Disturbs)

// TestDrops hangs if a notification is dropped, with the tag chaos.
func TestDrops(t *testing.T) {
	plan := chaos.Plan{Faults: []chaos.Fault{{At: "join/notify", Kind: hooks.Drops, Probability: 0.3}}}
	chaos.Explore(t, func(c *chaos.C) {
		ready := make(chan bool, 3)
		for range 3 {
			c.Go(func() {
				for range hooks.Notify(notify) {
					ready <- true
					if !hooks.Enabled {
						break
					}
				}
			})
		}
		for range 3 {
			<-ready
		}
	}, chaos.WithPlan(plan))
}

func TestReplays(t *testing.T) {
	chaos.Replay(t, "none.rouse", func(*chaos.C) { t.Error("the body runs") })
}
