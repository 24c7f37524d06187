package queues

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// An msQueue is Michael and Scott's; links is the order in which a node is linked to the last one.
type msQueue struct {
	head, tail atomic.Pointer[node]
	links      memory.Order
}

func newMSQueue(links memory.Order) *msQueue {
	q := &msQueue{links: links}
	first := new(node)
	q.head.Store(first)
	q.tail.Store(first)
	return q
}

func (q *msQueue) enqueue(item int64) {
	n := newNode(item)
	for {
		last := memory.LoadPointer(&q.tail, memory.Acquire)
		if next := memory.LoadPointer(&last.next, memory.Acquire); next != nil {
			memory.CompareAndSwapPointer(&q.tail, last, next, memory.Release, memory.Relaxed)
			continue
		}
		if memory.CompareAndSwapPointer(&last.next, nil, n, q.links, memory.Relaxed) {
			memory.CompareAndSwapPointer(&q.tail, last, n, memory.Release, memory.Relaxed)
			return
		}
	}
}

// dequeue returns no if there is none; an item may be 0 if its store is not seen.
func (q *msQueue) dequeue() (item int64, ok bool) {
	for {
		first := memory.LoadPointer(&q.head, memory.Acquire)
		last := memory.LoadPointer(&q.tail, memory.Acquire)
		next := memory.LoadPointer(&first.next, memory.Acquire)
		if next == nil {
			return 0, false
		}
		if first == last {
			memory.CompareAndSwapPointer(&q.tail, last, next, memory.Release, memory.Relaxed)
		}
		if memory.CompareAndSwapPointer(&q.head, first, next, memory.Release, memory.Relaxed) {
			return memory.LoadInt64(&next.item, memory.Relaxed), true
		}
	}
}

func ms(links memory.Order) func(*chaos.C) {
	return func(c *chaos.C) {
		q := newMSQueue(links)
		together(
			func() { q.enqueue(1) },
			func() { q.enqueue(2) },
			func() {
				for range 2 {
					if item, ok := q.dequeue(); ok && item == 0 {
						c.Errorf("dequeued a node without its item")
					}
				}
			})
	}
}

func TestMSQueue(t *testing.T)      { chaos.Explore(t, ms(memory.Relaxed), onViews) }
func TestMSQueueFixed(t *testing.T) { chaos.Explore(t, ms(memory.Release), onViews) }

// treiber is Treiber's stack, of which one pops what others push; pushes is the order in which a node
// becomes the top.
func treiber(pushes memory.Order) func(*chaos.C) {
	return func(c *chaos.C) {
		var top atomic.Pointer[node]
		push := func(item int64) {
			n := newNode(item)
			for {
				old := memory.LoadPointer(&top, memory.Relaxed)
				memory.StorePointer(&n.next, old, memory.Relaxed)
				if memory.CompareAndSwapPointer(&top, old, n, pushes, memory.Relaxed) {
					return
				}
			}
		}
		pop := func() {
			for {
				n := memory.LoadPointer(&top, memory.Acquire)
				if n == nil {
					return
				}
				next := memory.LoadPointer(&n.next, memory.Relaxed)
				if memory.CompareAndSwapPointer(&top, n, next, memory.Relaxed, memory.Relaxed) {
					if memory.LoadInt64(&n.item, memory.Relaxed) == 0 {
						c.Errorf("popped a node without its item")
					}
					return
				}
			}
		}
		together(func() { push(1) }, func() { push(2) }, func() { pop(); pop() })
	}
}

func TestTreiberStack(t *testing.T)      { chaos.Explore(t, treiber(memory.Relaxed), onViews) }
func TestTreiberStackFixed(t *testing.T) { chaos.Explore(t, treiber(memory.Release), onViews) }

// hashMap is one bucket of a map whose readers take no lock; publishes is the order in which a writer
// puts an entry at its front.
func hashMap(publishes memory.Order) func(*chaos.C) {
	return func(c *chaos.C) {
		var front atomic.Pointer[node]
		together(func() {
			for i := range int64(2) { // under the bucket's lock, which no other writer wants
				n := newNode(i + 1)
				memory.StorePointer(&n.next, memory.LoadPointer(&front, memory.Relaxed), memory.Relaxed)
				memory.StorePointer(&front, n, publishes)
			}
		}, func() {
			for n := memory.LoadPointer(&front, memory.Acquire); n != nil; n = memory.LoadPointer(&n.next, memory.Relaxed) {
				if memory.LoadInt64(&n.item, memory.Relaxed) == 0 {
					c.Errorf("found an entry without its value")
				}
			}
		})
	}
}

func TestConcurrentHashMap(t *testing.T)      { chaos.Explore(t, hashMap(memory.Relaxed), onViews) }
func TestConcurrentHashMapFixed(t *testing.T) { chaos.Explore(t, hashMap(memory.Release), onViews) }
