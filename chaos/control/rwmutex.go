package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// A read-write mutex is modelled as in package sync. A writer first keeps out other writers and
// new readers (it is announced), and then waits for the readers that hold the lock. When it
// unlocks, the readers that wait come before the next writer. So a reader that locks again while
// a writer waits is a deadlock, here as there.

//go:norace
func (e *hookedTasks) RWLock(p *seam.Point, x unsafe.Pointer) bool {
	if e.abandoning {
		return e.lockUnwinding(x)
	}
	t, o := e.await(strategy.Lock, p, x)
	o.announced = true
	e.did(t, o, strategy.Lock)
	e.changed(o)
	if o.readers > 0 {
		t, o = e.await(strategy.Drain, p, x)
		e.did(t, o, strategy.Drain)
	}
	o.locked = true
	e.synchronise(o, acquires)
	return true
}

//go:norace
func (e *hookedTasks) RWTryLock(p *seam.Point, x unsafe.Pointer) bool {
	if !e.TryLock(p, x) {
		return false
	}
	o := e.objects.at(x)
	o.announced = true
	e.changed(o)
	return true
}

//go:norace
func (e *hookedTasks) RWUnlock(p *seam.Point, x unsafe.Pointer) bool {
	if e.abandoning {
		e.objects.at(x).announced = false
		return e.unlockUnwinding(x)
	}
	t, o := e.step(strategy.Unlock, p, x)
	if !o.locked {
		panic("sync: Unlock of unlocked RWMutex")
	}
	o.locked, o.announced = false, false
	for _, w := range o.waiters {
		if w.Op.Kind == strategy.RLock && !w.granted {
			w.granted = true
			o.readers++
		}
	}
	e.done(t, o, strategy.Unlock, releases)
	return true
}

//go:norace
func (e *hookedTasks) RLock(p *seam.Point, x unsafe.Pointer) bool {
	if e.abandoning {
		if !e.tryRLockUnwinding(x) {
			e.unwind(e.current())
		}
		return true
	}
	t, o, granted := e.awaitGrant(strategy.RLock, p, x)
	if !granted { // else the writer that unlocked has counted it
		o.readers++
	}
	e.done(t, o, strategy.RLock, acquires)
	return true
}

//go:norace
func (e *hookedTasks) TryRLock(p *seam.Point, x unsafe.Pointer) bool {
	if e.abandoning {
		return e.tryRLockUnwinding(x)
	}
	t, o := e.step(strategy.TryRLock, p, x)
	if o.announced {
		e.did(t, o, strategy.Load)
		return false
	}
	o.readers++
	e.done(t, o, strategy.TryRLock, acquires)
	return true
}

//go:norace
func (e *hookedTasks) tryRLockUnwinding(x unsafe.Pointer) bool {
	e.countPass()
	o := e.objects.at(x)
	if o.locked {
		return false
	}
	o.readers++
	return true
}

//go:norace
func (e *hookedTasks) RUnlock(p *seam.Point, x unsafe.Pointer) bool {
	if e.abandoning {
		e.countPass()
		o := e.objects.at(x)
		if o.readers == 0 {
			return false
		}
		o.readers--
		return true
	}
	t, o := e.step(strategy.RUnlock, p, x)
	if o.readers == 0 {
		panic("sync: RUnlock of unlocked RWMutex")
	}
	o.readers--
	e.done(t, o, strategy.RUnlock, releases)
	return true
}
