//go:build chaos

package sync

import (
	"sync"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Mutex is [sync.Mutex] with points around locking and unlocking. A delay at
// sync/mutex-locked or sync/mutex-unlock is a longer critical section.
type Mutex sync.Mutex

// Lock passes sync/mutex-lock, locks, and passes sync/mutex-locked.
func (m *Mutex) Lock() {
	mutexLock.At()
	if c := seam.Controlled(); c == nil || c.Lock(mutexLock, unsafe.Pointer(m)) {
		if c != nil || !seam.InControl() || !seam.AwaitOutside((*sync.Mutex)(m).TryLock) {
			(*sync.Mutex)(m).Lock()
		}
	}
	mutexLocked.At()
}

// TryLock passes sync/mutex-try-lock, where a fault can make it fail without
// having tried: the Go memory model allows a TryLock to return false even when
// the mutex is unlocked, and gives a failed one no ordering. When it succeeds it
// passes sync/mutex-locked.
func (m *Mutex) TryLock() bool {
	if mutexTryLock.Fail() {
		return false
	}
	if c := seam.Controlled(); c != nil && !c.TryLock(mutexTryLock, unsafe.Pointer(m)) {
		return false
	}
	if !(*sync.Mutex)(m).TryLock() {
		return false
	}
	mutexLocked.At()
	return true
}

// Unlock passes sync/mutex-unlock, unlocks, and passes sync/mutex-unlocked.
func (m *Mutex) Unlock() {
	mutexUnlock.At()
	if c := seam.Controlled(); c == nil || c.Unlock(mutexUnlock, unsafe.Pointer(m)) {
		unlock((*sync.Mutex)(m))
	}
	seam.Published()
	mutexUnlocked.At()
}

// unlock bears that the mutex is unlocked, if there is a controller: it has an execution
// end that a goroutine which is no task has taken part in, and then both may unlock. The
// standard package would end the process.
func unlock(m *sync.Mutex) {
	if seam.InControl() {
		m.TryLock()
	}
	m.Unlock()
}

// RWMutex is [sync.RWMutex] with points around locking and unlocking.
type RWMutex sync.RWMutex

// Lock passes sync/rwmutex-lock, locks for writing, and passes
// sync/rwmutex-locked.
func (rw *RWMutex) Lock() {
	rwmutexLock.At()
	if c := seam.Controlled(); c == nil || c.RWLock(rwmutexLock, unsafe.Pointer(rw)) {
		if c != nil || !seam.InControl() || !seam.AwaitOutside((*sync.RWMutex)(rw).TryLock) {
			(*sync.RWMutex)(rw).Lock()
		}
	}
	rwmutexLocked.At()
}

// TryLock passes sync/rwmutex-try-lock, where a fault can make it fail without
// having tried (see [Mutex.TryLock]). When it succeeds it passes
// sync/rwmutex-locked.
func (rw *RWMutex) TryLock() bool {
	if rwmutexTryLock.Fail() {
		return false
	}
	if c := seam.Controlled(); c != nil && !c.RWTryLock(rwmutexTryLock, unsafe.Pointer(rw)) {
		return false
	}
	if !(*sync.RWMutex)(rw).TryLock() {
		return false
	}
	rwmutexLocked.At()
	return true
}

// Unlock passes sync/rwmutex-unlock, unlocks, and passes sync/rwmutex-unlocked.
func (rw *RWMutex) Unlock() {
	rwmutexUnlock.At()
	if c := seam.Controlled(); c == nil || c.RWUnlock(rwmutexUnlock, unsafe.Pointer(rw)) {
		unlockWriter((*sync.RWMutex)(rw))
	}
	seam.Published()
	rwmutexUnlocked.At()
}

// RLock passes sync/rwmutex-rlock, locks for reading, and passes
// sync/rwmutex-rlocked.
func (rw *RWMutex) RLock() {
	rwmutexRLock.At()
	if c := seam.Controlled(); c == nil || c.RLock(rwmutexRLock, unsafe.Pointer(rw)) {
		if c != nil || !seam.InControl() || !seam.AwaitOutside((*sync.RWMutex)(rw).TryRLock) {
			(*sync.RWMutex)(rw).RLock()
		}
	}
	rwmutexRLocked.At()
}

// TryRLock passes sync/rwmutex-try-rlock, where a fault can make it fail without
// having tried (see [Mutex.TryLock]). When it succeeds it passes
// sync/rwmutex-rlocked.
func (rw *RWMutex) TryRLock() bool {
	if rwmutexTryRLock.Fail() {
		return false
	}
	if c := seam.Controlled(); c != nil && !c.TryRLock(rwmutexTryRLock, unsafe.Pointer(rw)) {
		return false
	}
	if !(*sync.RWMutex)(rw).TryRLock() {
		return false
	}
	rwmutexRLocked.At()
	return true
}

// RUnlock passes sync/rwmutex-runlock, undoes one RLock, and passes
// sync/rwmutex-runlocked.
func (rw *RWMutex) RUnlock() {
	rwmutexRUnlock.At()
	if c := seam.Controlled(); c == nil || c.RUnlock(rwmutexRUnlock, unsafe.Pointer(rw)) {
		unlockReader((*sync.RWMutex)(rw))
	}
	seam.Published()
	rwmutexRUnlocked.At()
}

// unlockWriter is as unlock.
func unlockWriter(rw *sync.RWMutex) {
	if seam.InControl() && rw.TryRLock() {
		rw.RUnlock()
		return
	}
	rw.Unlock()
}

// unlockReader is as unlock.
func unlockReader(rw *sync.RWMutex) {
	if seam.InControl() && rw.TryLock() {
		rw.Unlock()
		return
	}
	rw.RUnlock()
}

// RLocker returns a Locker whose Lock and Unlock are RLock and RUnlock, with
// their points.
func (rw *RWMutex) RLocker() Locker { return (*rlocker)(rw) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }
