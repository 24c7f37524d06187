package chess

import (
	"sync"
	"sync/atomic"
	"testing"
)

const items = 4

// steals runs owner beside thieves, which try to steal twice each, and checks that each item was
// taken once.
func steals(t *testing.T, q *queue, thieves int, owner func(push func(item int64), pop func())) {
	var taken [items + 1]atomic.Int32 // 0 is none
	q.slots = make([]atomic.Int64, 2)
	var wg sync.WaitGroup
	for n := range thieves {
		wg.Go(func() {
			for range 2 {
				taken[q.steal(n+1)].Add(1)
			}
		})
	}
	owner(q.push, func() { taken[q.pop()].Add(1) })
	wg.Wait()
	for i := 1; i <= items; i++ {
		if n := taken[i].Load(); n != 1 {
			t.Errorf("item %d was taken %d times", i, n)
		}
	}
}

// alternates pushes two items and pops one, twice, and then pops what is left.
func alternates(push func(item int64), pop func()) {
	for i := int64(1); i <= items; i += 2 {
		push(i)
		push(i + 1)
		pop()
	}
	for range items / 2 {
		pop()
	}
}

// pushesFirst pushes all items and then pops them.
func pushesFirst(push func(item int64), pop func()) {
	for i := int64(1); i <= items; i++ {
		push(i)
	}
	for range items {
		pop()
	}
}

func stateless(int, int32) {}

// positions returns a function that notes where each goroutine is.
func positions() func(goroutine int, at int32) {
	var where [3]atomic.Int32
	return func(goroutine int, at int32) { where[goroutine].Store(at) }
}

// TestWSQ has a mutex for its lock.
func TestWSQ(t *testing.T) {
	steals(t, &queue{lock: new(sync.Mutex), position: stateless}, 1, alternates)
}

func TestWSQFixed(t *testing.T) {
	steals(t, &queue{lock: new(sync.Mutex), position: stateless, spare: 1}, 1, alternates)
}

// TestIWSQ has a spin lock.
func TestIWSQ(t *testing.T) {
	steals(t, &queue{lock: new(spinLock), position: stateless}, 1, alternates)
}

func TestIWSQFixed(t *testing.T) {
	steals(t, &queue{lock: new(spinLock), position: stateless, spare: 1}, 1, alternates)
}

// TestIWSQWS also writes where each goroutine is, which no one reads.
func TestIWSQWS(t *testing.T) {
	steals(t, &queue{lock: new(spinLock), position: positions()}, 1, alternates)
}

func TestIWSQWSFixed(t *testing.T) {
	steals(t, &queue{lock: new(spinLock), position: positions(), spare: 1}, 1, alternates)
}

// TestSWSQ has two thieves, and an owner that pushes everything first.
func TestSWSQ(t *testing.T) {
	steals(t, &queue{lock: new(spinLock), position: positions()}, 2, pushesFirst)
}

func TestSWSQFixed(t *testing.T) {
	steals(t, &queue{lock: new(spinLock), position: positions(), spare: 1}, 2, pushesFirst)
}
