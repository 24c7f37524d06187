package real_test

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Catches: time that passes for a task that polls while others that can continue are at work, alone or in turn, and have
// no turns; and a task whose share of the steps in a loop that waits is used up by another.
func TestRuntimePace(t *testing.T) {
	const rounds = 2_000
	works := map[string]func(f *fake, done *int32){
		"locks": func(f *fake, done *int32) {
			lock := new(int32)
			f.Go(func() {
				for range rounds {
					f.lock(lock)
					f.unlock(lock)
				}
				f.store(done, 1)
			})
		},
		"reads": func(f *fake, done *int32) {
			never := new(int32)
			f.Go(func() {
				for range rounds {
					f.load(never)
				}
				f.store(done, 1)
			})
		},
		"in turn": func(f *fake, done *int32) {
			x, turns, last := new(int32), 0, [2]int32{control.None, control.None}
			for i := range 2 {
				f.Go(func() {
					for me := f.Current(); turns < rounds; {
						f.store(x, 1)
						turns++
						if other := last[1-i]; other != control.None {
							last[1-i] = control.None
							f.wake(other)
						}
						if turns < rounds {
							last[i] = me
							f.park("chan receive")
						}
					}
					f.store(done, 1)
				})
			}
		},
	}
	polls := map[string]func(f *fake, done *int32){
		"locks": func(f *fake, done *int32) {
			for lock, end := new(int32), f.now+int64(100*time.Millisecond); *done == 0 && f.now < end; f.looks++ {
				f.lock(lock)
				f.unlock(lock)
			}
		},
		"yields": func(f *fake, done *int32) {
			f.Go(func() { f.sleep(time.Hour); f.store(done, 2) })
			for f.load(done) == 0 {
				f.point(strategy.Yield, nil)
			}
		},
	}
	for work, begin := range works {
		for poll, wait := range polls {
			for _, name := range []string{"random", "pct(2)", "pct(3)", "pos", "surw"} {
				s, err := strategy.Parse(name)
				if err != nil {
					t.Fatal(err)
				}
				f, e := newFake(t, control.Options{Strategy: s, AllowLeaks: true})
				state := uint64(0)
				f.state = func() uint64 {
					if f.Current() > 0 { // the others are at work
						state++
						return state
					}
					return 0
				}
				for seed := range uint64(20) {
					late := false
					r, _ := e.Run(seed, func() {
						done := new(int32)
						begin(f, done)
						wait(f, done)
						late = *done != 1
					})
					if r.Verdict != verdict.Pass || late {
						t.Errorf("%s beside %s, %s, seed %d: %s: %s, late: %t", poll, work, name, seed, r.Verdict, r.Summary, late)
					}
				}
			}
		}
	}
}
