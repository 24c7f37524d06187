package sleep

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
)

// privately lets worker 0 of a pool of one wait privately until its latch is set,
// and for one job before.
func privately(t *testing.T, v *Variant) {
	t.Helper()
	s, err := New(1, v.Options...)
	if err != nil {
		t.Fatal(err)
	}
	var latch SpinLatch
	latch.Init(s, 0)
	var queue atomic.Int64
	done := make(chan int)
	go func() {
		ran := 0
		for !latch.Probe() {
			if queue.Load() > 0 {
				queue.Add(-1)
				ran++
			} else {
				s.WaitPrivately(0, &latch.CoreLatch, jobs(func() bool { return queue.Load() > 0 }))
			}
		}
		done <- ran
	}()
	for !s.Parker(0).Asleep {
		runtime.Gosched()
	}
	queue.Add(1)
	s.NotifyLatchSet(0)
	for queue.Load() > 0 {
		runtime.Gosched()
	}
	latch.Set()
	if ran := <-done; ran != 1 {
		t.Errorf("%d jobs done, want 1", ran)
	}
	if c := s.Counters(); c.Sleeping != 0 || c.Inactive != 0 {
		t.Errorf("counters %+v", c)
	}
	if p := s.Parker(0); p.Asleep || p.Sleeps != p.Wakes || p.Spurious != 0 {
		t.Errorf("at the end %+v", p)
	}
}

// Catches: a private wait that misses a job, or its latch (both hang), or that
// counts. The race between waiter and notifiers is run many times over.
func TestWaitPrivately(t *testing.T) {
	for i, v := range Variants() {
		t.Run(v.Name, func(t *testing.T) {
			times := 100
			if i == 0 {
				times = 1000
			}
			for range times {
				privately(t, &v)
			}
		})
	}
}

// Catches: a notification of a worker that does not sleep, and is counted or
// taken for one of a later sleep.
func TestNotificationOfAWorkerThatIsAwake(t *testing.T) {
	for _, v := range Variants() {
		s, err := New(1, v.Options...)
		if err != nil {
			t.Fatal(err)
		}
		s.NotifyLatchSet(0)
		if p := s.Parker(0); p != (ParkerState{}) {
			t.Errorf("%s: after it %+v", v.Name, p)
		}
	}
}

// Catches: a post that wakes a private sleeper, and so is lost; a notification
// that takes a unit off the counter which the private sleeper does not hold.
func TestPostsPassOverPrivateSleepers(t *testing.T) {
	s := standing(t, 0, 2, 0)
	s.parkers[0].private = true
	s.counters.subSleeping()
	s.counters.subInactive()
	newSleep(s).NewInjectedJobs(1, true)
	if !s.parkers[0].blocked || s.parkers[1].blocked {
		t.Errorf("blocked: %t, %t; want the private sleeper passed over, the other woken", s.parkers[0].blocked, s.parkers[1].blocked)
	}
	s.wakeAny(2, false)
	if !s.parkers[0].blocked {
		t.Error("a scan has woken the private sleeper")
	}
	s.NotifyLatchSet(0)
	if s.parkers[0].blocked {
		t.Error("its own notification has not woken it")
	}
	if c := s.Counters(); c.Sleeping != 0 || c.Inactive != 1 {
		t.Errorf("counters %+v, want 0 sleeping, 1 inactive", c)
	}
}

// Catches: a private wait without a last look, or with a nil Injected that it
// calls.
func TestWaitPrivatelyReturnsEarly(t *testing.T) {
	s := standing(t, 0, 0, 1)
	var latch CoreLatch
	s.WaitPrivately(0, &latch, jobs(func() bool { return true }))
	if got := fmt.Sprint(latch.State(), s.Parker(0).Sleeps); got != "UNSET 0" {
		t.Error(got)
	}
	latch.Set()
	s.WaitPrivately(0, &latch, nil)
	if got := fmt.Sprint(latch.State(), s.Parker(0).Sleeps); got != "SET 0" {
		t.Error(got)
	}
}
