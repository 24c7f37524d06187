//go:build chaos

package sync

import (
	"sync"

	"github.com/rouse-go/rouse/hooks"
)

// Mutex is [sync.Mutex] with points around locking and unlocking. A delay at
// sync/mutex-locked or sync/mutex-unlock is a longer critical section.
type Mutex sync.Mutex

// Lock passes sync/mutex-lock, locks, and passes sync/mutex-locked.
func (m *Mutex) Lock() {
	hooks.At(mutexLock)
	(*sync.Mutex)(m).Lock()
	hooks.At(mutexLocked)
}

// TryLock passes sync/mutex-try-lock, where a fault can make it fail without
// having tried: the Go memory model allows a TryLock to return false even when
// the mutex is unlocked, and gives a failed one no ordering. When it succeeds it
// passes sync/mutex-locked.
func (m *Mutex) TryLock() bool {
	if hooks.Fail(mutexTryLock) || !(*sync.Mutex)(m).TryLock() {
		return false
	}
	hooks.At(mutexLocked)
	return true
}

// Unlock passes sync/mutex-unlock, unlocks, and passes sync/mutex-unlocked.
func (m *Mutex) Unlock() {
	hooks.At(mutexUnlock)
	(*sync.Mutex)(m).Unlock()
	hooks.At(mutexUnlocked)
}
