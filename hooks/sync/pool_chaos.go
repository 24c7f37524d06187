//go:build chaos

package sync

import (
	"sync"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Pool is [sync.Pool] with a point before each operation. Its New is the
// standard field.
type Pool sync.Pool

// Get passes sync/pool-get and returns a free object, or else New(), or else
// nil. A fault can make it overlook the free objects, as if the garbage
// collector had been there first.
func (p *Pool) Get() any {
	missed := poolGet.Fail()
	if c := seam.Controlled(); c != nil {
		// What the real one gives back depends on the processor and on the garbage
		// collector.
		if v := c.Take(poolGet, unsafe.Pointer(p)); v != nil && !missed {
			return v
		}
		missed = true
	}
	if missed {
		if p.New == nil {
			return nil
		}
		return p.New()
	}
	return (*sync.Pool)(p).Get()
}

// Put passes sync/pool-put, then adds x to the free objects.
func (p *Pool) Put(x any) {
	poolPut.At()
	if c := seam.Controlled(); c != nil {
		c.Give(poolPut, unsafe.Pointer(p), x)
		seam.Published()
		return
	}
	(*sync.Pool)(p).Put(x)
}
