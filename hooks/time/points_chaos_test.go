//go:build chaos

package time_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/internal/recorder"
	"github.com/rouse-go/rouse/internal/seam"
)

func TestOperationsPassTheirPoints(t *testing.T) {
	passed := make(map[string]bool)
	synctest.Test(t, func(t *testing.T) {
		r := recorder.Install(t)
		var timer, call *time.Timer
		var ticker *time.Ticker
		for _, op := range []struct {
			name   string
			do     func()
			points string
		}{
			{"Now", func() { time.Now() }, "now"},
			{"Since", func() { time.Since(time.Time{}) }, "now"},
			{"Until", func() { time.Until(time.Time{}) }, "now"},
			{"Sleep", func() { time.Sleep(time.Second) }, "sleep slept"},
			{"After", func() { <-time.After(time.Second) }, "after"},
			{"NewTimer", func() { timer = time.NewTimer(time.Second) }, "timer-new"},
			{"Timer.Reset", func() { timer.Reset(time.Second) }, "timer-reset"},
			{"a timer's firing", func() { <-timer.C }, ""},
			{"Timer.Stop", func() { timer.Stop() }, "timer-stop"},
			{"AfterFunc", func() { call = time.AfterFunc(time.Second, func() {}) }, "timer-func"},
			{"its firing", func() { time.Sleep(time.Minute); synctest.Wait() }, "sleep timer-fire slept"},
			{"its Reset", func() { call.Reset(time.Second) }, "timer-reset"},
			{"its Stop", func() { call.Stop() }, "timer-stop"},
			{"NewTicker", func() { ticker = time.NewTicker(time.Second) }, "ticker-new"},
			{"a tick", func() { <-ticker.C }, ""},
			{"Ticker.Reset", func() { ticker.Reset(time.Second) }, "ticker-reset"},
			{"Ticker.Stop", func() { ticker.Stop() }, "ticker-stop"},
			{"Tick", func() { <-time.Tick(time.Second) }, "ticker-new"},
		} {
			op.do()
			var want []string
			for _, name := range strings.Fields(op.points) {
				want = append(want, "time/"+name)
				passed["time/"+name] = true
			}
			if got := r.Take(); !slices.Equal(got, want) {
				t.Errorf("%s passes %q, want %q", op.name, got, want)
			}
		}
	})
	for _, p := range seam.Points() {
		if strings.HasPrefix(p.Name, "time/") && !passed[p.Name] {
			t.Errorf("%s is declared, and no operation passes it", p.Name)
		}
	}
}

// What starts a clock passes its point behind the start, and what stops one
// before the stop: the clock can win there.
func TestTheClockCanWin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := recorder.Install(t)
		late := func() {
			time.Sleep(time.Hour)
			synctest.Wait()
		}
		for _, point := range []string{"after", "timer-new", "timer-func", "timer-stop", "ticker-new"} {
			r.Meanwhile["time/"+point] = late
		}
		over := func(what string, c <-chan time.Time) {
			t.Helper()
			select {
			case <-c:
			default:
				t.Errorf("%s: an hour late, and not over", what)
			}
		}
		over("After", time.After(time.Second))
		timer := time.NewTimer(time.Second)
		over("NewTimer", timer.C)
		over("NewTicker", time.NewTicker(time.Second).C)
		ran := false
		timer = time.AfterFunc(time.Second, func() { ran = true })
		if !ran {
			t.Error("AfterFunc: an hour late, and the function has not run")
		}
		if timer.Reset(time.Second) {
			t.Error("Reset of what has run: true")
		}
		if timer.Stop() {
			t.Error("Stop: an hour late, and the function was still to run")
		}
		timer.Reset(time.Second)
		r.Meanwhile["time/timer-reset"] = late
		if timer.Reset(time.Second) {
			t.Error("Reset: an hour late, and the function was still to run")
		}
	})
}

// The same for tickers, and for what a timer calls.
func TestTheClockCanWinOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := recorder.Install(t)
		ticker := time.NewTicker(time.Second)
		for point, op := range map[string]func(){
			"time/ticker-reset": func() { ticker.Reset(time.Hour) },
			"time/ticker-stop":  ticker.Stop,
		} {
			ticker.Reset(time.Second)
			ticked := false
			r.Meanwhile[point] = func() {
				time.Sleep(time.Minute)
				select {
				case <-ticker.C:
					ticked = true
				default:
				}
			}
			op()
			if !ticked {
				t.Errorf("at %s: a minute late, and no tick", point)
			}
		}
		ticker.Stop()

		ran, fired := false, false
		r.Meanwhile["time/timer-fire"] = func() { fired = !ran }
		time.AfterFunc(time.Second, func() { ran = true })
		time.Sleep(time.Minute)
		synctest.Wait()
		if !fired || !ran {
			t.Errorf("at time/timer-fire the function had not run: %t; it has now: %t", fired, ran)
		}
	})
}

// Each arming makes a task, in the goroutine that arms; each firing begins the
// task of its arming.
func TestEachArmingMakesATask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := recorder.Install(t)
		runs := 0
		timer := time.AfterFunc(time.Second, func() { runs++ })
		fire := func() {
			time.Sleep(time.Minute)
			synctest.Wait()
		}
		fire()
		timer.Reset(time.Second)
		fire()
		timer.Reset(time.Second)
		timer.Reset(time.Second) // task 3 never begins
		fire()
		timer.Reset(time.Second)
		timer.Stop() // nor does task 5
		fire()
		if want := []int{1, 2, 4}; r.Tasks != 5 || !slices.Equal(r.Began, want) || runs != 3 {
			t.Errorf("%d tasks were made, %v began, the function ran %d times; want 5, %v, 3", r.Tasks, r.Began, runs, want)
		}
	})
}
