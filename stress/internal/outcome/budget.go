package outcome

import (
	"context"
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// DefaultSearch is how long a search takes at most if nothing else is asked for.
const DefaultSearch = 10 * time.Second

// A SearchBudget bounds a search by executions, by time, or by both; the zero value is no search.
type SearchBudget struct {
	Executions int           // that run at most; 0 is no bound
	For        time.Duration // when no execution begins any more; 0 is no bound. Shrinking may take as long again
	Least      int           // executions that run even if the time is up
}

// Off reports whether there is to be no search.
func (b SearchBudget) Off() bool { return b.Executions == 0 && b.For == 0 }

// Over reports whether the budget of a search that has begun then is used up before execution n.
func (b SearchBudget) Over(n int, began time.Time) bool {
	return b.Executions > 0 && n >= b.Executions || b.For > 0 && time.Since(began) >= b.For && n >= b.Least
}

const (
	// searchPart is the part of a run's time that all its searches take together, at most.
	searchPart = 0.25
	// leastSearched executions a search runs whatever the time: they take some hundredths of a second mostly.
	leastSearched = 64
)

// Within is the budget of the next search in a run that is bounded by a time, of which there is so much left, after
// searches that have taken so long; a run without such a bound has 0 as its time.
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

// Shrinking returns a context for shrinking what was found: it may take as long as the search, or a second if
// that is longer.
func (b SearchBudget) Shrinking(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.For == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, max(b.For, time.Second))
}

// Unexplored reports whether a verdict is on the search, and not on what it runs: the engine has given up the
// execution.
func Unexplored(v verdict.Verdict) bool {
	return v == verdict.Timeout || v == verdict.Uncontrolled || v == verdict.Nondeterminism
}

// kinds are verdicts of which the watchdog, the oracles and the engine choose by what they know: of
// executions that do not end, and of those that end wrong.
var kinds = [][]verdict.Verdict{
	{verdict.LostWakeup, verdict.Deadlock, verdict.LostParallelism, verdict.Livelock, verdict.Timeout},
	{verdict.StaleUse, verdict.Panicked, verdict.DuplicateTask, verdict.LostTask, verdict.WrongResult, verdict.Invariant, verdict.Leak},
}

// Alike reports whether two executions fail in the same way: with verdicts of one kind.
func Alike(a, b verdict.Verdict) bool {
	return a == b || slices.ContainsFunc(kinds, func(k []verdict.Verdict) bool { return slices.Contains(k, a) && slices.Contains(k, b) })
}
