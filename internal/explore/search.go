package explore

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
)

// Options of a Search. Engine and Body are needed.
type Options struct {
	Engine control.Options
	// Batches, if not nil, replaces the engine's strategy.
	Batches *Batches
	// Body returns what the first task of an execution runs.
	Body func(x strategy.Execution) func()
	// Seed returns the seed of execution n; nil is 0 for all.
	Seed func(n int) uint64
	// Judge adds findings that the engine does not know to the result of the last execution; nil adds nothing.
	Judge func(r control.Result) control.Result
	// Enough, if not nil, is called before each attempt to shrink a schedule and each experiment that looks for an
	// execution that passes. It reports whether to stop.
	Enough func() bool
}

// A Search runs executions of a subject on its own engine. A process can have one engine at a time. The
// methods must be called by one goroutine.
type Search struct {
	Engine *control.Engine
	Options
	// Evidence counts the executions that have run, without repetitions.
	Evidence  evidence.Counts
	exhausted bool
	count     int
}

// New returns a search. The caller must call Close.
func New(o Options) (*Search, error) {
	if o.Batches != nil {
		o.Engine.Strategy = o.Batches.strategy()
	}
	if o.Seed == nil {
		o.Seed = func(int) uint64 { return 0 }
	}
	if o.Enough == nil {
		o.Enough = func() bool { return false }
	}
	if o.Judge == nil {
		o.Judge = func(r control.Result) control.Result { return r }
	}
	e, err := control.New(o.Engine)
	if err != nil {
		return nil, err
	}
	return &Search{Engine: e, Options: o}, nil
}

// Close closes the engine. It may be called several times.
func (s *Search) Close() { s.Engine.Close() }

// Execution returns the number and the seed of execution n.
func (s *Search) Execution(n int) strategy.Execution {
	return strategy.Execution{Number: n, Seed: s.Seed(n)}
}

// Executions returns how many executions have run so far, without repetitions.
func (s *Search) Executions() int { return s.count }

// Exhausted reports whether the strategy has nothing left to explore.
func (s *Search) Exhausted() bool { return s.exhausted }

// Run runs execution n and judges it. It returns false if the strategy has nothing left to explore
// for executions of its kind.
func (s *Search) Run(n int) (control.Result, bool) {
	r, more := s.run(n)
	if !more {
		return r, false
	}
	return s.Judge(r), true
}

func (s *Search) run(n int) (control.Result, bool) {
	x := s.Execution(n)
	if s.Batches != nil {
		s.Batches.number = n
	}
	r, more := s.Engine.Run(x.Seed, s.Body(x))
	if more {
		s.count++
		if r.Verdict != verdict.Timeout { // a bug may be in the rest
			s.Evidence.AddExecution(s.Batches.setting(), s.Options.Engine.Strategy, r.NumTasks, r.Timers+r.Sleeps, r.Early, r.Forced)
		}
	} else {
		s.exhausted = s.Batches == nil || s.Batches.done()
	}
	return r, more
}

// A Range is the executions that Explore runs.
type Range struct {
	From, To int
	// Judge is the first execution that is judged. Earlier ones run because strategies learn from them.
	Judge int
	// Before, if not nil, is called before each; if it returns false, Explore returns.
	Before func(n int) bool
	// After, if not nil, is called after each, before it is judged.
	After func(r *control.Result)
}

// guardEvery is the interval between executions that are repeated, to check whether the same decisions
// lead to the same trace.
const guardEvery = 64

// Explore runs executions until one fails, the strategy has nothing left to explore, or the range
// has been run. It returns the number of the execution that failed and its result, or if none did, the
// number of the first that has not run, and a pass.
func (s *Search) Explore(all Range) (int, control.Result) {
	n := all.From
	for ; n < all.To; n++ {
		if all.Before != nil && !all.Before(n) {
			break
		}
		r, more := s.run(n)
		if !more && s.exhausted {
			break
		}
		if !more {
			continue
		}
		if all.After != nil {
			all.After(&r)
		}
		if n < all.Judge {
			continue
		}
		if r = s.Judge(r); r.Verdict == verdict.Pass && n%guardEvery == 0 {
			r = s.guard(n, r)
		}
		if r.Verdict != verdict.Pass {
			return n, r
		}
	}
	return n, control.Result{Verdict: verdict.Pass, Effect: verdict.Pass}
}

// guard repeats execution n, which was the last, and compares the traces.
func (s *Search) guard(n int, r control.Result) control.Result {
	r.Schedule, r.Faults = r.Schedule.Clone(), slices.Clone(r.Faults)
	again, unused := s.Engine.Repeat(r.Schedule, s.Body(s.Execution(n)))
	switch {
	case again.Hash == r.Hash && unused.Len() == 0:
		return r
	case again.Verdict == verdict.Uncontrolled:
		r.Verdict, r.Summary, r.Detail = again.Verdict, again.Summary, again.Detail
	default:
		r.Verdict = verdict.Nondeterminism
		r.Summary = fmt.Sprintf("it went another way when it was repeated with the same decisions (trace hash %016x, then %016x; %d decisions did not apply)",
			r.Hash, again.Hash, unused.Len())
	}
	r.Effect = r.Verdict
	return r
}

// Seed returns the seed of execution n of a test, in a run with the given seed.
func Seed(run uint64, n int) uint64 {
	return strategy.ChildKey(strategy.ChildKey(run, 0), n)
}

// Explored describes the result of a strategy that has nothing left to explore. bounded describes what
// it has left out, as returned by strategy.Bounded.
func Explored(name string, executions int, bounded string) string {
	if bounded != "" {
		return name + evidence.Ended + evidence.Counted(executions, "execution") + ", which is not all there is; bounded: " + bounded
	}
	if executions == 1 {
		return name + evidence.All + "one schedule"
	}
	return name + evidence.All + evidence.Counted(executions, "execution")
}
