// Package copies copies what must not be copied, one line for each type that
// forbids it. go vet must complain in both builds alike.
package copies

import (
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

func copyAtomicBool(p *atomic.Bool)            { v := *p; use(&v) }
func copyAtomicInt32(p *atomic.Int32)          { v := *p; use(&v) }
func copyAtomicInt64(p *atomic.Int64)          { v := *p; use(&v) }
func copyAtomicUint32(p *atomic.Uint32)        { v := *p; use(&v) }
func copyAtomicUint64(p *atomic.Uint64)        { v := *p; use(&v) }
func copyAtomicUintptr(p *atomic.Uintptr)      { v := *p; use(&v) }
func copyAtomicPointer(p *atomic.Pointer[int]) { v := *p; use(&v) }
func copyAtomicValue(p *atomic.Value)          { v := *p; use(&v) }
func copySyncCond(p *sync.Cond)                { v := *p; use(&v) }
func copySyncMap(p *sync.Map)                  { v := *p; use(&v) }
func copySyncMutex(p *sync.Mutex)              { v := *p; use(&v) }
func copySyncOnce(p *sync.Once)                { v := *p; use(&v) }
func copySyncPool(p *sync.Pool)                { v := *p; use(&v) }
func copySyncRWMutex(p *sync.RWMutex)          { v := *p; use(&v) }
func copySyncWaitGroup(p *sync.WaitGroup)      { v := *p; use(&v) }

func use(any) {}
