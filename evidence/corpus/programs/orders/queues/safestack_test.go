package queues

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
)

// none is the end of the list, and the next of an index that is taken out.
const none = -1

// A safeStack is SafeStack, a list of indices, with the orders that its author declared.
type safeStack struct {
	head, count atomic.Int32
	next, value [3]atomic.Int32
}

func newSafeStack() *safeStack {
	s := new(safeStack)
	s.count.Store(int32(len(s.next)))
	for i := range s.next {
		s.next[i].Store(int32(i + 1))
	}
	s.next[len(s.next)-1].Store(none)
	return s
}

// pop returns none if there is one index left, or none.
func (s *safeStack) pop() int32 {
	for memory.LoadInt32(&s.count, memory.Acquire) > 1 {
		h := memory.LoadInt32(&s.head, memory.Acquire)
		after := memory.SwapInt32(&s.next[h], none, memory.SeqCst)
		if after < 0 {
			hooks.Gosched()
			continue
		}
		if memory.CompareAndSwapInt32(&s.head, h, after, memory.SeqCst, memory.SeqCst) {
			memory.AddInt32(&s.count, -1, memory.SeqCst)
			return h
		}
		memory.SwapInt32(&s.next[h], after, memory.SeqCst)
	}
	return none
}

func (s *safeStack) push(i int32) {
	for {
		h := memory.LoadInt32(&s.head, memory.Acquire)
		memory.StoreInt32(&s.next[i], h, memory.Release)
		if memory.CompareAndSwapInt32(&s.head, h, i, memory.SeqCst, memory.SeqCst) {
			break
		}
	}
	memory.AddInt32(&s.count, 1, memory.SeqCst)
}

func safeStacks(pop func(*safeStack) int32, push func(*safeStack, int32)) func(*chaos.C) {
	return func(c *chaos.C) {
		s := newSafeStack()
		f := func(id int32) func() {
			return func() {
				for range 2 {
					i := pop(s)
					for i < 0 {
						hooks.Gosched()
						i = pop(s)
					}
					memory.StoreInt32(&s.value[i], id, memory.SeqCst)
					if got := memory.LoadInt32(&s.value[i], memory.SeqCst); got != id {
						c.Errorf("task %d has index %d, and so has %d", id, i, got)
					}
					push(s, i)
				}
			}
		}
		together(f(0), f(1), f(2))
	}
}

func TestSafeStack(t *testing.T) {
	chaos.Explore(t, safeStacks((*safeStack).pop, (*safeStack).push), onViews)
}

func TestSafeStackFixed(t *testing.T) {
	var mu sync.Mutex
	chaos.Explore(t, safeStacks(func(s *safeStack) int32 {
		mu.Lock()
		defer mu.Unlock()
		return s.pop()
	}, func(s *safeStack, i int32) {
		mu.Lock()
		defer mu.Unlock()
		s.push(i)
	}), onViews)
}
