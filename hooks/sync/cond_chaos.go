//go:build chaos

package sync

import (
	"sync"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Cond is [sync.Cond] with points where wakes get lost. Its L is the standard
// field: if it holds a Mutex of this package, Wait passes that mutex's points
// too, and with them the windows inside it - unlocked but not yet asleep
// (sync/mutex-unlocked), and awake but without the lock (sync/mutex-lock).
type Cond sync.Cond

// NewCond returns a Cond with Locker l.
func NewCond(l Locker) *Cond { return &Cond{L: l} }

// Wait passes sync/cond-wait, waits for a Signal or Broadcast, and passes
// sync/cond-woken with L held.
//
// A spurious wake makes it release L, take it again and return, as POSIX allows and Go does
// not: it models a waiter that was woken, but too late. A loop around Wait, which
// [sync.Cond.Wait] asks for, tolerates it; code that counts one return for one Signal does not.
func (c *Cond) Wait() {
	spurious := condWait.Fail()
	switch control := seam.Controlled(); {
	case spurious:
		c.L.Unlock()
		c.L.Lock()
	case control != nil:
		control.Enqueue(condWait, unsafe.Pointer(c))
		c.L.Unlock()
		control.Await(condWait, unsafe.Pointer(c))
		c.L.Lock()
	default:
		if seam.InControl() {
			c.awaitOutside()
		}
		(*sync.Cond)(c).Wait()
	}
	condWoken.At()
}

// awaitOutside blocks a goroutine that is no task until the execution ends.
func (c *Cond) awaitOutside() {
	locked := true
	seam.AwaitOutside(func() bool {
		if locked {
			c.L.Unlock()
		}
		locked = false
		return false
	})
}

// Signal passes sync/cond-signal and wakes one waiter, if there is any; a fault
// can make it none, or two.
func (c *Cond) Signal() {
	n := condSignal.Notify()
	if n == 0 {
		c.dropped()
	}
	for range n {
		if control := seam.Controlled(); control != nil {
			control.Signal(condSignal, unsafe.Pointer(c), false)
			seam.Published()
			continue
		}
		(*sync.Cond)(c).Signal()
	}
}

// Broadcast passes sync/cond-broadcast and wakes all waiters; a fault can make
// it none, or broadcast twice.
func (c *Cond) Broadcast() {
	n := condBroadcast.Notify()
	if n == 0 {
		c.dropped()
	}
	for range n {
		if control := seam.Controlled(); control != nil {
			control.Signal(condBroadcast, unsafe.Pointer(c), true)
			seam.Published()
			continue
		}
		(*sync.Cond)(c).Broadcast()
	}
}

// dropped reports to the controller that a fault has dropped a signal of c.
func (c *Cond) dropped() {
	if control := seam.Controlled(); control != nil {
		control.Dropped(unsafe.Pointer(c))
	}
}
