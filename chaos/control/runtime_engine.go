package control

import (
	"errors"
	"math"

	"github.com/rouse-go/rouse/chaos/verdict"
)

var errWeakRuntime = errors.New("control: Options.Runtime runs real atomics, so Options.Memory has to be SC")

// installRuntime installs the engine on a Runtime, which holds the tasks.
func installRuntime(o Options) (*Engine, error) {
	if o.Memory != SC {
		return nil, errWeakRuntime
	}
	e := &runtimeTasks{runtime: o.Runtime, planned: len(o.Plan.Faults) > 0}
	e.setUp(o, e)
	e.allowLeaks, e.own, e.maxSpins = o.AllowLeaks, symbolsOf(o.Own), math.MaxInt
	e.engine.looks, e.forces, e.staysFree, e.clockAside, e.runsLong = true, true, true, true, true
	e.release = func() {}
	e.startWatchdog()
	return &Engine{&e.engine}, nil
}

// run runs the execution that has begun.
func (s *runtimeTasks) run(body func()) {
	s.began = s.runtime.Real()
	s.setExecuting(true)
	s.runtime.Run(s, Start{Body: body, Seed: s.seed, After: s.control.Publishing, Asides: s.observesAsides()})
	s.setExecuting(false)
	s.flushEvents()
	s.armed, s.slept = s.runtime.Armed()
	s.recordLeft()
	if s.tainted == "" && s.outcome.verdict == verdict.Panicked {
		s.tainted = "a panic has ended an execution"
	}
	if why := s.runtime.Reap(); why != "" {
		s.tainted = why
	}
}

func (s *runtimeTasks) inside() (yes, reported bool) { return s.runtime.Current() != None, false }

func (s *runtimeTasks) chooseOutcome(n int) (i int) {
	s.runtime.Call(func() {
		s.settle(s.current())
		i = s.pickOutcome(n)
		if s.tracing {
			s.traceChoose(i)
		}
	})
	return i
}

func (s *runtimeTasks) pickOutcome(n int) int {
	if s.stopping {
		return 0
	}
	defer s.recoverStrategy()
	return s.pick(n)
}
