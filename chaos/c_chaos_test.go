//go:build chaos

package chaos_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/faketest"
	"go.uber.org/goleak"
)

// What libraries of assertions ask of a test.
var _ interface {
	goleak.TestingT
	chaos.TB
	Helper()
	Log(args ...any)
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fail()
	FailNow()
	Failed() bool
	Name() string
	Cleanup(f func())
} = (*chaos.C)(nil)

// require is a helper as libraries of assertions have them.
func require(t interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
}, ok bool) {
	t.Helper()
	if !ok {
		t.Errorf("\n\tError:  \tnot so\n\tWanted: \tso\n")
		t.FailNow()
	}
}

// The report of a failure has the log of the execution that failed, by task and place.
func TestLogOfAFailure(t *testing.T) {
	dir := t.TempDir()
	body := func(_ *faketest.Test, c *chaos.C) {
		var x atomic.Int64
		var wg sync.WaitGroup
		c.Log("begins", c.Name())
		for range 2 {
			wg.Go(func() {
				n := x.Load()
				c.Logf("read %d", n)
				x.Store(n + 1)
			})
		}
		wg.Wait()
		require(c, x.Load() == 2)
	}
	r := explore(dir, body)
	for _, want := range []string{
		`^wrong-result in execution \d+ \(portfolio\): Error: not so Wanted: so\n`,
		`\n\nlog of this execution\n    main at c_chaos_test.go:5\d: begins Test/of_explore\n` +
			`    main/[01] at c_chaos_test.go:5\d: read 0\n    main/[01] at c_chaos_test.go:5\d: read 0\n` +
			`    main at c_chaos_test.go:6\d: \n        \tError:  \tnot so\n        \tWanted: \tso\n\nrecorded`,
	} {
		if !r.Failed() || !regexp.MustCompile(want).MatchString(r.Log) {
			t.Errorf("the message does not match %s:\n%s", want, r.Log)
		}
	}
	reproduced(t, dir, body, control.Options{})
	again := explore(dir, body, chaos.WithExecutions(1))
	if !strings.Contains(again.Log, "still happens") || !strings.Contains(again.Log, ": read 0\n    main/") {
		t.Errorf("the repeated failure has no log:\n%s", again.Log)
	}
	if passing := explore(t.TempDir(), func(_ *faketest.Test, c *chaos.C) { c.Logf("this is not printed") }); passing.Failed() || passing.Log != "" {
		t.Errorf("failed: %v: %s", passing.Failed(), passing.Log)
	}
}

// Catches: a task whose function is a helper, and whose place in the log is one in the engine.
func TestPlaceOfAHelper(t *testing.T) {
	r := explore(t.TempDir(), func(_ *faketest.Test, c *chaos.C) {
		c.Go(func() {
			c.Helper()
			c.Error("it fails")
		})
	}, chaos.WithExecutions(1))
	if !r.Failed() || !regexp.MustCompile(`main/0 at c_chaos_test.go:\d+: it fails\n`).MatchString(r.Log) {
		t.Errorf("the message has another place:\n%s", r.Log)
	}
}

// Each way in which a body ends runs its cleanups, last first, each to its end.
func TestCleanupOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		body  func(r *faketest.Test, c *chaos.C, log func(string))
		want  string // the cleanups
		fails string // how the message begins; "" is a pass
	}{
		{"returns", func(*faketest.Test, *chaos.C, func(string)) {}, "second first", ""},
		{"panics", func(*faketest.Test, *chaos.C, func(string)) { panic("bang") }, "second first", "panic in execution 0 (portfolio): task main: panic: bang"},
		{"FailNow", func(_ *faketest.Test, c *chaos.C, _ func(string)) { c.FailNow() }, "second first", "wrong-result in execution 0 (portfolio): C.Fail or C.FailNow was called at c_chaos_test.go:"},
		{"Fatal", func(_ *faketest.Test, c *chaos.C, _ func(string)) { c.Fatal("x", 1) }, "second first", "wrong-result in execution 0 (portfolio): x 1\n"},
		{"Errorf", func(_ *faketest.Test, c *chaos.C, log func(string)) {
			c.Errorf("it was %d", 1)
			log("on")
			if !c.Failed() {
				panic("not failed")
			}
			c.Errorf("and %d", 2)
		}, "on second first", "wrong-result in execution 0 (portfolio): it was 1\n"},
		{"Errorf, then an operation", func(_ *faketest.Test, c *chaos.C, log func(string)) {
			c.Error("it was", 1)
			new(sync.Mutex).Lock()
			log("on")
		}, "second first", "wrong-result in execution 0 (portfolio): it was 1\n"},
		{"FailNow of another task", func(_ *faketest.Test, c *chaos.C, log func(string)) {
			var wg sync.WaitGroup
			wg.Go(func() {
				defer log("deferred")
				c.FailNow()
				log("on")
			})
			wg.Wait()
			log("on")
		}, "deferred second first", "wrong-result in execution 0 (portfolio): C.Fail or C.FailNow was called at"},
		{"deadlock", func(*faketest.Test, *chaos.C, func(string)) {
			var mu sync.Mutex
			mu.Lock()
			mu.Lock()
		}, "second first", "deadlock in execution 0"},
		{"the test's FailNow", func(r *faketest.Test, _ *chaos.C, _ func(string)) { r.FailNow() }, "second first", "wrong-result in execution 0 (portfolio): the body has failed the test"},
		{"a cleanup that panics", func(_ *faketest.Test, c *chaos.C, log func(string)) {
			c.Cleanup(func() { log("third"); panic("bang") })
		}, "third second first", "panic in execution 0 (portfolio): task main: panic: bang"},
		{"the first cleanup panics", func(_ *faketest.Test, c *chaos.C, log func(string)) {
			c.Cleanup(func() { c.Cleanup(func() { log("fourth"); panic("bang") }); log("third") })
		}, "third fourth second first", "panic in execution 0 (portfolio): task main: panic: bang"},
		{"a cleanup that fails", func(_ *faketest.Test, c *chaos.C, log func(string)) {
			c.Cleanup(func() { log("third"); c.Fatalf("no") })
		}, "third second first", "wrong-result in execution 0 (portfolio): no\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			var order []string
			log := func(s string) { order = append(order, s) }
			body := func(r *faketest.Test, x *chaos.C) {
				order = nil
				for _, name := range []string{"first", "second"} {
					x.Cleanup(func() {
						var mu sync.Mutex
						mu.Lock() // an operation: it does not end the cleanup
						log(name)
						mu.Unlock()
					})
				}
				c.body(r, x, log)
			}
			r := explore(dir, body, chaos.WithExecutions(3))
			if got := strings.Join(order, " "); got != c.want {
				t.Errorf("ran %s, want %s", got, c.want)
			}
			if r.Failed() != (c.fails != "") || !strings.HasPrefix(r.Log, c.fails) {
				t.Errorf("failed: %v, want %q: %s", r.Failed(), c.fails, r.Log)
			}
			if c.fails != "" && c.name != "the test's FailNow" { // of that the engine knows nothing
				reproduced(t, dir, body, control.Options{})
			}
		})
	}
}

// Cleanups are part of the execution: what they do is explored, and a task that they end
// is no leak.
func TestCleanupsAreExplored(t *testing.T) {
	closes := func(late bool) func(*faketest.Test, *chaos.C) {
		return func(_ *faketest.Test, c *chaos.C) {
			quit, closed := make(chan struct{}), new(atomic.Bool)
			c.Cleanup(func() {
				if late {
					channel.Close(quit)
				}
				closed.Store(true)
				if !late {
					channel.Close(quit)
				}
			})
			c.Go(func() {
				channel.Receive(quit)
				if !closed.Load() {
					c.Errorf("not closed yet")
				}
			})
		}
	}
	if r := explore(t.TempDir(), closes(false)); r.Failed() {
		t.Errorf("failed: %s", r.Log)
	}
	dir := t.TempDir()
	if r := explore(dir, closes(true)); !r.Failed() || !strings.Contains(r.Log, "not closed yet") {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
	reproduced(t, dir, closes(true), control.Options{})
}

// A cleanup that nothing would call is refused.
func TestCleanupAfterTheEnd(t *testing.T) {
	dir := t.TempDir()
	body := func(_ *faketest.Test, c *chaos.C) { c.Go(func() { c.Cleanup(func() {}) }) }
	r := explore(dir, body)
	if !r.Failed() || !strings.Contains(r.Log, "C.Cleanup: the body has ended") {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
	reproduced(t, dir, body, control.Options{})
}
