package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// A read-write mutex is modelled as package sync makes it: a writer first keeps
// out other writers and new readers - it is announced - and then waits for the
// readers that are in; when it leaves, the readers that wait come before the next
// writer. So a reader that reads again while a writer waits is a deadlock, here as
// there.

// RWLock implements seam.Controller: Lock of a read-write mutex.
//
//go:norace
func (e *engine) RWLock(p *seam.Point, x unsafe.Pointer) bool {
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

// RWTryLock implements seam.Controller.
//
//go:norace
func (e *engine) RWTryLock(p *seam.Point, x unsafe.Pointer) bool {
	if !e.TryLock(p, x) {
		return false
	}
	e.objects.at(x).announced = true
	e.changed(e.objects.at(x))
	return true
}

// RWUnlock implements seam.Controller.
//
//go:norace
func (e *engine) RWUnlock(p *seam.Point, x unsafe.Pointer) bool {
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
	e.did(t, o, strategy.Unlock)
	e.synchronise(o, releases)
	e.changed(o)
	return true
}

// RLock implements seam.Controller.
//
//go:norace
func (e *engine) RLock(p *seam.Point, x unsafe.Pointer) bool {
	if e.abandoning {
		if !e.tryRLockUnwinding(x) {
			e.unwind(e.current())
		}
		return true
	}
	t, o, granted := e.awaitGrant(strategy.RLock, p, x)
	if !granted { // else the writer that left has counted it
		o.readers++
	}
	e.did(t, o, strategy.RLock)
	e.synchronise(o, acquires)
	e.changed(o)
	return true
}

//go:norace
func (e *engine) tryRLockUnwinding(x unsafe.Pointer) bool {
	e.countPass()
	o := e.objects.at(x)
	if o.locked {
		return false
	}
	o.readers++
	return true
}

// TryRLock implements seam.Controller.
//
//go:norace
func (e *engine) TryRLock(p *seam.Point, x unsafe.Pointer) bool {
	if e.abandoning {
		return e.tryRLockUnwinding(x)
	}
	t, o := e.step(strategy.TryRLock, p, x)
	if o.announced {
		e.did(t, o, strategy.Load)
		return false
	}
	o.readers++
	e.did(t, o, strategy.TryRLock)
	e.synchronise(o, acquires)
	e.changed(o)
	return true
}

// RUnlock implements seam.Controller.
//
//go:norace
func (e *engine) RUnlock(p *seam.Point, x unsafe.Pointer) bool {
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
	e.did(t, o, strategy.RUnlock)
	e.synchronise(o, releases)
	e.changed(o)
	return true
}
