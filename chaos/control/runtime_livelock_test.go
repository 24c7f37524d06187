package control_test

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Catches: tasks that come to the same states again and again, and are stopped by the limit alone; and
// ones that come to new states, or wait for a timer, and are stopped before that.
func TestRuntimeRecurrence(t *testing.T) {
	const rounds = 25_000
	for _, x := range []struct {
		name       string
		ends       bool // each task counts its rounds
		timer      bool
		sleeps     bool // each task, in each round
		wantSooner bool
	}{
		{"no end", false, false, false, true}, {"counting", true, false, false, false}, {"timer", true, true, false, false},
		{"sleeps", false, false, true, true}, {"counting sleeps", true, false, true, false}, {"sleeps and timer", true, true, true, false},
	} {
		for name, s := range fakeStrategies {
			f, e := newFake(t, control.Options{Strategy: s()})
			r, _ := e.Run(1, func() {
				lock := new(int32)
				poll := func() {
					i := 0
					f.state = func() uint64 {
						if x.timer {
							return 0
						}
						return uint64(i)
					}
					f.whole = func() (uint64, bool) { return uint64(i) * 0x9e3779b97f4a7c15, true }
					for ; i < rounds || !x.ends; i++ {
						f.lock(lock)
						f.unlock(lock)
						if x.sleeps {
							f.sleep(time.Millisecond)
						}
						if !x.ends {
							i = 0
						}
					}
				}
				if x.timer {
					f.Go(func() { f.sleep(100 * time.Hour) })
				} else {
					f.Go(poll)
				}
				poll()
			})
			if sooner := r.Steps < 48_000; sooner != x.wantSooner || (r.Verdict == verdict.Livelock) != x.wantSooner {
				t.Errorf("%s, %s: %s after %d steps: %s", x.name, name, r.Verdict, r.Steps, r.Summary)
			}
		}
	}
}
