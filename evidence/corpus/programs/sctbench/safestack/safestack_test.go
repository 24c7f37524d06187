package safestack

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// none is the end of the list, and the next of an index that is taken out.
const none = -1

// A stack is a list of indices. count is how many it holds, at most: pop leaves the last one.
type stack struct {
	head, count atomic.Int32
	next, value []atomic.Int32
}

func newStack(n int) *stack {
	s := &stack{next: make([]atomic.Int32, n), value: make([]atomic.Int32, n)}
	s.count.Store(int32(n))
	for i := range n {
		s.next[i].Store(int32(i + 1))
	}
	s.next[n-1].Store(none)
	return s
}

// pop returns none if there is one index left, or none.
func (s *stack) pop() int32 {
	for s.count.Load() > 1 {
		h := s.head.Load()
		after := s.next[h].Swap(none)
		if after < 0 {
			runtime.Gosched()
			continue
		}
		if s.head.CompareAndSwap(h, after) {
			s.count.Add(-1)
			return h
		}
		s.next[h].Swap(after) // which others may see, or have changed: h may be out of the stack
	}
	return none
}

func (s *stack) push(i int32) {
	for {
		h := s.head.Load()
		s.next[i].Store(h)
		if s.head.CompareAndSwap(h, i) {
			break
		}
	}
	s.count.Add(1)
}

// locked is a stack under a lock.
type locked struct {
	mu sync.Mutex
	*stack
}

func (l *locked) pop() int32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stack.pop()
}

func (l *locked) push(i int32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stack.push(i)
}

// safeStack has three goroutines, each of which twice takes an index, which is then its own, and
// gives it back.
func safeStack(t *testing.T, value []atomic.Int32, pop func() int32, push func(int32)) {
	var wg sync.WaitGroup
	for id := range int32(3) {
		wg.Go(func() {
			for range 2 {
				i := pop()
				for i < 0 {
					runtime.Gosched()
					i = pop()
				}
				value[i].Store(id)
				if got := value[i].Load(); got != id {
					t.Errorf("goroutine %d has index %d, and so has %d", id, i, got)
				}
				push(i)
			}
		})
	}
	wg.Wait()
}

func TestSafeStack(t *testing.T) {
	s := newStack(3)
	safeStack(t, s.value, s.pop, s.push)
}

func TestSafeStackFixed(t *testing.T) {
	s := locked{stack: newStack(3)}
	safeStack(t, s.value, s.pop, s.push)
}
