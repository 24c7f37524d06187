package queues

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// A deque is Chase and Lev's with the orders of the C11 version (PPoPP 2013). publish and read are
// the orders in which the owner publishes larger slots, and a thief reads where they are.
type deque struct {
	top, bottom   atomic.Int64
	slots         atomic.Pointer[slots]
	publish, read memory.Order
}

type slots []atomic.Int64

func (s *slots) of(i int64) *atomic.Int64 { return &(*s)[i%int64(len(*s))] }

// storeLoad is the fence of take, between moving the bottom and looking at the top.
func storeLoad() { memory.Fence(memory.SeqCst) }

func newDeque(size int, publish, read memory.Order) *deque {
	d := &deque{publish: publish, read: read}
	s := make(slots, size)
	d.slots.Store(&s)
	return d
}

func (d *deque) push(item int64) {
	b := memory.LoadInt64(&d.bottom, memory.Relaxed)
	t := memory.LoadInt64(&d.top, memory.Acquire)
	s := memory.LoadPointer(&d.slots, memory.Relaxed)
	if b-t >= int64(len(*s)) {
		s = d.grow(s, t, b)
	}
	memory.StoreInt64(s.of(b), item, memory.Relaxed)
	memory.Fence(memory.Release)
	memory.StoreInt64(&d.bottom, b+1, memory.Relaxed)
}

func (d *deque) grow(s *slots, t, b int64) *slots {
	more := make(slots, 2*len(*s))
	for i := t; i < b; i++ {
		memory.StoreInt64(more.of(i), memory.LoadInt64(s.of(i), memory.Relaxed), memory.Relaxed)
	}
	memory.StorePointer(&d.slots, &more, d.publish)
	return &more
}

func (d *deque) take() (item int64) {
	b := memory.LoadInt64(&d.bottom, memory.Relaxed) - 1
	s := memory.LoadPointer(&d.slots, memory.Relaxed)
	memory.StoreInt64(&d.bottom, b, memory.Relaxed)
	storeLoad()
	t := memory.LoadInt64(&d.top, memory.Relaxed)
	if t > b {
		memory.StoreInt64(&d.bottom, b+1, memory.Relaxed)
		return 0
	}
	item = memory.LoadInt64(s.of(b), memory.Relaxed)
	if t == b {
		if !memory.CompareAndSwapInt64(&d.top, t, t+1, memory.SeqCst, memory.Relaxed) {
			item = 0
		}
		memory.StoreInt64(&d.bottom, b+1, memory.Relaxed)
	}
	return item
}

func (d *deque) steal() (item int64) {
	t := memory.LoadInt64(&d.top, memory.Acquire)
	memory.Fence(memory.SeqCst)
	if t >= memory.LoadInt64(&d.bottom, memory.Acquire) {
		return 0
	}
	s := memory.LoadPointer(&d.slots, d.read)
	item = memory.LoadInt64(s.of(t), memory.Relaxed)
	if !memory.CompareAndSwapInt64(&d.top, t, t+1, memory.SeqCst, memory.Relaxed) {
		return 0
	}
	return item
}

// chaseLev has an owner that pushes two items and takes twice, and a thief that tries to steal twice,
// from the beginning or once the items are there.
func chaseLev(fromBeginning bool) func(*chaos.C) {
	return func(c *chaos.C) {
		d := newDeque(4, memory.Release, memory.Acquire)
		var x taken
		push := func() { d.push(1); d.push(2) }
		if !fromBeginning {
			push()
		}
		together(func() {
			x.take(d.steal())
			x.take(d.steal())
		}, func() {
			if fromBeginning {
				push()
			}
			x.take(d.take())
			x.take(d.take())
		})
		x.once(c, 2)
	}
}

func TestChaseLevFence(t *testing.T) {
	chaos.Explore(t, chaseLev(false), onViews, chaos.WithoutFences("queues.storeLoad"))
}

func TestChaseLevFenceTSO(t *testing.T) {
	chaos.Explore(t, chaseLev(false), onTSO, chaos.WithoutFences("queues.storeLoad"))
}

func TestChaseLevFenceBeside(t *testing.T) {
	chaos.Explore(t, chaseLev(true), onTSO, chaos.WithoutFences("queues.storeLoad"))
}

func TestChaseLevFenceFixed(t *testing.T)       { chaos.Explore(t, chaseLev(false), onViews) }
func TestChaseLevFenceTSOFixed(t *testing.T)    { chaos.Explore(t, chaseLev(false), onTSO) }
func TestChaseLevFenceBesideFixed(t *testing.T) { chaos.Explore(t, chaseLev(true), onTSO) }

// chaseLevGrows has a deque that grows beside a thief, which must not read slots that it does not see
// filled.
func chaseLevGrows(publish, read memory.Order) func(*chaos.C) {
	return func(c *chaos.C) {
		d := newDeque(1, publish, read)
		var x taken
		together(func() {
			d.push(1)
			d.push(2)
			d.push(3)
			x.take(d.take())
		}, func() {
			x.take(d.steal())
			x.take(d.steal())
		})
		for item := d.take(); item != 0; item = d.take() {
			x.take(item)
		}
		x.once(c, 3)
	}
}

func TestChaseLevGrow(t *testing.T) {
	chaos.Explore(t, chaseLevGrows(memory.Relaxed, memory.Relaxed), onViews)
}

func TestChaseLevGrowFixed(t *testing.T) {
	chaos.Explore(t, chaseLevGrows(memory.Release, memory.Acquire), onViews)
}
