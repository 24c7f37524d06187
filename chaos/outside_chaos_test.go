//go:build chaos

package chaos_test

import (
	"os"
	"strings"
	stdsync "sync"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/faketest"
)

// A goroutine that is no task fails the test, once, and leaves no recording.
func TestExploreReportsOutsiders(t *testing.T) {
	for name, body := range map[string]func(c *chaos.C){
		"a hook": func(*chaos.C) {
			var n atomic.Int64
			var wg stdsync.WaitGroup
			for range 2 {
				wg.Go(func() { n.Store(n.Load() + 1) })
			}
			wg.Wait()
		},
		"Errorf": func(c *chaos.C) { outside(func() { c.Errorf("wrong") }) },
		"Fatalf": func(c *chaos.C) { outside(func() { c.Fatalf("wrong") }) },
		"Go":     func(c *chaos.C) { outside(func() { c.Go(func() {}) }) },
		"Choose": func(c *chaos.C) { outside(func() { c.Choose(2) }) },
		"OnStuck": func(c *chaos.C) {
			outside(func() { c.OnStuck(func(control.Result) (v verdict.Verdict, s string) { return }) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			r := explore(dir, func(_ *faketest.Test, c *chaos.C) { body(c) }, chaos.WithExecutions(1000))
			head, _, _ := strings.Cut(r.Log, "\n")
			if !r.Failed() || !strings.HasPrefix(head, "uncontrolled in execution 0 ") || !strings.Contains(head, "hooks.Task(f)()") ||
				!strings.Contains(head, "_test.go:") && !strings.Contains(head, "waitgroup.go:") {
				t.Errorf("failed: %v: %s", r.Failed(), r.Log)
			}
			if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
				t.Errorf("%v, %v; want no recording", files, err)
			}
		})
	}
}

// outside calls f in a goroutine that is no task.
func outside(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// What a test before has left behind is nothing to an execution, also if its creator has
// ended.
func TestGoroutinesOfTestsBeforePassHooks(t *testing.T) {
	var n atomic.Int64
	var left stdsync.WaitGroup
	stop := make(chan struct{})
	t.Run("before", func(t *testing.T) {
		left.Add(1)
		running := make(chan struct{})
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			go func() {
				defer left.Done()
				for i := 0; ; i++ {
					if i == 1 {
						close(running)
					}
					select {
					case <-stop:
						return
					default:
						n.Add(1)
					}
				}
			}()
		}()
		<-ended
		<-running
	})
	t.Run("explored", func(t *testing.T) {
		chaos.Explore(t, func(c *chaos.C) {
			var n atomic.Int64
			c.Go(func() { n.Add(1) })
			c.Go(func() { n.Add(1) })
		}, chaos.WithDir(t.TempDir()), chaos.WithExecutions(300))
	})
	close(stop)
	left.Wait()
}

// Goroutines of other tests pass hooks as if there were no engine.
func TestOtherTestsPassHooks(t *testing.T) {
	var stop stdsync.WaitGroup
	stop.Add(1)
	t.Run("all", func(t *testing.T) {
		t.Run("explored", func(t *testing.T) {
			t.Parallel()
			defer stop.Done()
			chaos.Explore(t, func(c *chaos.C) {
				var n atomic.Int64
				c.Go(func() { n.Add(1) })
				c.Go(func() { n.Add(1) })
			}, chaos.WithDir(t.TempDir()), chaos.WithExecutions(300))
		})
		t.Run("native", func(t *testing.T) {
			t.Parallel()
			over := make(chan struct{})
			go func() { stop.Wait(); close(over) }()
			var n atomic.Int64
			var mu sync.Mutex
			for done := false; !done; {
				var wg sync.WaitGroup
				wg.Go(func() { n.Add(1) })
				go func() {
					mu.Lock()
					defer mu.Unlock()
					n.Load()
				}()
				wg.Wait()
				mu.Lock()
				n.Load()
				mu.Unlock()
				select {
				case <-over:
					done = true
				default:
				}
			}
		})
	})
}
