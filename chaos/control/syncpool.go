package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// Which object a sync.Pool returns depends on the processor that asks and on the garbage
// collector. Here the last object put comes first.

//go:norace
func (e *hookedTasks) Give(p *seam.Point, x unsafe.Pointer, v any) {
	if v == nil {
		return
	}
	if e.abandoning {
		e.countPass()
		return
	}
	t, o := e.step(strategy.Store, p, x)
	o.free = append(o.free, v)
	e.did(t, o, strategy.Store)
	e.synchronise(o, releases)
}

//go:norace
func (e *hookedTasks) Take(p *seam.Point, x unsafe.Pointer) any {
	if e.abandoning {
		e.countPass()
		return nil
	}
	t, o := e.step(strategy.Store, p, x)
	var v any
	if n := len(o.free); n > 0 {
		v = o.free[n-1]
		o.free[n-1] = nil
		o.free = o.free[:n-1]
	}
	e.did(t, o, strategy.Store)
	e.synchronise(o, acquires)
	return v
}
