//go:build !chaos

package sync

import "sync"

// An alias alone is not free: see hooks/atomic/inline.go.
var _ = inlined

func inlined(m *sync.Mutex, rw *sync.RWMutex, c *sync.Cond, o *sync.Once, wg *sync.WaitGroup, p *sync.Pool, sm *sync.Map) {
	m.Lock()
	m.TryLock()
	m.Unlock()
	rw.Lock()
	rw.TryLock()
	rw.Unlock()
	rw.RLock()
	rw.TryRLock()
	rw.RUnlock()
	rw.RLocker()
	c.Wait()
	c.Signal()
	c.Broadcast()
	o.Do(nil)
	wg.Add(1)
	wg.Done()
	wg.Wait()
	wg.Go(nil)
	p.Put(p.Get())
	sm.Store(nil, nil)
	sm.Load(nil)
	sm.LoadOrStore(nil, nil)
	sm.LoadAndDelete(nil)
	sm.Swap(nil, nil)
	sm.CompareAndSwap(nil, nil, nil)
	sm.CompareAndDelete(nil, nil)
	sm.Delete(nil)
	sm.Range(nil)
	sm.Clear()
}
