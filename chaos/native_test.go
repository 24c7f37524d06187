//go:build !chaos

package chaos_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
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
			want, said = " deferred second first", "\nlog of this execution\n    at native_test.go:"
		}
		if r.Failed() != fails || order != want || !strings.Contains(r.Log, said) || !fails && r.Log != "" {
			t.Errorf("failed: %v, want %v; cleanups:%s; %s", r.Failed(), fails, order, r.Log)
		}
	}
}

// Without the tag a replay, or one execution again, cannot be: a test that passed then
// would prove nothing.
func TestReplayNeedsTheTag(t *testing.T) {
	for _, args := range [][]string{
		{"-test.run=^TestExploreRunsOnce$", "-chaos.replay=missing.rouse"},
		{"-test.run=^TestNoSuchTest$", "-chaos.replay=missing.rouse"},
	} {
		out, err := exec.Command(os.Args[0], args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "-chaos.replay: needs a binary built with -tags chaos") {
			t.Errorf("%s: %v: %s", args, err, out)
		}
	}
	for variable, value := range map[string]string{"CHAOS_REPLAY": "missing.rouse", "CHAOS_EXECUTION": "3"} {
		os.Setenv(variable, value)
		r := explore(func(c *chaos.C) {})
		os.Unsetenv(variable)
		if !r.Failed() || !strings.Contains(r.Log, "needs a binary built with -tags chaos") {
			t.Errorf("%s=%s, failed: %v: %s", variable, value, r.Failed(), r.Log)
		}
	}
	if err := flag.Set("chaos.execution", "3"); err != nil {
		t.Fatal(err)
	}
	r := explore(func(c *chaos.C) {})
	if err := flag.Set("chaos.execution", ""); err != nil {
		t.Fatal(err)
	}
	if !r.Failed() || !strings.Contains(r.Log, "-chaos.execution=3 needs a binary built with -tags chaos") {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
}

// A regression test by Replay runs its body, but not without its recording.
func TestReplayOfAMissingFile(t *testing.T) {
	r := faketest.New("Test")
	var wg sync.WaitGroup
	wg.Go(func() { chaos.Replay(r, filepath.Join(t.TempDir(), "missing.rouse"), func(c *chaos.C) {}) })
	wg.Wait()
	if !r.Failed() || !strings.Contains(r.Log, "missing.rouse") {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
}
