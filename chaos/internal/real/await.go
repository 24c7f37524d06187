package real

import (
	"math"

	"github.com/rouse-go/rouse/chaos/internal/core"
)

// When no task can continue, something outside may wake one: the network, a child process, or a goroutine
// that is not a task. That takes real time.

const (
	// netGrace is how long, in nanoseconds of real time, the network may take to wake a task before
	// virtual time jumps to a timer; after hastyAfter times in a row in which nothing came, hastyGrace.
	netGrace, hastyGrace, hastyAfter = 2e6, 100e3, 50
	// mostBusy bounds, in nanoseconds of real time, how long goroutines outside may run until nothing is
	// expected of them: one may never stop.
	mostBusy = 10e9
	// mostOutside bounds how often goroutines outside go on while time jumps once: a short period and a long sleep. It
	// is as if they had been late.
	mostOutside = 1000
	// spinsFor bounds the virtual time for which tasks that spin may wait for a goroutine outside that waits for time
	// to pass; after that, they wait for nothing.
	spinsFor = 10e9
	// mostLast is how often they go on at the time of the last of them, if nothing else is to come.
	mostLast = 8
	// mostTurns is how often the goroutines that go on have the root's processor, which takes less than to wait for
	// another one.
	mostTurns = 16
	// endOfTime is later than any virtual time.
	endOfTime = math.MaxInt64 / 2
	// busyGrace is how long a wait for such a goroutine is until it is looked at again.
	busyGrace = 200e3
)

// await gives what is outside some real time to wake a task, and more, up to most, while goroutines
// outside run: the machine may be busy with other things. It reports whether one has been woken.
//
//go:norace
func (s *Tasks) await(grace, most int64) bool {
	for waited := grace; ; waited += grace {
		if s.runtime.Await(grace) {
			return true
		}
		if !s.runtime.Busy() && !s.runtime.Awaited() {
			return false
		}
		if waited >= most {
			return s.runtime.Await(0)
		}
	}
}

//go:norace
func (s *Tasks) awaitNetwork() bool {
	if s.mainEnded && s.allowLeaks {
		return false
	}
	grace, most := int64(netGrace), int64(s.Grace)
	if s.fruitless > hastyAfter {
		grace, most = hastyGrace, hastyGrace
	}
	s.fruitless++
	if s.await(grace, most) {
		s.fruitless = 0
	}
	return !s.NoneEnabled()
}

// awaitChildren is called before virtual time jumps to a timer. While child processes of the subject live,
// which run in real time, it waits for as long as the timer is ahead: a time-out for a process must not
// come before its time. It reports whether a task can continue.
//
//go:norace
func (s *Tasks) awaitChildren() bool {
	if s.mainEnded || s.runtime.Children() == 0 {
		return false
	}
	for left := s.runtime.Lived(0); left > 0 && s.runtime.Children() > 0; {
		began := s.runtime.Real()
		s.runtime.Await(left)
		left = s.runtime.Lived(max(s.runtime.Real()-began, 1))
		if !s.NoneEnabled() {
			return true
		}
	}
	return false
}

// awaitBusy is called before virtual time jumps to a timer. A goroutine outside that runs, or could if the machine
// let it, may be about to wake a task: the timer does not overtake it. One that a task has woken and that sleeps or
// is in a system call has the real time until the timer. It reports whether a task can continue.
//
//go:norace
func (s *Tasks) awaitBusy(at int64) bool {
	if s.mainEnded && s.allowLeaks {
		return false
	}
	began, left := int64(0), at-s.runtime.Now()
	for s.expected < mostBusy {
		busy := s.runtime.Busy()
		if !busy && !s.runtime.Awaited() {
			break
		}
		now := s.runtime.Real()
		if began == 0 {
			began = now
		}
		if !busy && now-began >= left {
			s.expected += now - began
			break
		}
		if s.runtime.Await(busyGrace) && !s.NoneEnabled() {
			return true
		}
		if now-began >= mostBusy {
			s.expected = mostBusy // one never stops: none is waited for again
		}
	}
	return !s.NoneEnabled()
}

// awaitOutside gives what is outside the time to wake a task: the network, or goroutines that tasks have
// woken since the last such wait, or in an earlier execution: such a goroutine may still be on its way to
// where it serves the next one. A child process has all the time that the user gives the test.
//
//go:norace
func (s *Tasks) awaitOutside() bool {
	if s.mainEnded && s.allowLeaks {
		return false
	}
	grace := int64(0)
	if s.externals > 0 {
		for !s.mainEnded && s.runtime.Children() > 0 && s.NoneEnabled() {
			s.runtime.Await(hour)
		}
		if grace = int64(s.Patience); grace < 0 {
			grace = int64(core.DefaultPatience)
		}
	} else if n := s.runtime.Entangled(); n > s.entangled || n > 0 && !s.waited {
		s.entangled, s.waited, grace = n, true, int64(s.Grace)
	}
	if s.NoneEnabled() && grace > 0 && s.await(grace, mostBusy) {
		s.waited = false // what has come may bring more
	}
	return !s.NoneEnabled()
}

// fireOutside is called before virtual time jumps to a timer: what goroutines outside wait for until then comes first.
// It reports whether a task can continue.
//
//go:norace
func (s *Tasks) fireOutside(at int64) bool {
	for range mostOutside {
		if fired, woken := s.fireOneOutside(at, false); woken || !fired {
			return woken
		}
	}
	return false
}

// fireLateOutside is called if there is no timer that virtual time could jump to: then it jumps to what goroutines
// outside wait for, also to what comes late. Tasks that spin go on after each of those, and it is called again. It
// reports whether a task can continue.
//
//go:norace
func (s *Tasks) fireLateOutside() bool {
	if len(s.Spinners) > 0 {
		_, woken := s.fireOneOutside(s.spinning.until(s), false)
		return woken
	}
	for n := range mostOutside + mostLast {
		if fired, woken := s.fireOneOutside(endOfTime, n >= mostOutside); woken || !fired {
			return woken
		}
	}
	return false
}

// fireOneOutside moves the time to a timer that goroutines outside wait for, the next or else the last one until
// then, and gives them the real time to react to it. It reports whether there was any, and whether a task can
// continue.
//
//go:norace
func (s *Tasks) fireOneOutside(until int64, last bool) (fired, woken bool) {
	if s.mainEnded || !s.runtime.FireOutside(until, last) {
		return false, false
	}
	s.movedClock()
	for turns := 0; turns < mostTurns && s.runtime.Busy(); turns++ {
		s.runtime.Others()
	}
	return true, s.awaitBusy(s.runtime.Now())
}

// spinning holds since when tasks only spin.
type spinning struct {
	progress int // of the engine, then
	since    int64
}

// until returns the time up to which tasks that spin may wait for goroutines outside.
//
//go:norace
func (p *spinning) until(s *Tasks) int64 {
	if p.progress != s.Progress {
		*p = spinning{s.Progress, s.runtime.Now()}
	}
	return p.since + spinsFor
}
