package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// OnceEnter implements seam.Controller.
//
//go:norace
func (e *engine) OnceEnter(p *seam.Point, x unsafe.Pointer) bool {
	if e.abandoning {
		e.countPass()
		o := e.objects.at(x)
		if o.locked {
			e.unwind(e.current())
		}
		o.locked = !o.done
		return o.locked
	}
	t, o := e.await(strategy.Once, p, x)
	if o.done {
		e.did(t, o, strategy.Load)
		e.synchronise(o, acquires)
		return false
	}
	o.locked = true
	e.did(t, o, strategy.Once)
	e.synchronise(o, acquires)
	e.changed(o)
	return true
}

// OnceLeave implements seam.Controller.
//
//go:norace
func (e *engine) OnceLeave(p *seam.Point, x unsafe.Pointer) {
	if e.abandoning {
		e.countPass()
		o := e.objects.at(x)
		o.locked, o.done = false, true
		return
	}
	t, o := e.step(strategy.Store, p, x)
	o.locked, o.done = false, true
	e.did(t, o, strategy.Store)
	e.synchronise(o, releases)
	e.changed(o)
}
