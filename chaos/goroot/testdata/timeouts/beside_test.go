// Package timeouts has tests that wait for work with a time-out which the work does not take: none is hit, in whatever
// way a test waits, and whatever the work is, but for those named TestFound...
package timeouts

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// beside waits for work of so many rounds, which any machine does in a fraction of the limit.
func beside(t *testing.T, wait func(done func() bool, limit time.Duration) bool, work func(rounds int)) {
	for rounds, limit := 300, 50*time.Millisecond; rounds <= 3_000; rounds, limit = 10*rounds, 10*limit {
		var flag atomic.Bool
		go func() {
			work(rounds)
			flag.Store(true)
		}()
		if !wait(flag.Load, limit) {
			t.Errorf("%d rounds: late", rounds)
		}
		var mu sync.Mutex
		done := false
		go func() {
			work(rounds)
			mu.Lock()
			done = true
			mu.Unlock()
		}()
		if !wait(func() bool { mu.Lock(); defer mu.Unlock(); return done }, limit) {
			t.Errorf("%d rounds, under a lock: late", rounds)
		}
	}
}

// How a test waits.

func untilContext(done func() bool, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for !done() {
		if ctx.Err() != nil {
			return false
		}
	}
	return true
}

func untilSince(done func() bool, limit time.Duration) bool {
	for start := time.Now(); !done(); runtime.Gosched() {
		if time.Since(start) > limit {
			return false
		}
	}
	return true
}

func untilFlag(done func() bool, limit time.Duration) bool {
	var late atomic.Bool
	defer time.AfterFunc(limit, func() { late.Store(true) }).Stop()
	for !done() {
		if late.Load() {
			return false
		}
	}
	return true
}

func untilTimer(done func() bool, limit time.Duration) bool {
	tm := time.NewTimer(limit)
	defer tm.Stop()
	for !done() {
		select {
		case <-tm.C:
			return false
		default:
		}
	}
	return true
}

func untilTicks(done func() bool, limit time.Duration) bool {
	tick := time.NewTicker(limit / 50)
	defer tick.Stop()
	for n := 0; !done(); n++ {
		if n == 50 {
			return false
		}
		<-tick.C
	}
	return true
}

func untilSleeps(done func() bool, limit time.Duration) bool {
	for n := 0; !done(); n++ {
		if n == 50 {
			return false
		}
		time.Sleep(limit / 50)
	}
	return true
}

func untilOther(done func() bool, limit time.Duration) bool {
	c := make(chan bool)
	go func() {
		for !done() {
			runtime.Gosched()
		}
		close(c)
	}()
	select {
	case <-c:
		return true
	case <-time.After(limit):
		return false
	}
}

// What the work is.

var never atomic.Bool

var count int // no part of a state

func looks(n int) {
	for range n {
		never.Load()
	}
}

func locks(n int) {
	var mu sync.Mutex
	for range n {
		mu.Lock()
		mu.Unlock()
	}
}

func heap(n int) {
	p := new(int)
	for range n {
		*p++
		never.Load()
	}
}

func global(n int) { adds(new(sync.Mutex), n) }

// adds counts in a global variable, under a lock.
func adds(mu *sync.Mutex, n int) {
	for range n {
		mu.Lock()
		count++
		mu.Unlock()
	}
}

func readLocks(n int) {
	var mu sync.RWMutex
	m := map[int]int{1: 1}
	s := 0
	for range n {
		mu.RLock()
		s += m[1]
		mu.RUnlock()
	}
}

func yields(n int) {
	for range n {
		runtime.Gosched()
	}
}

func swaps(n int) {
	var x atomic.Int64
	for range n {
		x.CompareAndSwap(1, 2)
	}
}

func buffers(n int) {
	c := make(chan int, 1)
	for range n {
		c <- 1
		<-c
	}
}

func sends(n int) {
	c := make(chan int)
	go func() {
		for range c {
		}
	}()
	for range n {
		c <- 1
	}
	close(c)
}

func loads(n int) {
	var m sync.Map
	m.Store(1, 1)
	for range n {
		m.Load(1)
	}
}

func asksTime(n int) {
	for range n {
		time.Now()
		never.Load()
	}
}

func tries(n int) {
	var mu sync.Mutex
	for range n {
		if mu.TryLock() {
			mu.Unlock()
		}
	}
}

func twoLock(n int) { two(func() { locks(n) }) }

func twoShare(n int) {
	var mu sync.Mutex
	two(func() { adds(&mu, n) })
}

// two has two goroutines do the work.
func two(work func()) {
	var wg sync.WaitGroup
	wg.Go(work)
	wg.Go(work)
	wg.Wait()
}

func polls(n int) {
	c := make(chan int)
	for range n {
		select {
		case <-c:
		default:
		}
	}
}

func TestUntilContextLooks(t *testing.T)     { beside(t, untilContext, looks) }
func TestUntilContextLocks(t *testing.T)     { beside(t, untilContext, locks) }
func TestUntilContextHeap(t *testing.T)      { beside(t, untilContext, heap) }
func TestUntilContextGlobal(t *testing.T)    { beside(t, untilContext, global) }
func TestUntilContextReadLocks(t *testing.T) { beside(t, untilContext, readLocks) }
func TestUntilContextYields(t *testing.T)    { beside(t, untilContext, yields) }
func TestUntilContextSwaps(t *testing.T)     { beside(t, untilContext, swaps) }
func TestUntilContextBuffers(t *testing.T)   { beside(t, untilContext, buffers) }
func TestUntilContextSends(t *testing.T)     { beside(t, untilContext, sends) }
func TestUntilContextLoads(t *testing.T)     { beside(t, untilContext, loads) }
func TestUntilContextAsksTime(t *testing.T)  { beside(t, untilContext, asksTime) }
func TestUntilContextTries(t *testing.T)     { beside(t, untilContext, tries) }
func TestUntilContextTwoLock(t *testing.T)   { beside(t, untilContext, twoLock) }
func TestUntilContextTwoShare(t *testing.T)  { beside(t, untilContext, twoShare) }
func TestUntilSinceLooks(t *testing.T)       { beside(t, untilSince, looks) }
func TestUntilSinceLocks(t *testing.T)       { beside(t, untilSince, locks) }
func TestUntilSinceHeap(t *testing.T)        { beside(t, untilSince, heap) }
func TestUntilSinceGlobal(t *testing.T)      { beside(t, untilSince, global) }
func TestUntilSinceReadLocks(t *testing.T)   { beside(t, untilSince, readLocks) }
func TestUntilSinceYields(t *testing.T)      { beside(t, untilSince, yields) }
func TestUntilSinceSwaps(t *testing.T)       { beside(t, untilSince, swaps) }
func TestUntilSinceBuffers(t *testing.T)     { beside(t, untilSince, buffers) }
func TestUntilSinceSends(t *testing.T)       { beside(t, untilSince, sends) }
func TestUntilSinceLoads(t *testing.T)       { beside(t, untilSince, loads) }
func TestUntilSinceAsksTime(t *testing.T)    { beside(t, untilSince, asksTime) }
func TestUntilSinceTries(t *testing.T)       { beside(t, untilSince, tries) }
func TestUntilSinceTwoLock(t *testing.T)     { beside(t, untilSince, twoLock) }
func TestUntilSinceTwoShare(t *testing.T)    { beside(t, untilSince, twoShare) }
func TestUntilFlagLooks(t *testing.T)        { beside(t, untilFlag, looks) }
func TestUntilFlagLocks(t *testing.T)        { beside(t, untilFlag, locks) }
func TestUntilFlagHeap(t *testing.T)         { beside(t, untilFlag, heap) }
func TestUntilFlagGlobal(t *testing.T)       { beside(t, untilFlag, global) }
func TestUntilFlagReadLocks(t *testing.T)    { beside(t, untilFlag, readLocks) }
func TestUntilFlagYields(t *testing.T)       { beside(t, untilFlag, yields) }
func TestUntilFlagSwaps(t *testing.T)        { beside(t, untilFlag, swaps) }
func TestUntilFlagBuffers(t *testing.T)      { beside(t, untilFlag, buffers) }
func TestUntilFlagSends(t *testing.T)        { beside(t, untilFlag, sends) }
func TestUntilFlagLoads(t *testing.T)        { beside(t, untilFlag, loads) }
func TestUntilFlagAsksTime(t *testing.T)     { beside(t, untilFlag, asksTime) }
func TestUntilFlagTries(t *testing.T)        { beside(t, untilFlag, tries) }
func TestUntilFlagTwoLock(t *testing.T)      { beside(t, untilFlag, twoLock) }
func TestUntilFlagTwoShare(t *testing.T)     { beside(t, untilFlag, twoShare) }
func TestUntilTimerLooks(t *testing.T)       { beside(t, untilTimer, looks) }
func TestUntilTimerLocks(t *testing.T)       { beside(t, untilTimer, locks) }
func TestUntilTimerHeap(t *testing.T)        { beside(t, untilTimer, heap) }
func TestUntilTimerGlobal(t *testing.T)      { beside(t, untilTimer, global) }
func TestUntilTimerReadLocks(t *testing.T)   { beside(t, untilTimer, readLocks) }
func TestUntilTimerYields(t *testing.T)      { beside(t, untilTimer, yields) }
func TestUntilTimerSwaps(t *testing.T)       { beside(t, untilTimer, swaps) }
func TestUntilTimerBuffers(t *testing.T)     { beside(t, untilTimer, buffers) }
func TestUntilTimerSends(t *testing.T)       { beside(t, untilTimer, sends) }
func TestUntilTimerLoads(t *testing.T)       { beside(t, untilTimer, loads) }
func TestUntilTimerAsksTime(t *testing.T)    { beside(t, untilTimer, asksTime) }
func TestUntilTimerTries(t *testing.T)       { beside(t, untilTimer, tries) }
func TestUntilTimerTwoLock(t *testing.T)     { beside(t, untilTimer, twoLock) }
func TestUntilTimerTwoShare(t *testing.T)    { beside(t, untilTimer, twoShare) }
func TestUntilTicksLooks(t *testing.T)       { beside(t, untilTicks, looks) }
func TestUntilTicksLocks(t *testing.T)       { beside(t, untilTicks, locks) }
func TestUntilTicksHeap(t *testing.T)        { beside(t, untilTicks, heap) }
func TestUntilTicksGlobal(t *testing.T)      { beside(t, untilTicks, global) }
func TestUntilTicksReadLocks(t *testing.T)   { beside(t, untilTicks, readLocks) }
func TestUntilTicksYields(t *testing.T)      { beside(t, untilTicks, yields) }
func TestUntilTicksSwaps(t *testing.T)       { beside(t, untilTicks, swaps) }
func TestUntilTicksBuffers(t *testing.T)     { beside(t, untilTicks, buffers) }
func TestUntilTicksSends(t *testing.T)       { beside(t, untilTicks, sends) }
func TestUntilTicksLoads(t *testing.T)       { beside(t, untilTicks, loads) }
func TestUntilTicksAsksTime(t *testing.T)    { beside(t, untilTicks, asksTime) }
func TestUntilTicksTries(t *testing.T)       { beside(t, untilTicks, tries) }
func TestUntilTicksTwoLock(t *testing.T)     { beside(t, untilTicks, twoLock) }
func TestUntilTicksTwoShare(t *testing.T)    { beside(t, untilTicks, twoShare) }
func TestUntilSleepsLooks(t *testing.T)      { beside(t, untilSleeps, looks) }
func TestUntilSleepsLocks(t *testing.T)      { beside(t, untilSleeps, locks) }
func TestUntilSleepsHeap(t *testing.T)       { beside(t, untilSleeps, heap) }
func TestUntilSleepsGlobal(t *testing.T)     { beside(t, untilSleeps, global) }
func TestUntilSleepsReadLocks(t *testing.T)  { beside(t, untilSleeps, readLocks) }
func TestUntilSleepsYields(t *testing.T)     { beside(t, untilSleeps, yields) }
func TestUntilSleepsSwaps(t *testing.T)      { beside(t, untilSleeps, swaps) }
func TestUntilSleepsBuffers(t *testing.T)    { beside(t, untilSleeps, buffers) }
func TestUntilSleepsSends(t *testing.T)      { beside(t, untilSleeps, sends) }
func TestUntilSleepsLoads(t *testing.T)      { beside(t, untilSleeps, loads) }
func TestUntilSleepsAsksTime(t *testing.T)   { beside(t, untilSleeps, asksTime) }
func TestUntilSleepsTries(t *testing.T)      { beside(t, untilSleeps, tries) }
func TestUntilSleepsTwoLock(t *testing.T)    { beside(t, untilSleeps, twoLock) }
func TestUntilSleepsTwoShare(t *testing.T)   { beside(t, untilSleeps, twoShare) }
func TestUntilOtherLooks(t *testing.T)       { beside(t, untilOther, looks) }
func TestUntilOtherLocks(t *testing.T)       { beside(t, untilOther, locks) }
func TestUntilOtherHeap(t *testing.T)        { beside(t, untilOther, heap) }
func TestUntilOtherGlobal(t *testing.T)      { beside(t, untilOther, global) }
func TestUntilOtherReadLocks(t *testing.T)   { beside(t, untilOther, readLocks) }
func TestUntilOtherYields(t *testing.T)      { beside(t, untilOther, yields) }
func TestUntilOtherSwaps(t *testing.T)       { beside(t, untilOther, swaps) }
func TestUntilOtherBuffers(t *testing.T)     { beside(t, untilOther, buffers) }
func TestUntilOtherSends(t *testing.T)       { beside(t, untilOther, sends) }
func TestUntilOtherLoads(t *testing.T)       { beside(t, untilOther, loads) }
func TestUntilOtherAsksTime(t *testing.T)    { beside(t, untilOther, asksTime) }
func TestUntilOtherTries(t *testing.T)       { beside(t, untilOther, tries) }
func TestUntilOtherTwoLock(t *testing.T)     { beside(t, untilOther, twoLock) }
func TestUntilOtherTwoShare(t *testing.T)    { beside(t, untilOther, twoShare) }

func TestFoundSleep(t *testing.T) {
	beside(t, untilTimer, func(int) { time.Sleep(time.Second) })
}

func TestFoundEndless(t *testing.T) {
	beside(t, untilTimer, func(int) {
		for !never.Load() {
		}
	})
}
