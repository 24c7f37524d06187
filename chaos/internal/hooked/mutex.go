package hooked

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
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

// A read-write mutex is modelled as in package sync. A writer first keeps out other writers and
// new readers (it is announced), and then waits for the readers that hold the lock. When it
// unlocks, the readers that wait come before the next writer. So a reader that locks again while
// a writer waits is a deadlock, here as there.

//go:norace
func (e *Tasks) RWLock(p *seam.Point, x unsafe.Pointer) bool {
	if e.Abandoning {
		return e.lockUnwinding(x)
	}
	t, o := e.await(strategy.Lock, p, x)
	o.Announced = true
	e.Did(t, o, strategy.Lock)
	e.ObjectChanged(o)
	if o.Readers > 0 {
		t, o = e.await(strategy.Drain, p, x)
		e.Did(t, o, strategy.Drain)
	}
	o.Locked = true
	e.synchronise(o, acquires)
	return true
}

//go:norace
func (e *Tasks) RWTryLock(p *seam.Point, x unsafe.Pointer) bool {
	if !e.TryLock(p, x) {
		return false
	}
	o := e.Objects.At(x)
	o.Announced = true
	e.ObjectChanged(o)
	return true
}

//go:norace
func (e *Tasks) RWUnlock(p *seam.Point, x unsafe.Pointer) bool {
	if e.Abandoning {
		e.Objects.At(x).Announced = false
		return e.unlockUnwinding(x)
	}
	t, o := e.step(strategy.Unlock, p, x)
	if !o.Locked {
		panic("sync: Unlock of unlocked RWMutex")
	}
	o.Locked, o.Announced = false, false
	for _, w := range o.Waiters {
		if w.Op.Kind == strategy.RLock && !w.Granted {
			w.Granted = true
			o.Readers++
		}
	}
	for _, g := range o.Groups {
		if w := core.TaskOf(g.Tasks[0]); w.Op.Kind != strategy.RLock || w.Granted {
			continue
		}
		for _, w := range g.Tasks {
			core.TaskOf(w).Granted = true
		}
		o.Readers += len(g.Tasks)
	}
	e.done(t, o, strategy.Unlock, releases)
	return true
}

//go:norace
func (e *Tasks) RLock(p *seam.Point, x unsafe.Pointer) bool {
	if e.Abandoning {
		if !e.tryRLockUnwinding(x) {
			e.unwind(e.Running())
		}
		return true
	}
	t, o, granted := e.awaitGrant(strategy.RLock, p, x)
	if !granted { // else the writer that unlocked has counted it
		o.Readers++
	}
	e.done(t, o, strategy.RLock, acquires)
	return true
}

//go:norace
func (e *Tasks) TryRLock(p *seam.Point, x unsafe.Pointer) bool {
	if e.Abandoning {
		return e.tryRLockUnwinding(x)
	}
	t, o := e.step(strategy.TryRLock, p, x)
	if o.Announced {
		e.Did(t, o, strategy.Load)
		return false
	}
	o.Readers++
	e.done(t, o, strategy.TryRLock, acquires)
	return true
}

//go:norace
func (e *Tasks) tryRLockUnwinding(x unsafe.Pointer) bool {
	e.countPass()
	o := e.Objects.At(x)
	if o.Locked {
		return false
	}
	o.Readers++
	return true
}

//go:norace
func (e *Tasks) RUnlock(p *seam.Point, x unsafe.Pointer) bool {
	if e.Abandoning {
		e.countPass()
		o := e.Objects.At(x)
		if o.Readers == 0 {
			return false
		}
		o.Readers--
		return true
	}
	t, o := e.step(strategy.RUnlock, p, x)
	if o.Readers == 0 {
		panic("sync: RUnlock of unlocked RWMutex")
	}
	o.Readers--
	e.done(t, o, strategy.RUnlock, releases)
	return true
}
