package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

//go:norace
func (e *hookedTasks) OnceEnter(p *seam.Point, x unsafe.Pointer) bool {
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
	e.done(t, o, strategy.Once, acquires)
	return true
}

//go:norace
func (e *hookedTasks) OnceLeave(p *seam.Point, x unsafe.Pointer) {
	if e.abandoning {
		e.countPass()
		o := e.objects.at(x)
		o.locked, o.done = false, true
		return
	}
	t, o := e.step(strategy.Store, p, x)
	o.locked, o.done = false, true
	e.done(t, o, strategy.Store, releases)
}
