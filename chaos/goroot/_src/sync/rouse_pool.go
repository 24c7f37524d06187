package sync

import (
	"internal/race"
	"internal/rouse"
	"unsafe"
)

// A rousePool is what a Pool holds for one execution: last in, first out. It is a list, and no
// slice, because the runtime would report to the race detector that a slice grows.
type rousePool struct {
	mark uint64 // rouse.PoolMark
	id   uint64 // of the execution
	top  *rousePooled
	by   int32 // see rouse.Pooled
}

var _ [rouse.PoolWords * unsafe.Sizeof(uintptr(0))]struct{} = [unsafe.Offsetof(Pool{}.New)]struct{}{}

type rousePooled struct {
	x    any
	next *rousePooled
	at   uint64 // rouse.Collections when it was put
}

// live returns p if it is still in its pool: a second collection drops what is put, with all that was put before.
func (p *rousePooled) live() *rousePooled {
	if p != nil && rouse.Collections >= p.at+2 {
		return nil
	}
	return p
}

// RouseExecution returns the number of the execution that the caller belongs to, or 0: what a
// package-level variable knows of goroutines holds within one execution only.
func (p *Pool) RouseExecution() uint64 { return rouse.Controlled() }

// rousePut reports whether the caller is controlled, and x is put.
func (p *Pool) rousePut(x any) bool {
	id := rouse.Controlled()
	if id == 0 {
		return false
	}
	if x == nil {
		return true
	}
	if race.Enabled {
		race.ReleaseMerge(poolRaceAddr(x))
	}
	p.rouseBegin(id)
	rouse.Pooled(&p.rouse.by, false)
	p.rouse.top = &rousePooled{x, p.rouse.top, rouse.Collections}
	rouse.TracePool(unsafe.Pointer(p), unsafe.Pointer(p.rouse.top), true)
	return true
}

// rouseBegin empties p when a task of another execution uses it.
func (p *Pool) rouseBegin(id uint64) {
	if p.rouse.id != id {
		p.rouse = rousePool{mark: rouse.PoolMark, id: id}
	}
}

// rouseGet reports whether the caller is controlled, and x is got.
func (p *Pool) rouseGet() (x any, controlled bool) {
	id := rouse.Controlled()
	if id == 0 {
		return nil, false
	}
	p.rouseBegin(id)
	top := p.rouse.top.live()
	rouse.Pooled(&p.rouse.by, top != nil)
	rouse.TracePool(unsafe.Pointer(p), unsafe.Pointer(top), false)
	if top != nil {
		p.rouse.top = top.next
		if race.Enabled {
			race.Acquire(poolRaceAddr(top.x))
		}
		return top.x, true
	}
	if p.New != nil {
		return p.New(), true
	}
	return nil, true
}
