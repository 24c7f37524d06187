//go:build chaos

package sleep

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks"
)

// Catches: a waiter of a LockLatch that does not look again when its wait has ended
// for no reason, and one that misses the only Set.
func TestLockLatchWaitsUntilSet(t *testing.T) {
	for name, plan := range map[string]chaos.Plan{
		"no fault": {},
		"spurious": {Faults: []chaos.Fault{{At: "sync/cond-wait", Kind: hooks.SpuriousWakes, Count: 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			chaos.Explore(t, func(c *chaos.C) {
				var latch LockLatch
				for range 2 {
					c.Go(func() {
						latch.Wait()
						if !latch.Probe() {
							c.Error("Wait has returned before Set")
						}
					})
				}
				c.Go(latch.Set)
			}, chaos.WithPlan(plan), chaos.WithStrategy(strategy.DPOR()))
		})
	}
}
