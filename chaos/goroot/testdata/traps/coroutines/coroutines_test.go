// Package coroutines iterates by iter.Pull: a goroutine and its coroutine are one task.
package coroutines

import (
	"iter"
	"sync"
	"sync/atomic"
	"testing"
)

// locked yields the numbers up to n, each under a lock.
func locked(mu *sync.Mutex, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			mu.Lock()
			i := i
			mu.Unlock()
			if !yield(i) {
				return
			}
		}
	}
}

func TestPull(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			next, stop := iter.Pull(locked(&mu, 5))
			defer stop()
			for want := range 5 {
				if i, ok := next(); i != want || !ok {
					t.Errorf("%d, %v, want %d", i, ok, want)
				}
			}
			if _, ok := next(); ok {
				t.Error("one more")
			}
		})
	}
	wg.Wait()
}

// A coroutine that waits when the test ends is left behind, and the next execution is as the first.
func TestLeft(*testing.T) {
	var mu sync.Mutex
	for range 4 {
		next, _ := iter.Pull(locked(&mu, 2))
		next()
	}
	go func() {
		next, _ := iter.Pull(func(yield func(int) bool) { <-make(chan int) })
		next()
	}()
}

func TestFoundLostUpdate(t *testing.T) {
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			next, stop := iter.Pull(func(yield func(int) bool) {
				yield(int(n.Load()))
			})
			defer stop()
			i, _ := next()
			n.Store(int32(i + 1))
		})
	}
	wg.Wait()
	if n.Load() != 2 {
		t.Error("an update is lost")
	}
}

// The lock that a coroutine waits for is held by another task.
func TestFoundDeadlock(*testing.T) {
	var a, b sync.Mutex
	done := make(chan bool)
	go func() {
		a.Lock()
		next, stop := iter.Pull(locked(&b, 1))
		next()
		stop()
		a.Unlock()
		done <- true
	}()
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
	<-done
}
