package control

import (
	"strconv"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// Count implements Add and Done.
//
//go:norace
func (e *hookedTasks) Count(p *seam.Point, x unsafe.Pointer, delta int) {
	if e.abandoning {
		e.countPass()
		e.objects.at(x).readers += delta
		return
	}
	t, o := e.step(strategy.Signal, p, x)
	o.counts = true
	o.readers += delta
	e.done(t, o, strategy.Signal, releases)
	if e.tracing {
		e.lastTraced().Outcome = "counter " + strconv.Itoa(o.readers)
	}
}

//go:norace
func (e *hookedTasks) WaitZero(p *seam.Point, x unsafe.Pointer) bool {
	o := e.objects.at(x)
	o.counts = true
	if e.abandoning {
		e.countPass()
		if o.readers != 0 {
			e.unwind(e.current())
		}
		return true
	}
	t, o := e.await(strategy.Wait, p, x)
	e.did(t, o, strategy.Wait)
	e.synchronise(o, acquires)
	return true
}
