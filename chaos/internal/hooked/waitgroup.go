package hooked

import (
	"strconv"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// Count implements Add and Done.
//
//go:norace
func (e *Tasks) Count(p *seam.Point, x unsafe.Pointer, delta int) {
	if e.Abandoning {
		e.countPass()
		e.Objects.At(x).Readers += delta
		return
	}
	t, o := e.step(strategy.Signal, p, x)
	o.Counts = true
	o.Readers += delta
	e.done(t, o, strategy.Signal, releases)
	if e.Tracing {
		e.LastTraced().Outcome = "counter " + strconv.Itoa(o.Readers)
	}
}

//go:norace
func (e *Tasks) WaitZero(p *seam.Point, x unsafe.Pointer) bool {
	o := e.Objects.At(x)
	o.Counts = true
	if e.Abandoning {
		e.countPass()
		if o.Readers != 0 {
			e.unwind(e.Running())
		}
		return true
	}
	t, o := e.await(strategy.Wait, p, x)
	e.Did(t, o, strategy.Wait)
	e.synchronise(o, acquires)
	return true
}
