package outcome

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// A Search is the result of searching for a native failure under control.
type Search struct {
	Executions int           `json:"executions"` // executions that were run
	Took       time.Duration `json:"took_ns"`    // shrinking included
	// Points lists where the tasks were last seen in the native execution: the schedules are varied most
	// there.
	Points []string `json:"points,omitempty"`
	// Verdict, Summary and Execution are of the execution that failed; Verdict is "" if none did.
	Verdict   verdict.Verdict `json:"verdict,omitempty"`
	Summary   string          `json:"summary,omitempty"`
	Execution int             `json:"execution,omitempty"`
	// Reproduced means that it failed like the native execution. Otherwise it is another failure.
	Reproduced bool `json:"reproduced"`
	// Recording is its file; "" if it ended its process. Decisions counts the entries of its schedule.
	Recording string `json:"recording,omitempty"`
	Decisions int    `json:"decisions,omitempty"`
	// Unshrunk is why its schedule is not shrunk; "" if it is.
	Unshrunk string `json:"unshrunk,omitempty"`
	// Problem is why the search was not possible, or ended before its budget was used up; "" if neither.
	Problem string `json:"problem,omitempty"`
}

// Take adds a failure to the result, unless it is of another kind than the native one and not the first. It
// reports whether it has kept the failure, and whether it is of the same kind, which ends the search.
func (s *Search) Take(native, v verdict.Verdict, summary string, execution int) (kept, same bool) {
	same = Alike(v, native)
	if kept = same || s.Verdict == ""; kept {
		s.Verdict, s.Summary, s.Execution, s.Reproduced = v, summary, execution, same
	}
	return kept, same
}

// String describes the search in one line.
func (s *Search) String() string {
	within := fmt.Sprintf("%s (%s)", prose.Plural(s.Executions, "execution"), s.Took.Round(10*time.Millisecond))
	if s.Executions == 0 {
		return "not searched for under control: " + cmp.Or(s.Problem, "no execution ended in "+s.Took.Round(10*time.Millisecond).String())
	}
	text := fmt.Sprintf("not reproduced under control in %s", within)
	if s.Problem != "" {
		text += ": " + s.Problem
	}
	found := fmt.Sprintf("%s in execution %d: %s", s.Verdict, s.Execution, s.Summary)
	switch {
	case s.Reproduced:
		text = fmt.Sprintf("reproduced under control in %s, as %s", within, found)
	case s.Verdict != "":
		text += "; another failure was found: " + found
	}
	return text
}

// Extent describes the length of the recording's schedule.
func (s *Search) Extent() string {
	switch {
	case s.Unshrunk != "":
		return fmt.Sprintf("%s, not shrunk: %s", prose.Plural(s.Decisions, "decision"), strings.TrimSpace(s.Unshrunk))
	case s.Decisions == 0:
		return "the default schedule"
	}
	return "shrunk to " + prose.Plural(s.Decisions, "decision")
}

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
