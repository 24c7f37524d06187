package cs

import (
	"sync"
	"sync/atomic"
	"testing"
)

// twoStage has writers, which set one value and then a second that follows from it, each under its
// own lock, and readers, which fail if they see the first without the second. whole is a lock around
// both stages, in the fixed version.
func twoStage(t *testing.T, writers, readers int, whole sync.Locker) {
	var lock1, lock2 sync.Mutex
	var value1, value2 atomic.Int32
	write := func() {
		whole.Lock()
		defer whole.Unlock()
		lock1.Lock()
		value1.Store(1)
		lock1.Unlock()
		lock2.Lock()
		value2.Store(value1.Load() + 1)
		lock2.Unlock()
	}
	read := func() {
		whole.Lock()
		defer whole.Unlock()
		lock1.Lock()
		first := value1.Load()
		lock1.Unlock()
		if first == 0 {
			return
		}
		lock2.Lock()
		second := value2.Load()
		lock2.Unlock()
		if second != first+1 {
			t.Errorf("the values are %d and %d", first, second)
		}
	}
	together(append(times(writers, write), times(readers, read)...)...)
}

func TestTwoStage(t *testing.T)    { twoStage(t, 1, 1, unlocked{}) }
func TestTwoStage20(t *testing.T)  { twoStage(t, 19, 1, unlocked{}) }
func TestTwoStage100(t *testing.T) { twoStage(t, 99, 1, unlocked{}) }

// TestTwoStage20Readers is as TestReorder20: half of the goroutines read.
func TestTwoStage20Readers(t *testing.T)      { twoStage(t, 10, 10, unlocked{}) }
func TestTwoStage20ReadersFixed(t *testing.T) { twoStage(t, 10, 10, new(sync.Mutex)) }

func TestTwoStageFixed(t *testing.T)    { twoStage(t, 1, 1, new(sync.Mutex)) }
func TestTwoStage20Fixed(t *testing.T)  { twoStage(t, 19, 1, new(sync.Mutex)) }
func TestTwoStage100Fixed(t *testing.T) { twoStage(t, 99, 1, new(sync.Mutex)) }

// wrongLock has one goroutine that increments a value under its lock, and others that use another.
func wrongLock(t *testing.T, others int, right, other *sync.Mutex) {
	var value atomic.Int32
	increment := func(mu *sync.Mutex) (before, after int32) {
		mu.Lock()
		defer mu.Unlock()
		before = value.Load()
		value.Store(value.Load() + 1)
		return before, value.Load()
	}
	check := func() {
		if before, after := increment(right); after != before+1 {
			t.Errorf("the value was %d and is %d", before, after)
		}
	}
	together(append(times(others, func() { increment(other) }), check)...)
}

func TestWrongLock(t *testing.T)  { wrongLock(t, 7, new(sync.Mutex), new(sync.Mutex)) }
func TestWrongLock3(t *testing.T) { wrongLock(t, 3, new(sync.Mutex), new(sync.Mutex)) }

func TestWrongLockFixed(t *testing.T)  { mu := new(sync.Mutex); wrongLock(t, 7, mu, mu) }
func TestWrongLock3Fixed(t *testing.T) { mu := new(sync.Mutex); wrongLock(t, 3, mu, mu) }
