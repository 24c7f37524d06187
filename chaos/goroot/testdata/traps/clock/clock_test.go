// Package clock uses the time in all the ways that a test does.
package clock

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"
)

var (
	loaded    = time.Now()
	ticker    = time.NewTicker(time.Second)
	timer     = time.NewTimer(time.Minute)
	minute    = time.NewTimer(time.Minute)
	stopped   = time.NewTimer(time.Second)
	function  = time.AfterFunc(time.Hour, func() { fired <- true })
	fired     = make(chan bool, 1)
	begun     time.Time
	beginning *time.Timer
)

func TestMain(m *testing.M) {
	stopped.Stop()
	begun = time.Now()
	if !passes() {
		println("no time passes in TestMain")
		os.Exit(1)
	}
	beginning = time.NewTimer(30 * time.Second)
	os.Exit(m.Run())
}

// passes reports whether time passes, in whole seconds.
func passes() bool {
	for range 1000 {
		if time.Sleep(10 * time.Millisecond); time.Since(begun) > 100*time.Millisecond {
			return true
		}
	}
	return false
}

// What began before an execution is earlier.
func TestSince(t *testing.T) {
	for _, before := range []time.Time{loaded, begun} {
		if d := time.Since(before); d <= 0 || d > time.Minute {
			t.Errorf("%v have passed", d)
		}
		if !before.Before(time.Now()) || time.Until(before) >= 0 {
			t.Errorf("%v is not before %v", before, time.Now())
		}
	}
}

// Each reading is later than the one before, by as much each time.
func TestReadings(t *testing.T) {
	a, b, c := time.Now(), time.Now(), time.Now()
	if b.Sub(a) != time.Nanosecond || c.Sub(b) != time.Nanosecond {
		t.Errorf("%v, then %v", b.Sub(a), c.Sub(b))
	}
}

func TestSleep(t *testing.T) {
	start := time.Now()
	time.Sleep(time.Hour)
	if d := time.Since(start); d < time.Hour || d > time.Hour+time.Microsecond {
		t.Errorf("an hour took %v", d)
	}
}

// Timers of the package and of TestMain work, in each execution alike.
func TestOutside(t *testing.T) {
	start := time.Now()
	for i := 1; i <= 3; i++ {
		<-ticker.C
		if d := time.Since(start).Round(time.Millisecond); d != time.Duration(i)*time.Second {
			t.Fatalf("tick %d after %v", i, d)
		}
	}
	<-beginning.C
	if d := time.Since(start).Round(time.Millisecond); d != 30*time.Second {
		t.Fatalf("the timer of TestMain after %v", d)
	}
	select {
	case <-stopped.C:
		t.Error("a stopped timer fires")
	case <-timer.C:
		if d := time.Since(start).Round(time.Millisecond); d != time.Minute {
			t.Fatalf("the timer of the package after %v", d)
		}
	}
	if !function.Stop() {
		t.Error("the function had run")
	}
	function.Reset(time.Second)
	<-fired
	ticker.Reset(time.Hour)
	start = time.Now()
	<-ticker.C
	if d := time.Since(start).Round(time.Millisecond); d != time.Hour {
		t.Errorf("a tick after %v", d)
	}
	ticker.Stop()
}

func TestResetOutside(t *testing.T) {
	minute.Reset(time.Second)
	start := time.Now()
	<-minute.C
	if d := time.Since(start).Round(time.Millisecond); d != time.Second {
		t.Errorf("after %v", d)
	}
}

func TestStopAndReset(t *testing.T) {
	timer := time.NewTimer(time.Second)
	if !timer.Stop() || timer.Stop() {
		t.Error("Stop")
	}
	if timer.Reset(time.Second) || !timer.Reset(2*time.Second) {
		t.Error("Reset")
	}
	start := time.Now()
	<-timer.C
	if d := time.Since(start).Round(time.Millisecond); d != 2*time.Second {
		t.Errorf("after %v", d)
	}
	if timer.Stop() {
		t.Error("Stop after the timer has fired")
	}
	timer.Reset(time.Second)
	time.Sleep(2 * time.Second)
	timer.Reset(time.Minute)
	select {
	case <-timer.C:
		t.Error("a stale value")
	case <-time.After(59 * time.Second):
	}
	var order []int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Add(1)
		time.AfterFunc(time.Duration(3-i)*time.Second, func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			order = append(order, i)
		})
	}
	wg.Wait()
	if order[0] != 2 || order[1] != 1 || order[2] != 0 {
		t.Errorf("in the order %v", order)
	}
}

func TestContext(t *testing.T) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	child, cancelChild := context.WithDeadline(ctx, start.Add(time.Minute))
	defer cancelChild()
	<-child.Done()
	if !errors.Is(child.Err(), context.DeadlineExceeded) || ctx.Err() != nil {
		t.Error(child.Err(), ctx.Err())
	}
	if d := time.Since(start).Round(time.Millisecond); d != time.Minute {
		t.Errorf("after %v", d)
	}
	done := make(chan bool)
	context.AfterFunc(ctx, func() { close(done) })
	<-done
}

// Goroutines that sleep when a test ends are no trouble for the next execution.
func TestLeftSleeping(t *testing.T) {
	for i := range 4 {
		go time.Sleep(time.Duration(i) * time.Second)
	}
	time.Sleep(time.Second)
}

// A timer that outlives the execution in which it was made begins anew in the next.
var once sync.Once
var lazy *time.Ticker

func TestLazy(t *testing.T) {
	once.Do(func() { lazy = time.NewTicker(time.Second) })
	start := time.Now()
	<-lazy.C
	<-lazy.C
	if d := time.Since(start).Round(time.Millisecond); d != 2*time.Second {
		t.Errorf("after %v", d)
	}
}
