//go:build chaos

package chaos_test

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/internal/faketest"
)

// The limits of an execution cut one that would end later.
func TestLimitsCut(t *testing.T) {
	const rounds = 1000
	adds := func(_ *faketest.Test, c *chaos.C) {
		var n atomic.Int64
		for range rounds {
			n.Add(1)
		}
	}
	polls := func(_ *faketest.Test, c *chaos.C) {
		var set atomic.Bool
		for range rounds {
			set.Load()
		}
	}
	for _, c := range []struct {
		body   func(*faketest.Test, *chaos.C)
		option chaos.Option
		want   string
	}{
		{adds, chaos.WithMaxSteps(rounds / 2), "timeout in execution 0 (portfolio): not done after 500 steps"},
		{polls, chaos.WithMaxSpins(10), "livelock in execution 0 (portfolio): "},
	} {
		if r := explore(t.TempDir(), c.body, chaos.WithExecutions(3)); r.Failed() {
			t.Errorf("without the limit: %s", r.Log)
		}
		if r := explore(t.TempDir(), c.body, chaos.WithExecutions(3), c.option); !r.Failed() || !strings.HasPrefix(r.Log, c.want) {
			t.Errorf("failed: %v: %s; want %s", r.Failed(), r.Log, c.want)
		}
	}
}
