package hooked

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// When a lock is free, any of the tasks that wait may get it, in any order.

//go:norace
func (e *Tasks) Lock(p *seam.Point, x unsafe.Pointer) bool {
	if e.Abandoning {
		return e.lockUnwinding(x)
	}
	t, o := e.await(strategy.Lock, p, x)
	o.Locked = true
	e.done(t, o, strategy.Lock, acquires)
	return true
}

//go:norace
func (e *Tasks) TryLock(p *seam.Point, x unsafe.Pointer) bool {
	if e.Abandoning {
		return e.tryLockUnwinding(x)
	}
	t, o := e.step(strategy.TryLock, p, x)
	if o.Locked || o.Announced || o.Readers > 0 {
		e.Did(t, o, strategy.Load)
		return false
	}
	o.Locked = true
	e.done(t, o, strategy.TryLock, acquires)
	return true
}

//go:norace
func (e *Tasks) Unlock(p *seam.Point, x unsafe.Pointer) bool {
	if e.Abandoning {
		return e.unlockUnwinding(x)
	}
	t, o := e.step(strategy.Unlock, p, x)
	if !o.Locked {
		panic("sync: unlock of unlocked mutex")
	}
	o.Locked = false
	e.done(t, o, strategy.Unlock, releases)
	return true
}

//go:norace
func (e *Tasks) lockUnwinding(x unsafe.Pointer) bool {
	if !e.tryLockUnwinding(x) {
		e.unwind(e.Running())
	}
	return true
}

//go:norace
func (e *Tasks) tryLockUnwinding(x unsafe.Pointer) bool {
	e.countPass()
	o := e.Objects.At(x)
	if o.Locked || o.Readers > 0 {
		return false
	}
	o.Locked = true
	return true
}

// unlockUnwinding unlocks if any task holds the lock: the deferred Unlock of a task that was
// abandoned in Cond.Wait has nothing to unlock.
//
//go:norace
func (e *Tasks) unlockUnwinding(x unsafe.Pointer) bool {
	e.countPass()
	o := e.Objects.At(x)
	held := o.Locked
	o.Locked = false
	return held
}
