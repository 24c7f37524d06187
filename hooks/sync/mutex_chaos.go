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
