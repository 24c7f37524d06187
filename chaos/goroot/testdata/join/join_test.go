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

var other = hooks.Declare("join/other", "of another plan", hooks.Drops)

// TestTurns runs plans side by side, each of which is injected into its own body only.
func TestTurns(t *testing.T) {
	for _, p := range []struct{ name, drops string }{{"a", "join/notify"}, {"b", "join/other"}, {"none", ""}} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			var options []chaos.Option
			if p.drops != "" {
				options = append(options, chaos.WithPlan(chaos.Plan{Faults: []chaos.Fault{{At: p.drops, Kind: hooks.Drops, Probability: 1}}}))
			}
			chaos.Explore(t, func(c *chaos.C) {
				for range 2 {
					c.Go(func() {
						for name, copies := range map[string]int{"join/notify": hooks.Notify(notify), "join/other": hooks.Notify(other)} {
							if name != p.drops && copies != 1 {
								c.Errorf("%s: %d copies at %s", p.name, copies, name)
							}
						}
					})
				}
			}, options...)
		})
	}
	if hooks.Notify(notify) != 1 {
		t.Error("a fault is left of an earlier execution")
	}
}

// TestTwice fails if the first body drops its first notification, and the second its second.
func TestTwice(t *testing.T) {
	plan := chaos.Plan{Faults: []chaos.Fault{{At: "join/notify", Kind: hooks.Drops, Probability: 0.3}}}
	var got [2][2]int
	for i := range got {
		hooks.Notify(notify)
		chaos.Explore(t, func(c *chaos.C) {
			for k := range got[i] {
				got[i][k] = hooks.Notify(notify)
			}
		}, chaos.WithPlan(plan))
	}
	if got == [2][2]int{{0, 1}, {1, 0}} {
		t.Error("dropped")
	}
}

// TestNested explores inside an execution, from another task of it.
func TestNested(t *testing.T) {
	chaos.Explore(t, func(c *chaos.C) {
		c.Go(func() { t.Run("inner", func(t *testing.T) { chaos.Explore(t, func(*chaos.C) {}) }) })
	})
}

func TestReplays(t *testing.T) {
	chaos.Replay(t, "none.rouse", func(*chaos.C) { t.Error("the body runs") })
}
