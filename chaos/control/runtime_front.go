package control

import (
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// The short methods of front for a Runtime's tasks.

var _ front = (*runtimeTasks)(nil)

func (*runtimeTasks) close() {}

func (*runtimeTasks) start(f func()) { go f() }

//go:norace
func (*runtimeTasks) spawned(_, _ *task) {}

func (*runtimeTasks) askBy(s strategy.Strategy) (by strategy.Strategy, onRoot bool) { return s, false }

//go:norace
func (*runtimeTasks) ready(t *task) bool { return t.canLock() }

//go:norace
func (s *runtimeTasks) timerPending() bool {
	_, pending := s.runtime.NextTimer()
	return pending
}

//go:norace
func (*runtimeTasks) repeatsPoll(t *task) bool {
	for _, o := range t.real.polls {
		if !t.spin.repeatsRead(o, true) {
			return false
		}
	}
	return true
}

//go:norace
func (s *runtimeTasks) lasted() time.Duration { return time.Duration(s.runtime.Real() - s.began) }

//go:norace
func (s *runtimeTasks) letOthersRun() { s.runtime.Others() }

//go:norace
func (s *runtimeTasks) recurring() (steps int, livelock bool) {
	if s.recurrence.livelock {
		steps = s.Step - s.recurrence.from
	}
	return steps, steps > 0
}

func (*runtimeTasks) judges() (done func()) { return func() {} }

//go:norace
func (s *runtimeTasks) stopBefore(t *task) {
	if t == s.current() && !s.atRoot {
		trap()
	} else {
		s.runtime.Stop(t.real.number)
	}
}

func (*runtimeTasks) giveUp(*task) {}

//go:norace
func (*runtimeTasks) nudge(*task) bool { return false }

//go:norace
func (s *runtimeTasks) timeEvent(event *Event) { event.Step, event.Time = s.Step, s.runtime.Now() }

func (s *runtimeTasks) complete(r Result) Result {
	r.Schedule.Seed, r.Outside, r.Tainted = s.seed, s.outside, s.tainted
	r.Timers, r.Sleeps, r.Far = s.armed, s.slept, s.far
	return r
}

func (*runtimeTasks) conclude(r Result) Result { return r }

func (s *runtimeTasks) completeEnd(r strategy.Result) strategy.Result {
	draws, dumps := s.runtime.Chance()
	r.Lazy = r.Lazy || s.runtime.Looks() > 0
	r.Chance, r.Dumped, r.Asides = draws > 0, dumps > 0, s.asided()
	return r
}
