package chaos_test

import (
	stdatomic "sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
)

// Tests that call t.Parallel explore one after the other. Each execution begins while no
// other test's is under way.
func TestParallelExplorationsTakeTurns(t *testing.T) {
	var exploring, executions stdatomic.Int32
	t.Run("all", func(t *testing.T) {
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				chaos.Explore(t, func(c *chaos.C) {
					if n := exploring.Add(1); n > 1 && hooks.Enabled {
						c.Errorf("%d executions are under way", n)
					}
					defer exploring.Add(-1)
					executions.Add(1)
					var mu sync.Mutex
					n := 0
					var wg sync.WaitGroup
					for range 2 {
						wg.Go(func() { mu.Lock(); n++; mu.Unlock() })
					}
					wg.Wait()
					if n != 2 {
						c.Errorf("counted %d, want 2", n)
					}
				}, chaos.WithDir(t.TempDir()), chaos.WithExecutions(20))
			})
		}
	})
	want := int32(5)
	if hooks.Enabled {
		want = 5 * 21 // one execution of each is repeated by the guard
	}
	if n := executions.Load(); n != want {
		t.Errorf("%d executions, want %d", n, want)
	}
}
