//go:build chaos

package control

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
)

// A loop that is bounded is no livelock, however much it repeats itself before it ends;
// what has been written meanwhile, by whomever, counts as progress.
func TestBoundedLoopsAreNoLivelock(t *testing.T) {
	poll := func(x *atomic.Int64, rounds int) {
		for range rounds {
			if x.Load() != 0 {
				return
			}
		}
	}
	for _, c := range []struct {
		name     string
		maxSpins int
		want     verdict.Verdict
		body     func(e *Engine)
	}{
		{"a long poll", 0, verdict.Pass, func(*Engine) {
			var x atomic.Int64
			poll(&x, 9_000)
		}},
		{"two long polls", 0, verdict.Pass, func(e *Engine) {
			var x, y atomic.Int64
			e.Go(func() { poll(&y, 4_000) })
			poll(&x, 4_000)
		}},
		{"long polls, and progress between", 0, verdict.Pass, func(*Engine) {
			var x, y atomic.Int64
			for range 5 {
				poll(&x, 9_000)
				y.Add(1)
			}
		}},
		{"more than is allowed", 100, verdict.Livelock, func(*Engine) {
			var x atomic.Int64
			poll(&x, 9_000)
		}},
		{"for ever", 0, verdict.Livelock, func(*Engine) {
			var x atomic.Int64
			for x.Load() == 0 {
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := start(t, Options{MaxSpins: c.maxSpins})
			if r, _ := e.Run(1, func() { c.body(e) }); r.Verdict != c.want {
				t.Errorf("%s: %s; want %s", r.Verdict, r.Summary, c.want)
			}
		})
	}
}
