package outcome

import (
	"context"
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// DefaultSearch is the default maximum time of a search.
const DefaultSearch = 10 * time.Second

// A SearchBudget bounds a search by executions, by time, or by both; the zero value is no search.
type SearchBudget struct {
	Executions int           // the maximum number; 0 is no bound
	For        time.Duration // no execution begins later; 0 is no bound. Shrinking may take as long again
	Least      int           // executions that run even if the time is up
}

// Off reports whether there is no search.
func (b SearchBudget) Off() bool { return b.Executions == 0 && b.For == 0 }

// Over reports whether the budget of a search that began at the given time is used up before execution n.
func (b SearchBudget) Over(n int, began time.Time) bool {
	return b.Executions > 0 && n >= b.Executions || b.For > 0 && time.Since(began) >= b.For && n >= b.Least
}

const (
	// searchPart is the maximum part of a run's time that all its searches take together.
	searchPart = 0.25
	// leastSearched is how many executions a search runs in any case: they mostly take some hundredths of a second.
	leastSearched = 64
)

// Within returns the budget of the next search in a run of the time whole, which is 0 without a bound. left is the
// remaining time, and taken the time of earlier searches.
func (b SearchBudget) Within(whole, left, taken time.Duration) SearchBudget {
	b.Least = leastSearched
	if whole == 0 {
		return b
	}
	most := max(min(time.Duration(searchPart*float64(whole))-taken, left), 1)
	if b.For == 0 || b.For > most {
		b.For = most
	}
	return b
}

// Shrinking returns a context for shrinking the failure that was found: that may take as long as the search, or a
// second if that is longer.
func (b SearchBudget) Shrinking(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.For == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(b.For, time.Second))
}

// Unexplored reports whether a verdict is about the search and not about the subject: the engine has given up the
// execution.
func Unexplored(v verdict.Verdict) bool {
	return v == verdict.Timeout || v == verdict.Uncontrolled || v == verdict.Nondeterminism
}

// kinds lists verdicts among which the watchdog, the oracles and the engine choose by what they know: for
// executions that do not end, and for those that end wrong.
var kinds = [][]verdict.Verdict{
	{verdict.LostWakeup, verdict.Deadlock, verdict.LostParallelism, verdict.Livelock, verdict.Timeout},
	{verdict.StaleUse, verdict.Panicked, verdict.DuplicateTask, verdict.LostTask, verdict.WrongResult, verdict.Invariant, verdict.Leak},
}

// Alike reports whether two executions fail in the same way: with verdicts of one kind.
func Alike(a, b verdict.Verdict) bool {
	return a == b || slices.ContainsFunc(kinds, func(k []verdict.Verdict) bool { return slices.Contains(k, a) && slices.Contains(k, b) })
}
