package locks

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// bias is more than there are readers.
const bias = 1 << 20

// An rwLock is Linux's: a reader takes 1 of bias, a writer all.
type rwLock struct {
	left atomic.Int32
	// unlocks is the order in which a writer gives back what it took.
	unlocks memory.Order
}

// takes subtracts n again and again until at least n were left.
func (l *rwLock) takes(n int32) {
	for memory.AddInt32(&l.left, -n, memory.Acquire) < 0 {
		memory.AddInt32(&l.left, n, memory.Relaxed)
		for memory.LoadInt32(&l.left, memory.Relaxed) < n {
		}
	}
}

func (l *rwLock) readLock()    { l.takes(1) }
func (l *rwLock) readUnlock()  { memory.AddInt32(&l.left, 1, memory.Release) }
func (l *rwLock) writeLock()   { l.takes(bias) }
func (l *rwLock) writeUnlock() { memory.AddInt32(&l.left, bias, l.unlocks) }

// linuxRWLocks has a writer of two words, and readers that must see both or none.
func linuxRWLocks(unlocks memory.Order) func(*chaos.C) {
	return func(c *chaos.C) {
		l := rwLock{unlocks: unlocks}
		l.left.Store(bias)
		var x, y atomic.Int32
		read := func() {
			l.readLock()
			defer l.readUnlock()
			a, b := memory.LoadInt32(&x, memory.Relaxed), memory.LoadInt32(&y, memory.Relaxed)
			if a != b {
				c.Errorf("read %d and %d", a, b)
			}
		}
		together(read, read, func() {
			l.writeLock()
			defer l.writeUnlock()
			memory.StoreInt32(&x, 1, memory.Relaxed)
			memory.StoreInt32(&y, 1, memory.Relaxed)
		})
	}
}

func TestLinuxRWLocks(t *testing.T) { chaos.Explore(t, linuxRWLocks(memory.Relaxed), onViews) }

func TestLinuxRWLocksFixed(t *testing.T) { chaos.Explore(t, linuxRWLocks(memory.Release), onViews) }
