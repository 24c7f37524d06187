package worker

import (
	"strings"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/explore"
)

// Many tests have a single execution: one goroutine, and nothing to choose. Others have a few that differ. A strategy
// that draws would repeat them a thousand times, and could not say that these are all.

// mostFewSteps is the number of steps up to which a test is explored so: dpor keeps what an execution does.
const mostFewSteps = 100_000

// exploreFew explores all there is by dpor, if that is a few executions. It returns an answer if it is, or if one of
// them has failed. Otherwise these executions do not count: the strategy has not chosen them.
func (s *session) exploreFew() (a wire.Answer, over bool) {
	if s.Batches.Exhaustive() || s.samples != "" || s.skipped || s.steps > mostFewSteps {
		return a, false
	}
	by := strategy.DPOR()
	for n := range wire.MostFew + 1 {
		r, more := s.runBy(by)
		if !more {
			return s.exploredFew(by, n)
		}
		s.Evidence.AddExecution(0, by, r.NumTasks, 0, r.Early, r.Forced)
		s.count(n, r)
		if fails(r.Verdict) {
			s.instead = by.Name()
			return s.failure(strategy.Execution{Number: n, Seed: s.Execution(0).Seed}, r), true
		}
		if r.Verdict != verdict.Pass || r.Timers+r.Sleeps > 0 || strategy.Bounded(by) != "" {
			break
		}
	}
	s.forgetCounts()
	return a, false
}

// exploredFew returns the answer after n executions, if they are all there is.
func (s *session) exploredFew(by strategy.Strategy, n int) (a wire.Answer, over bool) {
	explored := explore.Explored(by.Name(), n, strategy.Bounded(by))
	s.compareVariables()
	if s.found.other || !strings.Contains(s.Evidence.Complete(explored, false, false), evidence.All) {
		s.forgetCounts()
		return a, false
	}
	a = s.passed(n, explored)
	a.By = by.Name()
	return a, true
}

// forgetCounts takes back what has been counted.
func (s *session) forgetCounts() {
	for _, order := range s.takeCounts().Orders {
		s.orders[order%ordersKept] = 0
	}
}
