package explored

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
)

func TestLost(t *testing.T) { explore(t, func(n *atomic.Int64) { n.Store(n.Load() + 1) }) }

func TestLostFixed(t *testing.T) { explore(t, func(n *atomic.Int64) { n.Add(1) }) }

func explore(t *testing.T, add func(n *atomic.Int64)) {
	chaos.Explore(t, func(c *chaos.C) {
		var n, ended atomic.Int64
		c.Go(func() {
			add(&n)
			ended.Store(1)
		})
		add(&n)
		if ended.Load() == 1 && n.Load() != 2 {
			c.Errorf("%d, want 2", n.Load())
		}
	})
}
