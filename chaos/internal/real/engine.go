package real

import (
	"math"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Options are core.Options, and those of control.Options that only this front end has.
type Options struct {
	core.Options
	Runtime    Runtime
	Own        []string
	AllowLeaks bool
}

// New returns an engine whose tasks a Runtime holds.
func New(o Options) *core.Engine {
	s := &Tasks{runtime: o.Runtime, planned: len(o.Plan.Faults) > 0, allowLeaks: o.AllowLeaks, own: symbolsOf(o.Own)}
	s.SetUp(o.Options, s)
	s.MaxSpins = math.MaxInt
	s.Engine.Looks, s.Forces, s.StaysFree, s.ClockAside, s.RunsLong = true, true, true, true, true
	s.StartWatchdog()
	return &s.Engine
}

// Run runs the execution that has begun.
func (s *Tasks) Run(body func()) {
	s.began = s.runtime.Real()
	s.SetExecuting(true)
	s.runtime.Run(s, Start{Body: body, Seed: s.Seed, After: s.Control.Publishing, Asides: s.observesAsides()})
	s.SetExecuting(false)
	s.FlushEvents()
	s.armed, s.slept = s.runtime.Armed()
	s.recordLeft()
	if s.tainted == "" && s.Outcome.Verdict == verdict.Panicked {
		s.tainted = "a panic has ended an execution"
	}
	if why := s.runtime.Reap(); why != "" {
		s.tainted = why
	}
}

func (s *Tasks) Inside() (yes, reported bool) { return s.runtime.Current() != None, false }

func (s *Tasks) ChooseOutcome(n int) (i int) {
	s.runtime.Call(func() {
		s.settle(s.Running())
		i = s.pickOutcome(n)
		if s.Tracing {
			s.TraceChoose(i)
		}
	})
	return i
}

func (s *Tasks) pickOutcome(n int) int {
	if s.Stopping {
		return 0
	}
	defer s.RecoverStrategy()
	return s.PickAmong(n)
}
