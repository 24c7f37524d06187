package hooked

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

//go:norace
func (e *Tasks) OnceEnter(p *seam.Point, x unsafe.Pointer) bool {
	if e.Abandoning {
		e.countPass()
		o := e.Objects.At(x)
		if o.Locked {
			e.unwind(e.Running())
		}
		o.Locked = !o.Done
		return o.Locked
	}
	t, o := e.await(strategy.Once, p, x)
	if o.Done {
		e.Did(t, o, strategy.Load)
		e.synchronise(o, acquires)
		return false
	}
	o.Locked = true
	e.done(t, o, strategy.Once, acquires)
	return true
}

//go:norace
func (e *Tasks) OnceLeave(p *seam.Point, x unsafe.Pointer) {
	if e.Abandoning {
		e.countPass()
		o := e.Objects.At(x)
		o.Locked, o.Done = false, true
		return
	}
	t, o := e.step(strategy.Store, p, x)
	o.Locked, o.Done = false, true
	e.done(t, o, strategy.Store, releases)
}
