package queues

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
)

// theQueue is the queue of Cilk's THE protocol: the owner pops at the tail, and takes the lock only if
// a thief may want the same item; a thief steals at the head, under the lock.
type theQueue struct {
	mu         sync.Mutex
	head, tail atomic.Int64
	slots      [4]atomic.Int64
}

// ownerFence and thiefFence are the fences between moving one's own end and looking at the other.
func ownerFence() { memory.Fence(memory.SeqCst) }
func thiefFence() { memory.Fence(memory.SeqCst) }

func (q *theQueue) push(item int64) {
	t := memory.LoadInt64(&q.tail, memory.Relaxed)
	memory.StoreInt64(&q.slots[t], item, memory.Relaxed)
	memory.StoreInt64(&q.tail, t+1, memory.Release)
}

func (q *theQueue) pop() int64 {
	t := memory.LoadInt64(&q.tail, memory.Relaxed) - 1
	memory.StoreInt64(&q.tail, t, memory.Relaxed)
	ownerFence()
	if memory.LoadInt64(&q.head, memory.Acquire) <= t {
		return memory.LoadInt64(&q.slots[t], memory.Relaxed)
	}
	memory.StoreInt64(&q.tail, t+1, memory.Relaxed)
	q.mu.Lock()
	defer q.mu.Unlock()
	memory.StoreInt64(&q.tail, t, memory.Relaxed)
	if memory.LoadInt64(&q.head, memory.Relaxed) <= t {
		return memory.LoadInt64(&q.slots[t], memory.Relaxed)
	}
	memory.StoreInt64(&q.tail, t+1, memory.Relaxed)
	return 0
}

func (q *theQueue) steal() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	h := memory.LoadInt64(&q.head, memory.Relaxed)
	memory.StoreInt64(&q.head, h+1, memory.Relaxed)
	thiefFence()
	if h+1 <= memory.LoadInt64(&q.tail, memory.Acquire) {
		return memory.LoadInt64(&q.slots[h], memory.Relaxed)
	}
	memory.StoreInt64(&q.head, h, memory.Relaxed)
	return 0
}

// the pushes two items and pops twice, beside a thief that tries twice.
func the(c *chaos.C) {
	var q theQueue
	var x taken
	together(func() {
		q.push(1)
		q.push(2)
		x.take(q.pop())
		x.take(q.pop())
	}, func() {
		x.take(q.steal())
		x.take(q.steal())
	})
	x.once(c, 2)
}

func TestTHEOwner(t *testing.T) {
	chaos.Explore(t, the, onTSO, chaos.WithoutFences("queues.ownerFence"))
}

func TestTHEThief(t *testing.T) {
	chaos.Explore(t, the, onTSO, chaos.WithoutFences("queues.thiefFence"))
}

func TestTHEFixed(t *testing.T) { chaos.Explore(t, the, onTSO) }
