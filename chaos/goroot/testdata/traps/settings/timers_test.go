//go:build !go1.27

package settings

import (
	"sync"
	"testing"
	"time"
)

// Channels of timers do not know of their timers (asynctimerchan=1), which Go 1.27 no longer has.

// What was sent before a Reset is received after it.
func TestFoundStale(t *testing.T) {
	begin := time.Now()
	timer := time.NewTimer(time.Millisecond)
	time.Sleep(2 * time.Millisecond)
	timer.Reset(time.Hour)
	<-timer.C
	if d := time.Since(begin); d < time.Hour {
		t.Errorf("after %v", d)
	}
}

// It is drained, as programs of that time do.
func TestDrained(t *testing.T) {
	begin := time.Now()
	timer := time.NewTimer(time.Millisecond)
	time.Sleep(2 * time.Millisecond)
	if !timer.Stop() {
		<-timer.C
	}
	timer.Reset(time.Hour)
	<-timer.C
	if d := time.Since(begin); d < time.Hour {
		t.Errorf("after %v", d)
	}
}

// It is drained by another goroutine, too.
func TestFoundDrainedTwice(t *testing.T) {
	timer := time.NewTimer(time.Millisecond)
	go func() { <-timer.C }()
	time.Sleep(2 * time.Millisecond)
	if !timer.Stop() {
		<-timer.C
	}
}

func TestStopped(t *testing.T) {
	timer := time.NewTimer(time.Minute)
	if !timer.Stop() || timer.Stop() {
		t.Error("Stop has not stopped it once")
	}
	select {
	case <-timer.C:
		t.Error("a stopped timer fires")
	case <-time.After(time.Hour):
	}
}

func TestPolled(t *testing.T) {
	timer := time.NewTimer(time.Millisecond)
	for done := false; !done; {
		select {
		case <-timer.C:
			done = true
		default:
			time.Sleep(100 * time.Microsecond)
		}
	}
	if cap(timer.C) != 1 {
		t.Error("the channel of a timer has no buffer")
	}
}

func TestTickerReset(t *testing.T) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	begin := time.Now()
	for range 5 {
		<-tick.C
	}
	tick.Reset(time.Minute)
	select {
	case <-tick.C: // was due before the reset
	default:
	}
	<-tick.C
	if d := time.Since(begin); d < time.Minute {
		t.Error(d)
	}
}

func TestRaceTimer(t *testing.T) {
	x := 0
	timer := time.NewTimer(time.Millisecond)
	go func() { x = 1 }()
	<-timer.C
	if x > 1 {
		t.Error(x)
	}
}

// Timers of the package. Some fire at the same time.
var (
	once     = time.NewTimer(time.Second)
	ticks    = time.NewTicker(time.Minute)
	together [16]*time.Timer
)

func init() {
	for i := range together {
		together[i] = time.NewTimer(2 * time.Second)
	}
}

func TestOutside(t *testing.T) {
	<-ticks.C
	<-once.C
}

func TestOutsideReset(t *testing.T) {
	begin := time.Now()
	if !once.Stop() {
		<-once.C
	}
	once.Reset(time.Minute)
	<-once.C
	if d := time.Since(begin); d < time.Minute {
		t.Error(d)
	}
}

// The same seed brings the same order, in each process, and time-outs are exact.
func TestOutsideTogether(t *testing.T) {
	begin := time.Now()
	var wg sync.WaitGroup
	for _, timer := range together {
		wg.Go(func() { <-timer.C })
	}
	wg.Wait()
	if d := time.Since(begin); d > 2*time.Second+time.Millisecond {
		t.Error(d)
	}
}

// A timer that a goroutine in the background makes when executions have begun.
var (
	later           *time.Timer
	begin           sync.Once
	wanted, present = make(chan bool), make(chan bool)
)

func init() {
	go func() {
		<-wanted
		later = time.NewTimer(30 * time.Minute)
		close(present)
	}()
}

// Its time is that of the execution. It is made once in a process.
func TestLater(t *testing.T) {
	made := false
	begin.Do(func() {
		close(wanted)
		made = true
	})
	<-present
	if !made {
		return
	}
	select {
	case <-later.C:
	case <-time.After(time.Hour):
		t.Error("half an hour is not over")
	}
}
