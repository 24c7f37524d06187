package cs

import (
	"sync"
	"testing"
)

// A turn says which of two goroutines may use a buffer; it is tried a limited number of times, and a
// try out of turn does nothing.
type turn struct {
	mu       sync.Mutex
	receives bool
}

// try calls f n times under the lock, with the number of the try, if it is the receiver's turn or not;
// then it is the other's turn.
func (u *turn) try(n int, receiver bool, f func(i int)) {
	for i := range n {
		u.mu.Lock()
		if u.receives == receiver {
			f(i)
			u.receives = !receiver
		}
		u.mu.Unlock()
	}
}

// circularBuffer sends the number of each try, as far as it is the sender's turn. The receiver
// expects what expected returns for its try.
func circularBuffer(t *testing.T, expected func(try int, sent []int, received int) int) {
	const size, tries = 10, 7
	var buffer [size]int
	var sent []int
	in, out := 0, 0
	var u turn
	together(func() {
		u.try(tries, false, func(i int) {
			buffer[in%size] = i
			sent = append(sent, i)
			in++
		})
	}, func() {
		u.try(tries, true, func(i int) {
			if got, want := buffer[out%size], expected(i, sent, out); got != want {
				t.Errorf("received %d, want %d", got, want)
			}
			out++
		})
	})
}

// TestCircularBuffer expects the number of the receiver's own try, which falls behind as soon as one
// of them had the lock when it was not its turn.
func TestCircularBuffer(t *testing.T) {
	circularBuffer(t, func(try int, _ []int, _ int) int { return try })
}

func TestCircularBufferFixed(t *testing.T) {
	circularBuffer(t, func(_ int, sent []int, received int) int { return sent[received] })
}

// queue fills a ring with 1, 2, 3 ... behind a first 0 that needs no turn, and notes
// what was stored by the number of the sender's try. The receiver compares by index.
func queue(t *testing.T, index func(try, received int) int, note func(try, sent int) int) {
	const size = 20
	var ring [size]int
	var stored [size + 1]int
	in, out := 1, 0 // element 0 is there from the beginning
	var u turn
	together(func() {
		u.try(size-1, false, func(i int) {
			ring[in%size] = in
			stored[note(i+1, in)] = in
			in++
		})
	}, func() {
		u.try(size, true, func(i int) {
			if got, want := ring[out%size], stored[index(i, out)]; got != want {
				t.Errorf("received %d, want %d", got, want)
			}
			out++
		})
	})
}

func TestQueue(t *testing.T) {
	queue(t, func(try, _ int) int { return try }, func(try, _ int) int { return try })
}

func TestQueueFixed(t *testing.T) {
	queue(t, func(_, received int) int { return received }, func(_, sent int) int { return sent })
}

// stack pushes and pops as often, once something has been pushed.
func stack(t *testing.T, mayPop func(pushed bool, height int) bool) {
	const size = 10
	var mu sync.Mutex
	height, pushed := 0, false
	together(func() {
		for range size {
			mu.Lock()
			height++
			pushed = true
			mu.Unlock()
		}
	}, func() {
		for range size {
			mu.Lock()
			if mayPop(pushed, height) {
				if height == 0 {
					t.Error("popped from an empty stack")
				} else {
					height--
				}
			}
			mu.Unlock()
		}
	})
}

func TestStack(t *testing.T) { stack(t, func(pushed bool, _ int) bool { return pushed }) }

func TestStackFixed(t *testing.T) { stack(t, func(_ bool, height int) bool { return height > 0 }) }
