// Package works has tests in which one goroutine works for long while another could continue. Those named
// TestFound... fail if the other one does so only then, and those named TestLate... if it does so near the end of a
// loop of which no round is seen by others. The others wait in loops, which end.
package works

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var flag, private atomic.Int64

// first fails if n rounds of work come before another goroutine sets a flag.
func first(t *testing.T, n int, work func(i int)) {
	flag.Store(0)
	done := make(chan bool)
	go func() { flag.Store(1); done <- true }()
	for i := range n {
		work(i)
	}
	if flag.Load() == 0 {
		t.Error("it has worked first")
	}
	<-done
}

// second is first with the roles exchanged.
func second(t *testing.T, n int, work func(i int)) {
	flag.Store(0)
	early := make(chan bool)
	go func() {
		for i := range n {
			work(i)
		}
		early <- flag.Load() == 0
	}()
	flag.Store(1)
	if <-early {
		t.Error("it has worked first")
	}
}

// between fails if a goroutine adds to a counter in two steps, and another one does its work and adds as well between
// these.
func between(t *testing.T, n int, work func(i int)) {
	flag.Store(0)
	add := func() { v := flag.Load(); flag.Store(v + 1) }
	var wg sync.WaitGroup
	wg.Go(add)
	wg.Go(func() {
		for i := range n {
			work(i)
		}
		add()
	})
	wg.Wait()
	if flag.Load() != 2 {
		t.Error("an addition is lost")
	}
}

// late fails if another goroutine looks when the most of the work is done, and not all of it.
func late(t *testing.T, n int, work func(i int)) {
	flag.Store(0)
	done := make(chan bool)
	go func() {
		for i := range n {
			work(i)
			if i == n*9/10 {
				flag.Store(1)
			}
		}
		flag.Store(2)
		done <- true
	}()
	if flag.Load() == 1 {
		t.Error("it has looked late")
	}
	<-done
}

func adds(int) { private.Add(1) }

func locks() func(int) {
	var mu sync.Mutex
	sum := 0
	return func(i int) {
		mu.Lock()
		sum += i
		mu.Unlock()
	}
}

func reads() func(int) {
	x, sum := new(atomic.Int64), int64(0)
	return func(int) { sum += x.Load() }
}

func tries() func(int) {
	x := new(atomic.Int64)
	return func(int) { x.CompareAndSwap(1, 2) }
}

func polls(int) {
	select {
	case <-never:
	default:
	}
}

var never = make(chan bool)

func TestFound1000(t *testing.T)         { first(t, 1_000, adds) }
func TestFound5000(t *testing.T)         { first(t, 5_000, adds) }
func TestFound12000(t *testing.T)        { first(t, 12_000, adds) }
func TestFound200000(t *testing.T)       { first(t, 200_000, adds) }
func TestFoundLocks(t *testing.T)        { first(t, 12_000, locks()) }
func TestFoundReads(t *testing.T)        { first(t, 5_000, reads()) }
func TestFoundSecond1000(t *testing.T)   { second(t, 1_000, adds) }
func TestFoundSecond12000(t *testing.T)  { second(t, 12_000, adds) }
func TestFoundSecondLocks(t *testing.T)  { second(t, 12_000, locks()) }
func TestFoundSecondReads(t *testing.T)  { second(t, 5_000, reads()) }
func TestFoundBetween1000(t *testing.T)  { between(t, 1_000, adds) }
func TestFoundBetween20000(t *testing.T) { between(t, 20_000, adds) }
func TestFoundBetweenLocks(t *testing.T) { between(t, 12_000, locks()) }

func TestLateReads(t *testing.T) { late(t, 12_000, reads()) }
func TestLateTries(t *testing.T) { late(t, 5_000, tries()) }
func TestLatePolls(t *testing.T) { late(t, 5_000, polls) }
func TestLateLocks(t *testing.T) { late(t, 5_000, locks()) }

type state struct {
	mu   sync.RWMutex
	done bool
	flag atomic.Bool
}

func (s *state) set() {
	s.mu.Lock()
	s.done = true
	s.mu.Unlock()
	s.flag.Store(true)
}

func (s *state) isDone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done
}

var rounds int // no part of a state

func TestReads(*testing.T) {
	s := new(state)
	go s.set()
	for ; !s.flag.Load(); rounds++ {
	}
}

func TestYields(*testing.T) {
	s := new(state)
	go s.set()
	for ; !s.flag.Load(); rounds++ {
		runtime.Gosched()
	}
}

func TestLocks(*testing.T) {
	s := new(state)
	go s.set()
	for !s.isDone() {
	}
}

func TestLocksAndCounts(t *testing.T) {
	s, i := new(state), 0
	go s.set()
	for ; !s.isDone(); i++ {
	}
	t.Log(i)
}

func TestSleeps(*testing.T) {
	s := new(state)
	go s.set()
	for !s.isDone() {
		time.Sleep(time.Millisecond)
	}
}

func TestSelects(*testing.T) {
	c := make(chan int)
	go close(c)
	for {
		select {
		case <-c:
			return
		default:
		}
	}
}

func TestCases(*testing.T) {
	c, d := make(chan int), make(chan int)
	close(c)
	go close(d)
	for {
		select {
		case <-c:
		case <-d:
			return
		}
	}
}

func TestTries(*testing.T) {
	var mu sync.Mutex
	mu.Lock()
	go mu.Unlock()
	for !mu.TryLock() {
	}
}

func TestSince(*testing.T) {
	s := new(state)
	go s.set()
	for began := time.Now(); !s.isDone() && time.Since(began) < time.Hour; {
	}
}

// Work under a lock takes no longer than on a slow machine, and does not hit a time-out of seconds.
func TestWorkWhileNothingExpires(t *testing.T) {
	var mu sync.Mutex
	expired := false
	timer := time.AfterFunc(2*time.Second, func() {
		mu.Lock()
		defer mu.Unlock()
		expired = true
	})
	defer timer.Stop()
	for n := range 100_000 {
		mu.Lock()
		if expired {
			t.Errorf("expired after %d", n)
		}
		mu.Unlock()
	}
}

// checkInTime fails the test if it is late, in virtual time, before some work under a lock is done.
func checkInTime(t *testing.T, late func() bool) {
	var mu sync.Mutex
	worked := 0
	for range 100_000 {
		mu.Lock()
		worked++
		mu.Unlock()
		if late() {
			t.Fatalf("late after %d", worked)
		}
	}
}

func TestWorkWithTheTime(t *testing.T) {
	begin := time.Now()
	checkInTime(t, func() bool { return time.Since(begin) > 2*time.Second })
}

func TestWorkBeforeADeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	checkInTime(t, func() bool { return ctx.Err() != nil })
}

// Work that goes on until some time has passed ends.
func TestWorkUntilASleepIsOver(t *testing.T) {
	var mu sync.Mutex
	worked, done := 0, make(chan bool)
	go func() { time.Sleep(time.Second); close(done) }()
	for {
		select {
		case <-done:
			return
		default:
			mu.Lock()
			worked++
			mu.Unlock()
		}
	}
}

// That goes for work in which each step changes something, too.
func TestExchangesUntilATimer(t *testing.T) {
	var stop atomic.Bool
	time.AfterFunc(time.Second, func() { stop.Store(true) })
	c, n := make(chan int), 0
	go func() {
		for v := range c {
			c <- v
		}
	}()
	for ; !stop.Load(); n++ {
		c <- 1
		<-c
	}
	if n == 0 {
		t.Error("nothing is exchanged")
	}
	close(c)
}

func TestWorkUntilTheTime(t *testing.T) {
	var mu sync.Mutex
	worked := 0
	for begin := time.Now(); time.Since(begin) < 2*time.Second; {
		mu.Lock()
		worked++
		mu.Unlock()
	}
}
