//go:build chaos

package chaos_test

import (
	"os"
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

// TestWithSchedule: the schedule is that of the bytes, nothing else has a say, and nothing is recorded.
func TestWithSchedule(t *testing.T) {
	t.Setenv("CHAOS_STRATEGY", "pct(3)")
	t.Setenv("CHAOS_EXECUTION", "7")
	dir := t.TempDir()
	if r := explore(dir, lost, chaos.WithSchedule(nil), chaos.WithExecutions(100)); r.Failed() {
		t.Errorf("without bytes: %s", r.Log)
	}
	failed := map[string]bool{}
	for i := range 64 {
		schedule := []byte{byte(i & 1), byte(i >> 1 & 1), byte(i >> 2 & 1), byte(i >> 3 & 1), byte(i >> 4 & 1), byte(i >> 5)}
		r := explore(dir, lost, chaos.WithSchedule(schedule))
		again := explore(dir, lost, chaos.WithSchedule(schedule))
		if r.Failed() != again.Failed() || r.Log != again.Log {
			t.Errorf("%v: first %q, then %q", schedule, r.Log, again.Log)
		}
		if r.Failed() {
			failed[r.Log] = true
			if !strings.HasPrefix(r.Log, "wrong-result in the schedule of the input: two increments made 1") || !strings.Contains(r.Log, "decisions that are not the default") || strings.Contains(r.Log, "-chaos.") {
				t.Errorf("%v: %s", schedule, r.Log)
			}
		}
	}
	if len(failed) == 0 {
		t.Error("no schedule of six bytes loses an increment")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// TestInputsAreRepeated: one input in 64 shows that the body is not a function of its schedule.
func TestInputsAreRepeated(t *testing.T) {
	found := 0
	for i := range 128 {
		executions := 0
		r := explore(t.TempDir(), func(_ *faketest.Test, c *chaos.C) {
			var x atomic.Int64
			for range executions {
				x.Add(1)
			}
			executions++
		}, chaos.WithSchedule([]byte{byte(i)}))
		if r.Failed() {
			found++
			if !strings.HasPrefix(r.Log, "nondeterminism in the schedule of the input: ") || strings.Contains(r.Log, "found with") {
				t.Error(r.Log)
			}
		}
	}
	if found == 0 || found > 8 {
		t.Errorf("found with %d inputs of 128", found)
	}
}
