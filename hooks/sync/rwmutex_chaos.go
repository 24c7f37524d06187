//go:build chaos

package sync

import (
	"sync"

	"github.com/rouse-go/rouse/hooks"
)

// RWMutex is [sync.RWMutex] with points around locking and unlocking.
type RWMutex sync.RWMutex

// Lock passes sync/rwmutex-lock, locks for writing, and passes
// sync/rwmutex-locked.
func (rw *RWMutex) Lock() {
	hooks.At(rwmutexLock)
	(*sync.RWMutex)(rw).Lock()
	hooks.At(rwmutexLocked)
}

// TryLock passes sync/rwmutex-try-lock, where a fault can make it fail without
// having tried (see [Mutex.TryLock]). When it succeeds it passes
// sync/rwmutex-locked.
func (rw *RWMutex) TryLock() bool {
	if hooks.Fail(rwmutexTryLock) || !(*sync.RWMutex)(rw).TryLock() {
		return false
	}
	hooks.At(rwmutexLocked)
	return true
}

// Unlock passes sync/rwmutex-unlock, unlocks, and passes sync/rwmutex-unlocked.
func (rw *RWMutex) Unlock() {
	hooks.At(rwmutexUnlock)
	(*sync.RWMutex)(rw).Unlock()
	hooks.At(rwmutexUnlocked)
}

// RLock passes sync/rwmutex-rlock, locks for reading, and passes
// sync/rwmutex-rlocked.
func (rw *RWMutex) RLock() {
	hooks.At(rwmutexRLock)
	(*sync.RWMutex)(rw).RLock()
	hooks.At(rwmutexRLocked)
}

// TryRLock passes sync/rwmutex-try-rlock, where a fault can make it fail without
// having tried (see [Mutex.TryLock]). When it succeeds it passes
// sync/rwmutex-rlocked.
func (rw *RWMutex) TryRLock() bool {
	if hooks.Fail(rwmutexTryRLock) || !(*sync.RWMutex)(rw).TryRLock() {
		return false
	}
	hooks.At(rwmutexRLocked)
	return true
}

// RUnlock passes sync/rwmutex-runlock, undoes one RLock, and passes
// sync/rwmutex-runlocked.
func (rw *RWMutex) RUnlock() {
	hooks.At(rwmutexRUnlock)
	(*sync.RWMutex)(rw).RUnlock()
	hooks.At(rwmutexRUnlocked)
}

// RLocker returns a Locker whose Lock and Unlock are RLock and RUnlock, with
// their points.
func (rw *RWMutex) RLocker() Locker { return (*rlocker)(rw) }

type rlocker RWMutex

func (r *rlocker) Lock()   { (*RWMutex)(r).RLock() }
func (r *rlocker) Unlock() { (*RWMutex)(r).RUnlock() }
