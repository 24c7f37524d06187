//go:build chaos

package control

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

func TestFirst(t *testing.T) {
	for _, sw := range []Switch{Coroutines, Channels} {
		e, err := New(Options{Switch: sw})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[uint64]int{}
		for n := range 1000 {
			var x atomic.Uint64
			r, _ := e.Run(uint64(n), func() {
				var wg sync.WaitGroup
				for range 2 {
					wg.Go(func() { x.Store(x.Load() + 1) })
				}
				wg.Wait()
			})
			if r.Verdict != verdict.Pass {
				t.Fatal(r.Verdict, r.Summary)
			}
			seen[x.Load()]++
			h := r.Hash
			rep := append([]strategy.Deviation(nil), r.Schedule.Deviations...)
			_ = h
			_ = rep
		}
		e.Close()
		t.Log(sw, seen)
		if len(seen) != 2 {
			t.Error(seen)
		}
	}
}

func TestDeadlock(t *testing.T) {
	for _, sw := range []Switch{Coroutines, Channels} {
		e, err := New(Options{Switch: sw})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for s := range 200 {
			var a, b sync.Mutex
			r, _ := e.Run(uint64(s), func() {
				var wg sync.WaitGroup
				wg.Add(2)
				go hooks.Task(func() { defer wg.Done(); a.Lock(); defer a.Unlock(); b.Lock(); defer b.Unlock() })()
				go hooks.Task(func() { defer wg.Done(); b.Lock(); defer b.Unlock(); a.Lock(); defer a.Unlock() })()
				wg.Wait()
			})
			if r.Verdict == verdict.Deadlock {
				if n == 0 {
					t.Log(r.Summary)
				}
				n++
			} else if r.Verdict != verdict.Pass {
				t.Error(r.Verdict, r.Summary)
			}
		}
		e.Close()
		t.Log(sw, n)
	}
}

func BenchmarkChaseLevShape(b *testing.B) {
	for _, sw := range []Switch{Coroutines, Channels} {
		e, err := New(Options{Switch: sw})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(e.in.mechanism.String(), func(b *testing.B) {
			steps := 0
			for n := 0; b.Loop(); n++ {
				r, _ := e.Run(uint64(n), func() { body(e) })
				steps = r.Steps
			}
			b.ReportMetric(float64(steps), "steps")
		})
		e.Close()
	}
}

func body(e *Engine) {
	var x, y atomic.Uint64
	e.Go(func() {
		for range 7 {
			x.Add(1)
			y.Load()
		}
	})
	for range 7 {
		x.Add(1)
		y.Load()
	}
}
