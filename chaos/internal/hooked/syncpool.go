package hooked

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// Which object a sync.Pool returns depends on the processor that asks and on the garbage
// collector. Here the last object put comes first.

//go:norace
func (e *Tasks) Give(p *seam.Point, x unsafe.Pointer, v any) {
	if v == nil {
		return
	}
	if e.Abandoning {
		e.countPass()
		return
	}
	t, o := e.step(strategy.Store, p, x)
	o.Free = append(o.Free, v)
	e.Did(t, o, strategy.Store)
	e.synchronise(o, releases)
}

//go:norace
func (e *Tasks) Take(p *seam.Point, x unsafe.Pointer) any {
	if e.Abandoning {
		e.countPass()
		return nil
	}
	t, o := e.step(strategy.Store, p, x)
	var v any
	if n := len(o.Free); n > 0 {
		v = o.Free[n-1]
		o.Free[n-1] = nil
		o.Free = o.Free[:n-1]
	}
	e.Did(t, o, strategy.Store)
	e.synchronise(o, acquires)
	return v
}
