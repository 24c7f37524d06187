package pool

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// A deque's first capacity, in jobs: by default, and at most.
const (
	defaultDequeCapacity = 64
	maxDequeCapacity     = 1 << 20
)

// A deque is the dynamic circular work-stealing deque of Chase and Lev (SPAA 2005). Its owner
// pushes and pops at the bottom, thieves steal at the top.
//
// Everything shared is an atomic, so that the algorithm relies on Go's memory model as it is
// written: the atomics are sequentially consistent, which is more than the fences of the
// weak-memory versions give. What the owner's end needs of that is declared, after Lê, Pop, Cohen
// and Zappa Nardelli (PPoPP 2013); the thieves' end is not, or steal would not be inlined any more.
// A thief may read from an array that has just been replaced: the slot it reads there is still
// valid if its CAS on top succeeds, since the owner writes to the new array only, and the garbage
// collector keeps the old one.
type deque struct {
	top    atomic.Int64 // next to steal; only grows
	_      [56]byte     // thieves and owner write different cache lines
	bottom atomic.Int64 // next free; written by the owner only
	array  atomic.Pointer[dequeArray]
}

// dequeArray is circular: job i is in slot i modulo its length, a power of two.
type dequeArray struct {
	slots []atomic.Pointer[job]
}

func (a *dequeArray) slot(i int64) *atomic.Pointer[job] {
	return &a.slots[i&int64(len(a.slots)-1)]
}

// init makes the deque ready; capacity is a power of two.
func (d *deque) init(capacity int) {
	d.array.Store(&dequeArray{make([]atomic.Pointer[job], capacity)})
}

// isEmpty reports whether there is nothing to pop or steal. To anyone but the owner the answer is
// out of date as soon as it is given.
func (d *deque) isEmpty() bool { return d.len() == 0 }

func (d *deque) len() int {
	top := d.top.Load() // first: bottom, read later, cannot then be too small
	return int(max(d.bottom.Load()-top, 0))
}

// push puts j at the bottom. Owner only.
func (d *deque) push(j *job) {
	b := memory.LoadInt64(&d.bottom, memory.Relaxed)
	a := d.array.Load()
	if b-memory.LoadInt64(&d.top, memory.Acquire) >= int64(len(a.slots)) {
		a = d.grow(a, b)
	}
	a.slot(b).Store(j)
	memory.StoreInt64(&d.bottom, b+1, memory.Release)
}

// grow doubles the array. Jobs keep their index. Arrays never shrink, and a slot keeps its job
// until it is written again; a job that is done holds nothing of its user's.
func (d *deque) grow(old *dequeArray, bottom int64) *dequeArray {
	a := &dequeArray{make([]atomic.Pointer[job], 2*len(old.slots))}
	for i := d.top.Load(); i < bottom; i++ {
		a.slot(i).Store(old.slot(i).Load())
	}
	hooks.At(pointDequeGrow)
	d.array.Store(a)
	return a
}

// pop takes the job at the bottom, the newest; nil if there is none. Owner only.
func (d *deque) pop() *job {
	b := memory.LoadInt64(&d.bottom, memory.Relaxed) - 1
	if b < memory.LoadInt64(&d.top, memory.Relaxed) {
		return nil // empty: top never shrinks, and only the owner pushes
	}
	a := d.array.Load()
	memory.StoreInt64(&d.bottom, b, memory.Relaxed) // claims the job from thieves that come from now on
	hooks.At(pointDequePopReserved)
	memory.Fence(memory.SeqCst) // the claim comes before the look, in the eyes of every thief
	t := memory.LoadInt64(&d.top, memory.Relaxed)
	if t > b { // a thief was faster
		memory.StoreInt64(&d.bottom, b+1, memory.Relaxed)
		return nil
	}
	j := a.slot(b).Load()
	if t == b { // the last one: a thief may be about to take it, too
		if !memory.CompareAndSwapInt64(&d.top, t, t+1, memory.SeqCst, memory.Relaxed) {
			j = nil
		}
		memory.StoreInt64(&d.bottom, b+1, memory.Relaxed)
	}
	return j
}

// popOnly takes the job at the bottom if it is j. Owner only.
func (d *deque) popOnly(j *job) bool {
	b := d.bottom.Load() - 1
	return b >= d.top.Load() && d.array.Load().slot(b).Load() == j && d.pop() == j
}

// steal takes the job at the top, the oldest. It returns nil if the deque is empty, or, with retry,
// if another thief or the owner took the job first: then there may be more. Anyone.
func (d *deque) steal() (j *job, retry bool) {
	t := d.top.Load()
	if t >= d.bottom.Load() {
		return nil, false
	}
	j = d.array.Load().slot(t).Load()
	if hooks.Enabled && hooks.Fail(pointDequeStealRead) || !d.top.CompareAndSwap(t, t+1) {
		return nil, true
	}
	return j, false
}
