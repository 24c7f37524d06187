package real_test

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
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

// Catches: a livelock that nothing proves, as memory differs that is far away, or is not known, a task draws at random or
// starves, or a goroutine outside could end it; and one that is not found beside those that sleep.
func TestRuntimeProof(t *testing.T) {
	for _, x := range []struct {
		name string
		want verdict.Verdict
		loop func(f *fake, round int)
		set  func(f *fake)
	}{
		{name: "a loop", want: verdict.Livelock},
		{name: "far memory", want: verdict.Timeout, set: func(f *fake) {
			n := uint64(0)
			f.whole = func() (uint64, bool) { n++; return n, true }
		}},
		{name: "unknown memory", want: verdict.Timeout, set: func(f *fake) { f.whole = func() (uint64, bool) { return 0, false } }},
		{name: "chance", want: verdict.Timeout, loop: func(f *fake, _ int) { f.draws++ }},
		{name: "a look at goroutines", want: verdict.Timeout, loop: func(f *fake, _ int) { f.dumps++ }},
		{name: "a look at the time", want: verdict.Timeout, loop: func(f *fake, _ int) { f.looks++ }},
		{name: "outside", want: verdict.Timeout, set: func(f *fake) { f.busy = func() bool { return true } }},
		{name: "beside sleeps", want: verdict.Livelock, set: func(f *fake) {
			f.Go(func() {
				for {
					f.sleep(time.Millisecond)
				}
			})
		}},
		{name: "beside a long sleep", want: verdict.Timeout, set: func(f *fake) {
			f.Go(func() {
				f.sleep(time.Hour)
				f.sleep(1000 * time.Hour)
			})
			f.startTimer(fakeTimer{at: int64(1000 * time.Hour), period: int64(time.Hour)})
		}},
	} {
		f, e := newFake(t, control.Options{Strategy: strategy.Random(), MaxSteps: 200_000})
		r, _ := e.Run(1, func() {
			if x.set != nil {
				x.set(f)
			}
			lock := new(int32)
			for round := 0; ; round++ {
				f.lock(lock)
				f.unlock(lock)
				if x.loop != nil {
					x.loop(f, round)
				}
			}
		})
		if r.Verdict != x.want {
			t.Errorf("%s: %s after %d steps: %s", x.name, r.Verdict, r.Steps, r.Summary)
		}
	}
}

// Catches: a livelock of a task that waits for a lock which is free only while another has its turn.
func TestRuntimeStarves(t *testing.T) {
	f, e := newFake(t, control.Options{Strategy: strategy.Random(), MaxSteps: 200_000})
	done := false
	r, _ := e.Run(1, func() {
		lock, at := new(int32), uint64(0) // at is where the other task is
		f.state = func() uint64 { return 0 }
		f.Go(func() {
			for range 300 {
				at++
				f.lock(lock)
				at++
				f.unlock(lock)
				at++
				f.sleep(time.Millisecond)
			}
			f.lock(lock)
			done = true
			f.unlock(lock)
		})
		f.whole = func() (uint64, bool) { return at * 0x9e3779b97f4a7c15, true }
		for ended := false; !ended; {
			f.lock(lock)
			ended = done
			f.unlock(lock)
		}
	})
	if r.Verdict == verdict.Livelock {
		t.Errorf("%s after %d steps: %s", r.Verdict, r.Steps, r.Summary)
	}
}

// Catches: a time-out that counts though the loop beside it may have worked, and one that does not count though all has
// come back to what it was.
func TestRuntimeEarlyByLoops(t *testing.T) {
	for name, works := range map[string]bool{"waits": false, "works": true} {
		f, e := newFake(t, control.Options{Strategy: strategy.Random()})
		r, _ := e.Run(1, func() {
			n, fired := uint64(0), new(int32)
			f.whole = func() (uint64, bool) {
				if works {
					n++
				}
				return n, true
			}
			f.Go(func() {
				f.sleep(time.Hour)
				f.store(fired, 1)
			})
			for f.load(fired) == 0 {
			}
		})
		if r.Verdict != verdict.Pass || r.Late > 0 != works {
			t.Errorf("%s: %s, %d late: %s", name, r.Verdict, r.Late, r.Summary)
		}
	}
}
