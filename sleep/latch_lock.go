package sleep

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
)

// LockLatch is for goroutines that are no workers: they block on it. The zero
// value is unset. Any number may wait; any number may set it.
type LockLatch struct {
	mu   sync.Mutex
	cond sync.Cond // its L is set under mu, by the first who waits
	set  bool
}

// Set sets the latch. The flag and the notification are under the lock: outside
// of it, a waiter between its look and its wait would miss both.
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
	l.wait()
}

// WaitAndReset blocks until the latch is set and unsets it, for another use.
// That is safe only with one setter for each use: a late second Set would end
// the next wait.
func (l *LockLatch) WaitAndReset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wait()
	l.set = false
}

// wait is called with the lock held.
func (l *LockLatch) wait() {
	l.cond.L = &l.mu
	for !l.set {
		l.cond.Wait()
	}
}
