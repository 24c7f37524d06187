//go:build chaos

package chaos_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/faketest"
)

// A cleaned is a test with the methods that ReplayTest needs besides.
type cleaned struct {
	*faketest.Test
	cleanups []func()
}

func (t *cleaned) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

func (t *cleaned) Errorf(format string, args ...any) {
	t.Logf(format, args...)
	t.Fail()
}

func replayTest(file string, test func(t *cleaned)) *faketest.Test {
	c := &cleaned{}
	faketest.Run("TestRegression", func(r *faketest.Test) {
		c.Test = r
		chaos.ReplayTest(c, file, test)
	})
	for _, f := range c.cleanups {
		f()
	}
	return c.Test
}

// Catches: a regression test that passes with the bug, fails without it, runs other explorations, passes though the
// recorded one is gone, or does not say that the code has moved on.
func TestReplayTest(t *testing.T) {
	dir := t.TempDir()
	runs := 0
	body := func(add func(c *chaos.C, x *atomic.Int64)) func(t *cleaned) {
		return func(t *cleaned) {
			chaos.Explore(t, func(c *chaos.C) {
				runs++
				var x atomic.Int64
				var wg sync.WaitGroup
				wg.Add(2)
				for range 2 {
					c.Go(func() { defer wg.Done(); add(c, &x) })
				}
				wg.Wait()
				if x.Load() != 2 {
					c.Errorf("lost")
				}
			}, chaos.WithDir(dir))
		}
	}
	bug := body(func(_ *chaos.C, x *atomic.Int64) { x.Store(x.Load() + 1) })
	first := &cleaned{}
	faketest.Run("TestLost", func(r *faketest.Test) { first.Test = r; bug(first) })
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.rouse"))
	if len(files) != 1 {
		t.Fatalf("%d recordings: %s", len(files), first.Log)
	}
	for name, x := range map[string]struct {
		test   func(t *cleaned)
		failed bool
		want   string
		most   int // runs of the body, with those that explain the failure
	}{
		"bug":       {bug, true, "wrong-result", 500},
		"fixed":     {body(func(_ *chaos.C, x *atomic.Int64) { x.Add(1) }), false, "no longer happens; its schedule applies", 5},
		"other bug": {body(func(*chaos.C, *atomic.Int64) { panic("bang") }), true, "panic, by the schedule of ", 500},
		"gone":      {func(*cleaned) {}, true, "it is a recording of Explore no. 1 of TestLost, which has not been called", 0},
		"moved": {func(t *cleaned) {
			chaos.Explore(t, func(*chaos.C) { runs++ }, chaos.WithDir(dir))
		}, false, "no longer happens; the code has moved on: 1 of its 1 decisions do not apply", 5},
		"only another": {func(t *cleaned) {
			chaos.Explore(t, func(*chaos.C) {}, chaos.WithDir(dir))
			chaos.Explore(t, func(*chaos.C) { panic("explored") }, chaos.WithDir(dir))
		}, false, "not explored: ", 0},
	} {
		runs = 0
		r := replayTest(files[0], x.test)
		if r.Failed() != x.failed || !strings.Contains(r.Log, x.want) || runs > x.most {
			t.Errorf("%s: failed: %v after %d runs, want %v and %q:\n%s", name, r.Failed(), runs, x.failed, x.want, r.Log)
		}
	}
	if r := replayTest(filepath.Join(dir, "none.rouse"), func(*cleaned) { panic("run") }); !r.Failed() || !strings.Contains(r.Log, "none.rouse") {
		t.Errorf("without a file: failed: %v: %s", r.Failed(), r.Log)
	}
}
