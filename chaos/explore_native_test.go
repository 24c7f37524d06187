//go:build !chaos

package chaos_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// A recorder is a test that is run to see what becomes of it.
type recorder struct {
	failed bool
	said   string
}

func (r *recorder) Helper()                         {}
func (r *recorder) Name() string                    { return "Test" }
func (r *recorder) Failed() bool                    { return r.failed }
func (r *recorder) Logf(format string, args ...any) { r.said += fmt.Sprintf(format, args...) }
func (r *recorder) FailNow()                        { r.failed = true; runtime.Goexit() }
func (r *recorder) Fatalf(format string, args ...any) {
	r.Logf(format, args...)
	r.FailNow()
}

func explore(f func(c *chaos.C)) *recorder {
	r := new(recorder)
	var wg sync.WaitGroup
	wg.Go(func() { chaos.Explore(r, f) })
	wg.Wait()
	return r
}

// Without the tag the body runs once, truly parallel, and its tasks are waited for.
func TestExploreRunsOnce(t *testing.T) {
	runs, tasks := 0, make(chan int, 2)
	r := explore(func(c *chaos.C) {
		runs++
		c.OnStuck(func(control.Result) (verdict.Verdict, string) { panic("somebody knows when f is stuck") })
		for i := range 2 {
			c.Go(func() { tasks <- i })
		}
		if c.Choose(3) != 0 {
			c.Errorf("a choice is made by nobody")
		}
	})
	if r.failed || runs != 1 || len(tasks) != 2 {
		t.Errorf("failed: %v (%s), %d runs, %d tasks; want 1, 2", r.failed, r.said, runs, len(tasks))
	}
}

func TestExploreFailsOnce(t *testing.T) {
	r := explore(func(c *chaos.C) {
		c.Errorf("it was %d", 1)
		c.Fatalf("and ended")
		panic("Fatalf returned")
	})
	if !r.failed || !strings.HasPrefix(r.said, "it was 1") {
		t.Errorf("failed: %v: %s", r.failed, r.said)
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
		if r.failed != fails || order != want || !strings.Contains(r.said, said) || !fails && r.said != "" {
			t.Errorf("failed: %v, want %v; cleanups:%s; %s", r.failed, fails, order, r.said)
		}
	}
}
