package explore

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Order adds to an explanation what decides between the execution and those that pass, or the one of Against. For a
// panic it also adds what had closed the channel. schedule is a copy of the trace's schedule from before any repetition.
func (t *Trace) Order(schedule strategy.Schedule, why explain.Wakeup) explain.Wakeup {
	why = why.WithCloser(t.Events, &t.Result)
	switch {
	case t.TracedFrom > 0, t.Verdict == verdict.Pass, t.once:
		return why
	case t.Verdict == verdict.DataRace, t.Verdict == verdict.ReliesOnSC: // the former is reported once in a process; for the latter order does not matter
		return why
	}
	x := &experimenter{Trace: t, schedule: schedule, left: mostRepeated}
	if t.passing != nil {
		return why.With(x.flipped())
	}
	return why.With(x.decisive())
}

// ParseExecution reads SEED:EXECUTION, which names an execution of a run by the seed of the run and its number:
// 42:17, 0x2a:17.
func ParseExecution(text string) (seed uint64, n int, ok bool) {
	s, number, _ := strings.Cut(text, ":")
	base := 10
	if hex, is := strings.CutPrefix(strings.ToLower(s), "0x"); is {
		base, s = 16, hex
	}
	seed, err := strconv.ParseUint(s, base, 64)
	if err != nil {
		return 0, 0, false
	}
	at, err := strconv.ParseUint(number, 10, 31)
	return seed, int(at), err == nil
}

// An AgainstError reports that the execution to compare with cannot be used: it fails, does not exist or is too long.
type AgainstError struct{ Reason string }

func (e *AgainstError) Error() string { return e.Reason }

// Passing runs an execution that passes and returns its events, for Trace.Against. It is named by the text of a
// recording, or in the form of ParseExecution; then the seed of the search must be the one in the name. The error is an
// *AgainstError, or that of recording.Parse.
func (s *Search) Passing(named string) ([]control.Event, error) {
	var x strategy.Execution
	var by strategy.Schedule
	if _, n, ok := ParseExecution(named); ok {
		x = s.Execution(n)
		r, err := s.numbered(n)
		if err != nil {
			return nil, err
		}
		by = r
	} else {
		rec, err := recording.Parse("the recording", named)
		if err != nil {
			return nil, err
		}
		x, by = strategy.Execution{Number: rec.Execution, Seed: rec.Seed}, rec.Schedule()
	}
	t := s.Trace(x, by)
	switch {
	case t.Verdict != verdict.Pass:
		return nil, &AgainstError{fmt.Sprintf("it fails, too: %s: %s; want an execution that passes", t.Verdict, explain.Summary(t.Result))}
	case t.TracedFrom > 0:
		return nil, &AgainstError{fmt.Sprintf("it has %d steps, too many to compare", t.Steps)}
	}
	return t.Events, nil
}

// numbered returns the schedule of execution n. It first runs the executions that its strategy learns from.
func (s *Search) numbered(n int) (schedule strategy.Schedule, err error) {
	current, ran := 0, false
	s.Explore(Range{
		From: s.Batches.Of(n) * s.Batches.size, Judge: n, To: n + 1,
		Before: func(n int) bool { current = n; return true },
		After: func(r *control.Result) {
			if current == n {
				schedule, ran = r.Schedule.Clone(), true
			}
		},
	})
	if !ran {
		return schedule, &AgainstError{fmt.Sprintf("there is no execution %d: the strategy %s has nothing left to explore before", n, s.Batches.Name())}
	}
	return schedule, nil
}

// Against makes Order compare the execution with the given passing one instead of the nearest.
func (t *Trace) Against(passing []control.Event) { t.passing = passing }
