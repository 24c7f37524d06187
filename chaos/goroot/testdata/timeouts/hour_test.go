package timeouts

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// inTime runs work, and a task that waits for its end, and waits for that one for as long as that.
func inTime(t *testing.T, limit time.Duration, wait func(done *atomic.Bool), work func()) {
	t.Helper()
	c := make(chan bool)
	var done atomic.Bool
	go func() {
		wait(&done)
		c <- true
	}()
	go func() {
		work()
		done.Store(true)
	}()
	select {
	case <-c:
	case <-time.After(limit):
		t.Fatal("late")
	}
}

func yieldsUntil(done *atomic.Bool) {
	for !done.Load() {
		runtime.Gosched()
	}
}

func looksUntil(done *atomic.Bool) {
	for !done.Load() {
	}
}

// many has ten tasks wait.
func many(wait func(*atomic.Bool)) func(*atomic.Bool) {
	return func(done *atomic.Bool) {
		var g sync.WaitGroup
		for range 10 {
			g.Go(func() { wait(done) })
		}
		g.Wait()
	}
}

func TestHourBesideLooks(t *testing.T) {
	for _, rounds := range []int{1_100, 2_100, 20_000} {
		inTime(t, time.Hour, yieldsUntil, func() { looks(rounds) })
	}
}

func TestHourBesideManyLooks(t *testing.T) {
	inTime(t, time.Hour, yieldsUntil, func() { looks(50_000) })
}
func TestHourWithoutYields(t *testing.T) { inTime(t, time.Hour, looksUntil, func() { looks(50_000) }) }
func TestHourBesideHeap(t *testing.T)    { inTime(t, time.Hour, yieldsUntil, func() { heap(5_000) }) }
func TestHourBesideGlobal(t *testing.T)  { inTime(t, time.Hour, yieldsUntil, func() { global(5_000) }) }
func TestHourBesidePolls(t *testing.T)   { inTime(t, time.Hour, yieldsUntil, func() { polls(3_000) }) }
func TestHourBesideTries(t *testing.T)   { inTime(t, time.Hour, yieldsUntil, func() { tries(3_000) }) }
func TestHourBesideYields(t *testing.T)  { inTime(t, time.Hour, yieldsUntil, func() { yields(3_000) }) }
func TestHourBesideLocks(t *testing.T)   { inTime(t, time.Hour, yieldsUntil, func() { locks(20_000) }) }
func TestHourBesideSwaps(t *testing.T)   { inTime(t, time.Hour, yieldsUntil, func() { swaps(3_000) }) }
func TestHourWithTen(t *testing.T)       { inTime(t, time.Hour, many(yieldsUntil), func() { looks(2_100) }) }
func TestHourWithTenThatLook(t *testing.T) {
	inTime(t, time.Hour, many(looksUntil), func() { looks(2_100) })
}

// A worker changes something now and then.
func TestHourBesideSteps(t *testing.T) {
	inTime(t, time.Hour, yieldsUntil, func() {
		var x atomic.Int64
		for range 10 {
			looks(1_500)
			x.Add(1)
		}
	})
}

// Waits before it use up what there is for loops that run on.
func TestHourAfterWaits(t *testing.T) {
	for _, wait := range []func(*atomic.Bool){yieldsUntil, looksUntil, yieldsUntil} {
		var done atomic.Bool
		time.AfterFunc(300*time.Millisecond, func() { done.Store(true) })
		wait(&done)
	}
	inTime(t, time.Hour, yieldsUntil, func() { looks(2_100) })
}

// It is hit where nothing ends the loop, or what does comes later.
func TestFoundHour(t *testing.T) {
	inTime(t, time.Hour, yieldsUntil, func() { <-make(chan bool) })
}

func TestFoundSleeper(t *testing.T) {
	inTime(t, time.Minute, yieldsUntil, func() { time.Sleep(2 * time.Minute) })
}

func TestFoundLooks(t *testing.T) {
	inTime(t, time.Minute, looksUntil, func() {
		for !never.Load() {
		}
	})
}
