package driver

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// What waits for a channel or a condition when the test ends has ended when the next execution uses it.

var shared, other = make(chan int), make(chan int)

// onStack calls f on a stack of its own size.
func onStack(f func()) {
	var frame [20_000]byte
	f()
	runtime.KeepAlive(&frame)
}

func left(t *testing.T, wait func()) {
	runtime.GC() // a stack that is no more is not looked at
	select {
	case shared <- 1:
		t.Error("something receives")
	case v := <-shared:
		t.Error("something sends", v)
	default:
	}
	go func() { shared <- 3 }()
	if v := <-shared; v != 3 {
		t.Error(v)
	}
	for range 4 {
		go onStack(wait)
	}
	time.Sleep(time.Millisecond)
}

func TestReceiversLeft(t *testing.T) { left(t, func() { <-shared }) }
func TestSendersLeft(t *testing.T)   { left(t, func() { shared <- 2 }) }

func TestSelectsLeft(t *testing.T) {
	left(t, func() {
		select {
		case <-shared:
		case other <- 1:
		}
	})
}

var (
	lock sync.Mutex
	cond = sync.NewCond(&lock)
)

// A signal is for who waits now.
func TestWaitersLeft(t *testing.T) {
	ready := false
	go func() {
		lock.Lock()
		ready = true
		lock.Unlock()
		cond.Signal()
	}()
	lock.Lock()
	for !ready {
		cond.Wait()
	}
	lock.Unlock()
	for range 4 {
		go onStack(func() {
			lock.Lock()
			defer lock.Unlock()
			cond.Wait()
		})
	}
	time.Sleep(time.Millisecond)
}
