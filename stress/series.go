package stress

import (
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// batchSize is how many executions of a controlled scenario make a batch. Each batch
// begins with strategies that know nothing, and they learn from its executions only:
// what an execution does then follows from its number and the campaign's seed, in
// whichever process it is run, and after whichever others.
const batchSize = 128

// A series is the strategy of a controlled scenario: for each of its pool sizes one
// of the scenario's, made anew with each batch. An exhaustive one is never made anew:
// the scenario is one batch.
type series struct {
	make       func() strategy.Strategy
	exhaustive bool
	sizes      int

	number int // of the execution that is next
	batch  int // that the arms belong to
	arms   []seriesArm
	now    *seriesArm
}

type seriesArm struct {
	strategy.Strategy
	observer   strategy.Observer // nil: it is none
	executions int
	over       bool // it has explored all there is
}

// newSeries returns the series and what the engine is to ask: the same, with a method
// more if the strategy observes.
func newSeries(sc *Scenario) (*series, strategy.Strategy, error) {
	name := sc.strategy()
	first, err := strategy.Parse(name)
	if err != nil {
		return nil, nil, err
	}
	s := &series{
		make: func() strategy.Strategy {
			again, _ := strategy.Parse(name) // it has just been parsed
			return again
		},
		sizes: len(sc.Pool.Workers),
		batch: -1,
	}
	_, s.exhaustive = first.(strategy.Exhaustive)
	if _, ok := first.(strategy.Observer); ok {
		return s, observingSeries{s}, nil
	}
	return s, s, nil
}

// batchOf is the batch of execution n.
func (s *series) batchOf(n int) int {
	if s.exhaustive {
		return 0
	}
	return n / batchSize
}

// done reports whether nothing is left to explore.
func (s *series) done() bool {
	for i := range s.arms {
		if !s.arms[i].over {
			return false
		}
	}
	return len(s.arms) > 0
}

// bounded says what the strategies have left out, "" if that is nothing.
func (s *series) bounded() string {
	var all []string
	for i := range s.arms {
		if b := strategy.Bounded(s.arms[i].Strategy); b != "" && !slices.Contains(all, b) {
			all = append(all, b)
		}
	}
	return strings.Join(all, "; ")
}

func (s *series) Name() string { return s.make().Name() }

func (s *series) Begin(x strategy.Execution) bool {
	if b := s.batchOf(s.number); b != s.batch {
		s.batch, s.arms = b, make([]seriesArm, s.sizes)
		for i := range s.arms {
			s.arms[i].Strategy = s.make()
			s.arms[i].observer, _ = s.arms[i].Strategy.(strategy.Observer)
		}
	}
	s.now = &s.arms[s.number%s.sizes]
	if s.now.over {
		return false
	}
	x.Number = s.now.executions
	s.now.executions++
	s.now.over = !s.now.Begin(x)
	return !s.now.over
}

func (s *series) Next(c *strategy.Choice) int        { return s.now.Next(c) }
func (s *series) Pick(c *strategy.Choice, n int) int { return s.now.Pick(c, n) }
func (s *series) End(r strategy.Result)              { s.now.End(r) }

// SkipsForced is what the strategy of this execution says.
func (s *series) SkipsForced() bool {
	skipper, ok := s.now.Strategy.(strategy.Skipper)
	return ok && skipper.SkipsForced()
}

// An observingSeries is of strategies that want to know of every event.
type observingSeries struct{ *series }

func (s observingSeries) Happened(e strategy.Event) { s.now.observer.Happened(e) }

// Known is what the strategy of this execution says.
func (s observingSeries) Known() int {
	if r, ok := s.now.Strategy.(strategy.Rerunner); ok {
		return r.Known()
	}
	return 0
}
