package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// Access implements seam.Controller.
//
//go:norace
func (e *engine) Access(p *seam.Point, x unsafe.Pointer, a seam.Access) {
	if e.abandoning {
		e.passing()
		return
	}
	if e.faults.armed && p != nil {
		e.suffer(e.consult(e.current, p, seam.Disturb, 0))
	}
	switch a {
	case seam.Load:
		t, o := e.step(strategy.Load, p, x)
		e.did(t, o, strategy.Load)
	case seam.Store:
		t, o := e.step(strategy.Store, p, x)
		e.did(t, o, strategy.Store)
	default:
		e.step(strategy.CAS, p, x) // Swapped follows
	}
}

// Swapped implements seam.Controller.
//
//go:norace
func (e *engine) Swapped(ok bool) {
	if e.abandoning {
		return
	}
	t := e.current
	if ok {
		e.did(t, t.object, strategy.CAS)
	} else {
		e.did(t, t.object, strategy.Load)
	}
}

// Yield implements seam.Controller.
//
//go:norace
func (e *engine) Yield() {
	if e.abandoning {
		e.passing()
		return
	}
	t := e.current
	t.object = nil
	t.Op = strategy.Op{Kind: strategy.Yield}
	e.arrive(t)
	e.did0(t, strategy.Yield)
}
