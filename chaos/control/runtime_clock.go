package control

import (
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// The timers of a Runtime are real ones in virtual time. When no task can continue, time jumps to the
// next of them, and all that are due then fire; a clock fires one at a time.

const (
	hour = 3600e9 // in nanoseconds
	// mostFirings bounds the timers that fire in a row and let no task continue.
	mostFirings = 1 << 20
	// netGrace is how long, in nanoseconds of real time, the network may take to wake a task before
	// virtual time jumps to a timer; after hastyAfter times in a row in which nothing came, hastyGrace.
	netGrace, hastyGrace, hastyAfter = 2e6, 100e3, 50
)

//go:norace
func (s *runtimeTasks) updateClock() {
	if _, pending := s.runtime.NextTimer(); pending && s.mayAdvance() {
		s.enable(s.clock)
	} else {
		s.disable(s.clock)
	}
}

// mayAdvance reports whether time may still pass: the tasks that are left when the first has ended
// have an hour, if they count.
//
//go:norace
func (s *runtimeTasks) mayAdvance() bool {
	if !s.mainEnded {
		return true
	}
	at, pending := s.runtime.NextTimer()
	return pending && !s.allowLeaks && at <= s.ends
}

// fireClock is a step of the clock.
//
//go:norace
func (s *runtimeTasks) fireClock() {
	s.fire()
	if s.observer != nil && s.Step > s.known {
		s.events = append(s.events, strategy.Event{Task: &s.clock.Task, Op: strategy.Op{Kind: strategy.Clock}})
	}
}

//go:norace
func (s *runtimeTasks) fire() {
	at, _ := s.runtime.NextTimer()
	s.hash = splitmix.Mix(s.hash, uint64(at))
	s.runtime.Fire()
	s.looks = s.runtime.Looks()
	if s.tracing {
		s.record(nil, Event{Kind: strategy.Clock, Op: -1})
	}
}

// leavesToRoot reports whether the root is to decide: no task can continue, and this is the stack of one.
//
//go:norace
func (s *runtimeTasks) leavesToRoot() bool { return !s.atRoot && s.noneEnabled() }

// advance is called on the root when no task is enabled. It reports whether one is then.
//
//go:norace
func (s *runtimeTasks) advance() bool {
	s.idles++
	if s.recheckLocks() {
		return true
	}
	if s.externals > 0 && s.awaitNetwork() {
		return true
	}
	for range mostFirings {
		at, pending := s.runtime.NextTimer()
		if !pending || !s.mayAdvance() {
			break
		}
		if at > s.checks && !s.mainEnded {
			s.checks = 2 * at
			if s.findLost() {
				return false
			}
		}
		s.fireDue()
		if !s.noneEnabled() {
			return true
		}
	}
	if len(s.spinners) > 0 && s.runtime.Looks() != s.looks {
		s.looks = s.runtime.Looks()
		s.runtime.Skip(pollStep)
	}
	if s.resumeSpinners() {
		return true
	}
	return s.awaitOutside()
}

// fireDue fires the next timer, and those of the same time.
//
//go:norace
func (s *runtimeTasks) fireDue() {
	for {
		s.fire()
		if at, pending := s.runtime.NextTimer(); !pending || at > s.runtime.Now() {
			return
		}
	}
}

// recheckLocks looks again at all locks that tasks wait for: one may have been unlocked without a point.
//
//go:norace
func (s *runtimeTasks) recheckLocks() bool {
	if s.awaiting > 0 {
		for _, t := range s.tasks {
			if t.real.awaits && s.ready(t) {
				s.enable(t)
			}
		}
	}
	return !s.noneEnabled()
}

//go:norace
func (s *runtimeTasks) awaitNetwork() bool {
	if s.mainEnded && s.allowLeaks {
		return false
	}
	grace := int64(netGrace)
	if s.fruitless > hastyAfter {
		grace = hastyGrace
	}
	s.fruitless++
	if s.runtime.Await(grace) {
		s.fruitless = 0
	}
	return !s.noneEnabled()
}

// awaitOutside gives what is outside the time to wake a task: the network, or goroutines that tasks have
// woken since the last such wait.
//
//go:norace
func (s *runtimeTasks) awaitOutside() bool {
	if s.mainEnded && s.allowLeaks {
		return false
	}
	grace := int64(0)
	if s.externals > 0 {
		grace = int64(s.patience)
	} else if n := s.runtime.Entangled(); n > s.entangled {
		s.entangled, grace = n, int64(s.grace)
	}
	if grace > 0 {
		s.runtime.Await(grace)
	}
	return !s.noneEnabled()
}
