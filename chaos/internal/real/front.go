package real

import (
	"time"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/goroutines"
)

// The short methods of core.Front.

var _ core.Front = (*Tasks)(nil)

func (*Tasks) Close() {}

func (*Tasks) Start(f func()) { go f() }

//go:norace
func (*Tasks) Spawned(_, _ *core.Task) {}

func (*Tasks) AskBy(s strategy.Strategy) (by strategy.Strategy, onRoot bool) { return s, false }

//go:norace
func (*Tasks) Ready(t *core.Task) bool { return canLock(t) }

//go:norace
func (*Tasks) WaitAlike(t, u *core.Task) bool {
	return of(t).word == of(u).word && of(t).busy == of(u).busy
}

//go:norace
func (s *Tasks) TimerPending() bool {
	_, pending := s.runtime.NextTimer()
	return pending
}

//go:norace
func (*Tasks) RepeatsPoll(t *core.Task) bool {
	for _, o := range of(t).polls {
		if !t.Spin.RepeatsRead(o, true) {
			return false
		}
	}
	return true
}

//go:norace
func (s *Tasks) Lasted() time.Duration { return time.Duration(s.runtime.Real() - s.began) }

//go:norace
func (s *Tasks) LetOthersRun() { s.runtime.Others() }

//go:norace
func (s *Tasks) Recurring() (steps int, livelock bool) {
	if s.recurrence.livelock {
		steps = s.Step - s.recurrence.from
	}
	return steps, steps > 0
}

func (*Tasks) Judges() (done func()) { return func() {} }

//go:norace
func (s *Tasks) StopBefore(t *core.Task) {
	if t == s.Running() && !s.atRoot {
		core.Trap()
	} else {
		s.runtime.Stop(of(t).number)
	}
}

func (*Tasks) Blocked() (g goroutines.Goroutine, found bool) { return g, false }

func (*Tasks) GiveUp(*core.Task) {}

//go:norace
func (*Tasks) Nudge(*core.Task) bool { return false }

//go:norace
func (s *Tasks) TimeEvent(event *core.Event) { event.Step, event.Time = s.Step, s.runtime.Now() }

func (s *Tasks) Complete(r core.Result) core.Result {
	r.Schedule.Seed, r.Outside, r.Tainted = s.Seed, s.outside, s.tainted
	r.Timers, r.Sleeps, r.Far = s.armed, s.slept, s.far
	return r
}

func (*Tasks) Conclude(r core.Result) core.Result { return r }

func (s *Tasks) CompleteEnd(r strategy.Result) strategy.Result {
	draws, dumps := s.runtime.Chance()
	r.Lazy = r.Lazy || s.runtime.Looks() > 0
	r.Chance, r.Dumped, r.Asides = draws > 0, dumps > 0, s.asided()
	return r
}
