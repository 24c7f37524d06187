//go:build chaos

package chaos_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/internal/faketest"
)

// An Explore that a task calls would wait for the execution that waits for it.
func TestNestedExploreIsAnError(t *testing.T) {
	for name, call := range map[string]func(c *chaos.C, f func()){
		"by the body": func(_ *chaos.C, f func()) { f() },
		"by a task":   func(c *chaos.C, f func()) { c.Go(f) },
	} {
		t.Run(name, func(t *testing.T) {
			inner := faketest.New("Inner")
			outer := explore(t.TempDir(), func(_ *faketest.Test, c *chaos.C) {
				call(c, func() {
					chaos.Explore(inner, func(*chaos.C) { t.Error("the inner body runs") }, chaos.WithDir(t.TempDir()))
				})
			}, chaos.WithExecutions(3))
			if !inner.Failed() || !strings.Contains(inner.Log, "inside an execution") {
				t.Errorf("failed: %v, said %q; want that it is inside an execution", inner.Failed(), inner.Log)
			}
			if outer.Failed() {
				t.Errorf("the outer test failed: %s", outer.Log)
			}
		})
	}
	t.Run("natively", func(t *testing.T) {
		inner := faketest.New("Inner")
		var err error
		x, outer := native.Execute(chaos.Plan{}, func() {
			_, err = native.Execute(chaos.Plan{}, func() { t.Error("the inner subject runs") })
			chaos.Explore(inner, func(*chaos.C) { t.Error("the inner body runs") }, chaos.WithDir(t.TempDir()))
		})
		if outer != nil || x.Kind != native.Finished {
			t.Fatalf("%v, %v; want finished", x, outer)
		}
		if !errors.Is(err, native.ErrArmed) || !strings.Contains(inner.Log, "inside an execution") {
			t.Errorf("Execute: %v; Explore: %q", err, inner.Log)
		}
	})
}

// Executions of both kinds take turns.
func TestExploreAndExecuteTakeTurns(t *testing.T) {
	for range 3 {
		t.Run("all", func(t *testing.T) {
			t.Run("explored", func(t *testing.T) {
				t.Parallel()
				chaos.Explore(t, func(c *chaos.C) { c.Go(func() {}) }, chaos.WithDir(t.TempDir()), chaos.WithExecutions(100))
			})
			t.Run("native", func(t *testing.T) {
				t.Parallel()
				for range 20 {
					if _, err := native.Execute(chaos.Plan{}, func() {}); err != nil {
						t.Fatal(err)
					}
				}
			})
		})
	}
}
