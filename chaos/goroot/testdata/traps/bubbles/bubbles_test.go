// Package bubbles uses testing/synctest: a bubble in a controlled execution is a bubble, and its
// goroutines are controlled.
package bubbles

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestTime(t *testing.T) {
	time.Sleep(time.Second)
	outside := time.Now()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if y := start.Year(); y != 2000 && y != 1999 { // in UTC 2000 begins
			t.Error(start)
		}
		var done atomic.Bool
		go func() { time.Sleep(time.Hour); done.Store(true) }()
		time.Sleep(time.Hour - 1)
		synctest.Wait()
		if done.Load() {
			t.Error("too early")
		}
		time.Sleep(1)
		synctest.Wait()
		if !done.Load() {
			t.Error("too late")
		}
		if d := time.Since(start); d != time.Hour {
			t.Error(d)
		}
	})
	if d := time.Since(outside); d > time.Second {
		t.Error("outside, it took", d)
	}
	time.Sleep(time.Second)
}

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var calls atomic.Int32
		context.AfterFunc(ctx, func() { calls.Add(1) })
		synctest.Wait()
		if calls.Load() != 0 {
			t.Error("called before the cancel")
		}
		cancel()
		synctest.Wait()
		if calls.Load() != 1 {
			t.Error("not called")
		}
		var wg sync.WaitGroup
		var mu sync.Mutex
		n := 0
		for i := range 3 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * time.Second)
				mu.Lock()
				n++
				mu.Unlock()
			})
		}
		wg.Wait()
		select {
		case <-time.After(time.Minute):
		case <-t.Context().Done():
		}
		if n != 3 {
			t.Error(n)
		}
	})
}

// Two bubbles at a time, each with its own clock.
func TestTwo(t *testing.T) {
	for range 2 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				c := make(chan int)
				go func() { time.Sleep(time.Minute); c <- 1 }()
				<-c
				if d := time.Since(start); d != time.Minute {
					t.Error(d)
				}
			})
		})
	}
}

func TestFoundInside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var x atomic.Int32
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { x.Store(x.Load() + 1) })
		}
		wg.Wait()
		if x.Load() != 2 {
			t.Error("an update is lost")
		}
	})
}

func TestFoundDeadlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a, b sync.Mutex
		go func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() }()
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	})
}

func TestFoundBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 1)
		go func() { c <- 1 }()
		go func() {
			select {
			case <-c:
			default:
			}
		}()
		<-c
	})
}

// A WaitGroup may be used outside of a bubble, and then inside: an execution is no bubble.
func TestGroupOutside(t *testing.T) {
	wg := new(sync.WaitGroup)
	wg.Go(func() {})
	wg.Wait()
	synctest.Test(t, func(*testing.T) {
		wg.Go(func() {})
		wg.Wait()
	})
}

var kept *sync.WaitGroup

// A WaitGroup that nobody waits for may be used in several executions.
func TestGroupKept(t *testing.T) {
	if kept == nil {
		kept = new(sync.WaitGroup)
	}
	kept.Add(1)
	kept.Done()
}

// What waits outside of a bubble can be woken from inside.
func TestCondOutside(t *testing.T) {
	for _, wake := range []func(*sync.Cond){(*sync.Cond).Signal, (*sync.Cond).Broadcast} {
		c := sync.NewCond(new(sync.Mutex))
		waits, set := false, false
		done := make(chan bool)
		go func() {
			c.L.Lock()
			defer c.L.Unlock()
			for waits = true; !set; {
				c.Wait()
			}
			close(done)
		}()
		for begun := false; !begun; {
			c.L.Lock()
			begun = waits
			c.L.Unlock()
			time.Sleep(time.Millisecond)
		}
		synctest.Test(t, func(*testing.T) {
			c.L.Lock()
			set = true
			c.L.Unlock()
			wake(c)
		})
		<-done
	}
}
