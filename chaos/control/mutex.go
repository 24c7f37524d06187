package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// When a lock is free, any of the tasks that wait may get it, in any order.

//go:norace
func (e *hookedTasks) Lock(p *seam.Point, x unsafe.Pointer) bool {
	if e.abandoning {
		return e.lockUnwinding(x)
	}
	t, o := e.await(strategy.Lock, p, x)
	o.locked = true
	e.done(t, o, strategy.Lock, acquires)
	return true
}

//go:norace
func (e *hookedTasks) TryLock(p *seam.Point, x unsafe.Pointer) bool {
	if e.abandoning {
		return e.tryLockUnwinding(x)
	}
	t, o := e.step(strategy.TryLock, p, x)
	if o.locked || o.announced || o.readers > 0 {
		e.did(t, o, strategy.Load)
		return false
	}
	o.locked = true
	e.done(t, o, strategy.TryLock, acquires)
	return true
}

//go:norace
func (e *hookedTasks) Unlock(p *seam.Point, x unsafe.Pointer) bool {
	if e.abandoning {
		return e.unlockUnwinding(x)
	}
	t, o := e.step(strategy.Unlock, p, x)
	if !o.locked {
		panic("sync: unlock of unlocked mutex")
	}
	o.locked = false
	e.done(t, o, strategy.Unlock, releases)
	return true
}

//go:norace
func (e *hookedTasks) lockUnwinding(x unsafe.Pointer) bool {
	if !e.tryLockUnwinding(x) {
		e.unwind(e.current())
	}
	return true
}

//go:norace
func (e *hookedTasks) tryLockUnwinding(x unsafe.Pointer) bool {
	e.countPass()
	o := e.objects.at(x)
	if o.locked || o.readers > 0 {
		return false
	}
	o.locked = true
	return true
}

// unlockUnwinding unlocks if any task holds the lock: the deferred Unlock of a task that was
// abandoned in Cond.Wait has nothing to unlock.
//
//go:norace
func (e *hookedTasks) unlockUnwinding(x unsafe.Pointer) bool {
	e.countPass()
	o := e.objects.at(x)
	held := o.locked
	o.locked = false
	return held
}
