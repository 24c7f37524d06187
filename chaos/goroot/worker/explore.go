package worker

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/explore"
)

// explore serves a request to explore.
func (w *Worker) explore(r wire.Request) wire.Answer {
	if r.Alone != nil {
		return w.exploreAlone(r)
	}
	s, err := w.sessionOf(r.Test, r.Settings)
	if err != nil {
		return refused("%v", err)
	}
	if s.Batches.Exhaustive() && r.From != s.next {
		return refused("found a request for execution %d of an exhaustive strategy, want %d: it explores in order", r.From, s.next)
	}
	if !s.probed {
		w.announce(r.From)
		if a, over := s.probe(r.From); over {
			return a
		}
	}
	if r.From == 0 {
		if r.Few {
			if a, over := s.exploreFew(); over {
				return a
			}
		}
		for _, unfair := range []strategy.Strategy{strategy.Oldest(), strategy.Newest()} {
			if result, _ := s.runBy(unfair); fails(result.Verdict) {
				return s.failure(s.Execution(0), result)
			}
		}
	}
	cut := 0
	s.ran = r.From > 0
	for n := r.From; n < r.To; n++ {
		sampled := s.samples.Samples(n)
		if sampled && s.samples != wire.DiffersInVariables {
			continue
		}
		w.announce(n)
		result, more := s.Run(n)
		s.next = n + 1
		if !more && s.Exhausted() {
			return s.passed(n, explore.Explored(s.strategyName(), s.Executions(), s.bounded()))
		}
		if !more {
			continue
		}
		if !sampled || result.Verdict != verdict.Pass { // else the one that runs alone counts
			s.count(n, result)
			s.countEarly(n)
		}
		if s.Batches.Exhaustive() {
			s.compareVariables()
		}
		if s.ran = s.ran || !s.skipped || result.Verdict != verdict.Pass; !s.ran && wire.EnoughSkips(n, r.To) {
			return s.passed(n+1, "")
		}
		if result.Verdict == verdict.Timeout {
			s.counts.Cut++
			// What the execution was doing stays in package variables. Only an exhaustive search cannot
			// continue in another process.
			if cut++; s.Batches.Exhaustive() && !wire.TooManyCut(cut, n+1-r.From) {
				continue
			}
		}
		if result.Verdict == verdict.Pass && s.early.failed && s.tainted != "" {
			s.dirty = !s.Batches.Exhaustive()
			continue
		}
		if result.Verdict == verdict.Pass && (guarded(n) || s.metSource(n, result)) {
			result = s.guard(n, result)
		}
		if result.Verdict != verdict.Pass && s.dirty {
			return s.passed(n, "") // a fresh process says whether it fails
		}
		if result.Verdict != verdict.Pass {
			return s.failure(s.Execution(n), result)
		}
	}
	return s.passed(r.To, "")
}

// fails reports whether an execution that does not count ends the exploration.
func fails(v verdict.Verdict) bool {
	return v != verdict.Pass && v != verdict.Timeout && v != verdict.Uncontrolled // as executions may be
}

// passed returns the answer after executions that all passed, the last of which was before next.
func (s *session) passed(next int, exhausted string) wire.Answer {
	a := wire.Answer{Kind: wire.Explored, Counts: s.takeCounts(), Next: next, Exhausted: exhausted, Skipped: s.skipped && !s.ran, Reason: s.reason, Differs: s.samples}
	if note := s.early.note(); note != "" {
		a.Notes = append(a.Notes, note)
	}
	return a
}

// countEarly counts execution n, if it has failed and does not count.
func (s *session) countEarly(n int) {
	if s.early.failed {
		s.early.count(n)
		s.Evidence.Uncounted++
	}
}

// bounded returns what the search has left out; "" if nothing. If it has few executions, they run again, each in a
// process of its own.
func (s *session) bounded() string {
	all := s.Batches.Bounded()
	if s.found.other && s.Executions() > wire.MostAgain {
		if all != "" {
			all += "; "
		}
		all += "package-level variables were as earlier executions had left them"
	}
	return all
}

// mostDecisions bounds the decisions of a failure that can be recorded.
var mostDecisions = recording.MostEntries

// failure returns the answer after an execution, the last one, which has failed. Unless it is the first of the
// process, it is repeated: the recording is of the repetition, if that fails too, because what is done once in
// a process has been done then.
func (s *session) failure(x strategy.Execution, r control.Result) wire.Answer {
	a := wire.Answer{Kind: wire.Failed, Next: x.Number}
	if decisions := r.Schedule.Len(); decisions > mostDecisions && r.Verdict != verdict.Timeout {
		r.Summary = fmt.Sprintf("%s: %s: its %d decisions are more than the %d of a recording; --max-steps cuts it earlier",
			r.Verdict, explain.Summary(r), decisions, mostDecisions)
		r.Verdict, r.Effect, r.Cause = verdict.Uncontrolled, verdict.Uncontrolled, ""
	}
	if r.Verdict == verdict.Uncontrolled || r.Verdict == verdict.Timeout {
		a.Failure = s.failureOf(x, r, strategy.Schedule{}) // of which there may be millions of decisions
		show(a.Failure, s.report(x.Number, r))
	} else {
		r.Schedule = r.Schedule.Clone()
		a.Failure = s.failureOf(x, r, r.Schedule)
		if s.first {
			a.Counts = s.takeCounts()
			return a
		}
		again, unused := s.Repeat(x, r.Schedule)
		switch {
		case again.Hash == r.Hash && unused.Len() == 0:
		case again.Verdict == r.Verdict && again.Site() == r.Site():
			a.Failure = s.failureOf(x, again, again.Schedule)
		default:
			a.Notes = append(a.Notes, fmt.Sprintf("when it was repeated in the same process, the verdict was %s", again.Verdict))
		}
	}
	a.Counts = s.takeCounts()
	return a
}

// failureOf describes an execution, which was the last, by a schedule of it.
func (s *session) failureOf(x strategy.Execution, r control.Result, by strategy.Schedule) *wire.Failure {
	return &wire.Failure{
		Execution: x.Number, Seed: x.Seed, Strategy: s.strategyName(),
		Verdict: r.Verdict, Summary: explain.Summary(r), Site: r.Site(), Hash: r.Hash, Steps: r.Steps,
		Recording: s.recordingOf(x, r, by).String(), Decisions: [2]int{by.Len(), by.Len()}, Output: s.last.Output(),
		First: s.first, Differed: r.Verdict == verdict.Uncontrolled && s.differed, Real: r.Verdict == verdict.Uncontrolled && s.real && !s.differed,
		Outside: s.metOutside(r),
	}
}

// report returns the report of execution n, the last one.
func (s *session) report(n int, r control.Result) *explain.Report {
	out := &explain.Report{Head: fmt.Sprintf("%s in execution %d (%s): %s", r.Verdict, n, s.strategyName(), explain.Summary(r)), Result: r}
	if strings.HasPrefix(r.Detail, "goroutine ") && !strings.Contains(r.Detail, "\n\n") && s.detail == "" { // a stack and nothing else
		if out.Stack = explain.StackOf(r.Detail); len(out.Stack) > 0 {
			out.Result.Detail = ""
		}
	}
	if text := s.last.Output(); text != "" {
		out.Log = "output of the test\n" + text
	}
	return out
}
