package sleep

import "github.com/rouse-go/rouse/hooks"

// WaitPrivately is Q; see Strategy.
func (s *parking) WaitPrivately(worker int, latch *CoreLatch, jobs Injected) {
	// Q1: the latch becomes SLEEPY. If it is set, the caller's next probe sees it.
	if !latch.getSleepy() {
		return
	}

	// Q2: the sleep lock, held from here to the wait.
	p := s.own(worker)
	hooks.At(pointPrivateLockPre)
	p.mu.Lock()
	defer p.mu.Unlock()
	hooks.At(pointPrivateLockPost)

	// Q3: the latch becomes SLEEPING, under the lock.
	if !latch.fallAsleep() {
		return
	}

	// Q4: the last look, under the lock. It sees a job that came before it; a later one comes with
	// a notification, which waits for the lock and then finds the worker blocked.
	hooks.At(pointPrivateCheckPre)
	found := jobs != nil && jobs.HasInjectedJob()
	if !found {
		hooks.At(pointPrivateCheckPost)
	} else if hooks.Fail(pointPrivateCheckPost) {
		found = false
	}
	if !found {
		hooks.At(pointPrivateBlockPre)
		p.private = true
		p.block() // Q5
		p.private = false
		hooks.At(pointPrivateWoken)
	}

	// Q6: the latch goes back to UNSET before the lock is given up.
	latch.wakeUp()
}

// wakePrivate is K for a worker that sleeps privately; for any other it does nothing.
func (s *parking) wakePrivate(worker int) {
	p := s.parker(worker)
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.blocked && p.private {
		p.blocked = false
		p.notify()
		HandOver()
	}
}
