//go:build chaos

package sync

import (
	"sync"

	"github.com/rouse-go/rouse/hooks"
)

// Pool is [sync.Pool] with a point before each operation. Its New is the
// standard field.
type Pool sync.Pool

// Get passes sync/pool-get and returns a free object, or else New(), or else
// nil. A fault can make it overlook the free objects, as if the garbage
// collector had been there first.
func (p *Pool) Get() any {
	if hooks.Fail(poolGet) {
		if p.New == nil {
			return nil
		}
		return p.New()
	}
	return (*sync.Pool)(p).Get()
}

// Put passes sync/pool-put, then adds x to the free objects.
func (p *Pool) Put(x any) {
	hooks.At(poolPut)
	(*sync.Pool)(p).Put(x)
}
