package sync

import (
	"internal/race"
	"internal/rouse"
	"unsafe"
)

// The methods of this package's files have other names in an overlay; those that users call are
// points around them. Under the race detector the atomic operations inside would be points as
// well, so they are quiet. The operations of the mutex in a RWMutex are no points of their own.

func quiet(d int32) {
	if race.Enabled {
		rouse.Quiet(d)
	}
}

// RLock locks rw for reading.
//
//go:nosplit
func (rw *RWMutex) RLock() {
	if rouse.On != 0 {
		rouse.Await(rouse.RLock, uintptr(unsafe.Pointer(rw)), (*int32)(unsafe.Pointer(&rw.readerCount)), -1<<31)
		quiet(1)
		rw.rouseRLock()
		quiet(-1)
		return
	}
	rw.rouseRLock()
}

// TryRLock locks rw for reading if no writer has locked it or waits for it.
func (rw *RWMutex) TryRLock() bool {
	if rouse.On == 0 {
		return rw.rouseTryRLock()
	}
	rouse.Point(rouse.TryRLock, uintptr(unsafe.Pointer(rw)))
	quiet(1)
	ok := rw.rouseTryRLock()
	quiet(-1)
	if !ok {
		rouse.Failed()
	}
	return ok
}

// RUnlock undoes a single RLock.
//
//go:nosplit
func (rw *RWMutex) RUnlock() {
	if rouse.On == 0 {
		rw.rouseRUnlock()
		return
	}
	rouse.Point(rouse.RUnlock, uintptr(unsafe.Pointer(rw)))
	quiet(1)
	rw.rouseRUnlock()
	quiet(-1)
	rouse.After(rouse.RUnlock, uintptr(unsafe.Pointer(rw)))
}

// Lock locks rw for writing.
func (rw *RWMutex) Lock() {
	if rouse.On != 0 {
		// It waits at the point while another writer has it, and for readers inside: a writer that
		// waits keeps new readers out.
		rouse.Await(rouse.WLock, uintptr(unsafe.Pointer(rw)), (*int32)(unsafe.Pointer(&rw.w)), mutexLocked)
		rouse.Quiet(1)
		rw.rouseLock()
		rouse.Quiet(-1)
		return
	}
	rw.rouseLock()
}

// TryLock locks rw for writing if nobody has locked it.
func (rw *RWMutex) TryLock() bool {
	if rouse.On == 0 {
		return rw.rouseTryLock()
	}
	rouse.Point(rouse.TryWLock, uintptr(unsafe.Pointer(rw)))
	rouse.Quiet(1)
	ok := rw.rouseTryLock()
	rouse.Quiet(-1)
	if !ok {
		rouse.Failed()
	}
	return ok
}

// Unlock unlocks rw for writing.
func (rw *RWMutex) Unlock() {
	if rouse.On == 0 {
		rw.rouseUnlock()
		return
	}
	rouse.Point(rouse.WUnlock, uintptr(unsafe.Pointer(rw)))
	rouse.Quiet(1)
	rw.rouseUnlock()
	rouse.Quiet(-1)
	rouse.After(rouse.WUnlock, uintptr(unsafe.Pointer(rw)))
}

// Add adds delta, which may be negative, to the counter.
func (wg *WaitGroup) Add(delta int) {
	if rouse.On == 0 {
		wg.rouseAdd(delta)
		return
	}
	rouse.Point(rouse.WGAdd, uintptr(unsafe.Pointer(wg)))
	wg.quietAdd(delta)
	if delta < 0 {
		rouse.After(rouse.WGAdd, uintptr(unsafe.Pointer(wg)))
	}
}

// quietAdd is Add without points. Add may panic, and the panic may be recovered.
func (wg *WaitGroup) quietAdd(delta int) {
	if race.Enabled {
		rouse.Quiet(1)
		defer rouse.Quiet(-1)
	}
	wg.rouseAdd(delta)
}

// Wait blocks until the counter is zero.
func (wg *WaitGroup) Wait() {
	if rouse.On == 0 {
		wg.rouseWait()
		return
	}
	rouse.Point(rouse.WGWait, uintptr(unsafe.Pointer(wg)))
	if race.Enabled {
		rouse.Quiet(1)
		defer rouse.Quiet(-1)
	}
	wg.rouseWait()
}

// Signal wakes one goroutine that waits on c, if there is one.
func (c *Cond) Signal() {
	if rouse.On == 0 {
		c.rouseSignal()
		return
	}
	rouse.Point(rouse.CondSignal, uintptr(unsafe.Pointer(c)))
	c.rouseSignal()
	rouse.After(rouse.CondSignal, uintptr(unsafe.Pointer(c)))
}

// Broadcast wakes all goroutines that wait on c.
func (c *Cond) Broadcast() {
	if rouse.On == 0 {
		c.rouseBroadcast()
		return
	}
	rouse.Point(rouse.CondBroadcast, uintptr(unsafe.Pointer(c)))
	c.rouseBroadcast()
	rouse.After(rouse.CondBroadcast, uintptr(unsafe.Pointer(c)))
}

// The words that Await looks at: a wrong layout does not compile.
const (
	mutexLocked = 1 // of internal/sync

	_ = -unsafe.Offsetof(RWMutex{}.w.mu)
	_ = unsafe.Sizeof(RWMutex{}.readerCount) - 4
	_ = 4 - unsafe.Sizeof(RWMutex{}.readerCount)
)
