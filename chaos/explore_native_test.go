//go:build !chaos

package chaos_test

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/faketest"
)

func explore(f func(c *chaos.C)) *faketest.Test {
	return faketest.Run("Test", func(r *faketest.Test) { chaos.Explore(r, f) })
}

// Without the tag the body runs once, truly parallel, and its tasks are waited for.
func TestExploreRunsOnce(t *testing.T) {
	runs, tasks := 0, make(chan int, 2)
	r := explore(func(c *chaos.C) {
		runs++
		c.OnStuck(func(control.Result) (verdict.Verdict, string) { panic("the judge ran natively") })
		for i := range 2 {
			c.Go(func() { tasks <- i })
		}
		if c.Choose(3) != 0 {
			c.Errorf("Choose returned natively")
		}
	})
	if r.Failed() || runs != 1 || len(tasks) != 2 {
		t.Errorf("failed: %v (%s), %d runs, %d tasks; want 1, 2", r.Failed(), r.Log, runs, len(tasks))
	}
}

func TestExploreFailsOnce(t *testing.T) {
	r := explore(func(c *chaos.C) {
		c.Errorf("it was %d", 1)
		c.Fatalf("and ended")
		panic("Fatalf returned")
	})
	if !r.Failed() || !strings.HasPrefix(r.Log, "it was 1") {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
}

// The log is shown if the execution fails; cleanups run in both cases.
func TestExploreLogsAndCleansUp(t *testing.T) {
	for _, fails := range []bool{false, true} {
		order := ""
		r := explore(func(c *chaos.C) {
			c.Cleanup(func() { order += " first" })
			c.Cleanup(func() { order += " second" })
			c.Log("by", c.Name())
			if fails {
				defer func() { order += " deferred" }()
				c.FailNow()
			}
		})
		want, said := " second first", ""
		if fails {
			want, said = " deferred second first", "\nlog of this execution\n    at explore_native_test.go:"
		}
		if r.Failed() != fails || order != want || !strings.Contains(r.Log, said) || !fails && r.Log != "" {
			t.Errorf("failed: %v, want %v; cleanups:%s; %s", r.Failed(), fails, order, r.Log)
		}
	}
}
