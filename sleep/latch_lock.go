package sleep

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
)

// LockLatch is for goroutines that are not workers: they block on it. The zero value is unset. Any
// number of goroutines may wait and set it.
type LockLatch struct {
	mu   sync.Mutex
	cond sync.Cond // its L is set under mu, by the first waiter
	set  bool
}

// Set sets the latch. Both the flag and the notification are under the lock: otherwise a waiter
// between its look and its wait would miss both.
func (l *LockLatch) Set() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.set = true
	for range hooks.Notify(pointLatchLockNotify) {
		l.cond.Broadcast()
		if !hooks.Enabled {
			break
		}
	}
}

// Probe reports whether the latch is set.
func (l *LockLatch) Probe() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.set
}

// Wait blocks until the latch is set.
func (l *LockLatch) Wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cond.L == nil { // a waiter that has been woken reads it without the lock
		l.cond.L = &l.mu
	}
	for !l.set {
		l.cond.Wait()
	}
}
