package worker

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/explore"
)

// defaultAttempts is how many attempts shrinking makes, as in chaos.Explore.
const defaultAttempts = 2000

// repeat serves a request to settle or to replay a recording.
func (w *Worker) repeat(r wire.Request) wire.Answer {
	rec, err := recording.Parse("recording", r.Recording)
	if err != nil {
		return refused("%v", err)
	}
	settings, err := w.settingsOf(rec, r)
	if err != nil {
		return refused("%v", err)
	}
	settings.Seed, _, _ = explore.ParseExecution(r.Against)
	s, err := w.sessionOf(r.Test, settings)
	if err != nil {
		return refused("%v", err)
	}
	s.within(r.Within)
	w.announce(rec.Execution)
	x := strategy.Execution{Number: rec.Execution, Seed: rec.Seed}
	if s.first = r.First || slices.Contains(rec.Options, optionFirst); s.first {
		return s.repeatFirst(x, rec, r)
	}
	if !s.probed {
		s.probed = true
		if r.Do == wire.Debug { // breakpoints of an editor fire in it
			say("an execution that warms up begins; it is not the recorded one")
		}
		s.Repeat(s.Execution(0), strategy.Schedule{Seed: s.Execution(0).Seed}) // what is done once in a process
	}
	if r.Do == wire.Debug {
		say("the recorded execution begins")
		return s.replayed(x, rec, s.Debug(x, rec, r.Step, say), r)
	}
	p := s.Replay(x, rec)
	switch {
	case r.Do == wire.Replay:
		return s.replayed(x, rec, p, r)
	case p.Likeness != recording.Exact:
		return s.unrepeatable(x, rec, p)
	}
	return s.settle(x, rec, p, r)
}

// settingsOf returns the settings of a recording.
func (w *Worker) settingsOf(rec *recording.Recording, r wire.Request) (wire.Settings, error) {
	s := wire.Settings{Strategy: rec.Strategy, Clock: rec.Clock, Batch: r.Settings.Batch}
	switch {
	case rec.Kind != recording.Unmodified:
		return s, fmt.Errorf("found a recording of kind %s, want %s", rec.Kind, recording.Unmodified)
	case rec.Subject != w.binary.Package+" "+r.Test:
		return s, fmt.Errorf("found a recording of %s, want one of %s %s", rec.Subject, w.binary.Package, r.Test)
	case rec.Start != w.setup.Start:
		return s, errors.New("the process was not started at the time of the recording")
	}
	for _, o := range rec.Options {
		switch text, is := strings.CutPrefix(o, optionMaxSteps); {
		case is:
			n, err := strconv.Atoi(text)
			if err != nil {
				return s, fmt.Errorf("options: found %q, want %sN", o, optionMaxSteps)
			}
			s.MaxSteps = n
		case o == optionFirst: // see Worker.repeat
		case o == optionLeaks:
			s.Leaks = true
		case o == optionShort:
			s.Short = true
		}
	}
	return s, nil
}

var likenesses = map[recording.Likeness]string{
	recording.Exact: "exact", recording.SameFailure: "same-failure", recording.NotReproduced: "not-reproduced",
}

// replayed returns the answer after a recording has been repeated.
func (s *session) replayed(x strategy.Execution, rec *recording.Recording, p explore.Replay, r wire.Request) wire.Answer {
	f := s.failureOf(x, p.Result, p.Schedule)
	if r.Way {
		return wire.Answer{Kind: wire.Replayed, Failure: f, Way: explain.Way(p.Events), Outside: s.outside(p.Result)}
	}
	out := s.report(x.Number, p.Result)
	skipped := s.skipped
	if s.first && r.Do != wire.Debug {
		p.Again()
	}
	if r.Decide {
		a := wire.Answer{Kind: wire.Replayed}
		a.Step = p.Decisive(func(line string) { a.Said = append(a.Said, line) })
		return a
	}
	if r.Against != "" {
		passing, err := s.Passing(r.Against)
		if err != nil {
			return wire.Answer{Kind: wire.Incomparable, Reason: err.Error()}
		}
		p.Against(passing)
	}
	if p.Verdict != verdict.Pass {
		if out.Events = s.named(p.Events, p.Tasks); !r.Brief {
			out.Why = p.Why()
		}
	}
	for _, g := range p.Gone {
		out.Notes = append(out.Notes, "gone: "+g)
	}
	out.Scheduled = rec.Tasks()
	show(f, out)
	f.Recording = rec.String()
	if r.Timelines {
		f.Timelines = p.Timelines(out, rec, s.named)
	}
	a := wire.Answer{
		Kind: wire.Replayed, Failure: f, Likeness: likenesses[p.Likeness], Reason: p.Differs,
		Unused: p.Unused, Gone: p.Gone, Skipped: skipped,
	}
	if p.Likeness != recording.Exact {
		a.Outside = s.outside(p.Result)
	}
	return a
}

// unrepeatable returns the answer after a failure that did not repeat exactly.
func (s *session) unrepeatable(x strategy.Execution, rec *recording.Recording, p explore.Replay) wire.Answer {
	reason := p.Differs
	var instead *wire.Failure
	if p.Verdict != verdict.Pass {
		instead = &wire.Failure{Verdict: p.Verdict, Summary: explain.Summary(p.Result), Steps: p.Steps, Real: s.real}
	}
	if again := s.Trace(x, rec.Schedule()); again.Hash != p.Hash {
		reason += "; repeated again: " + explain.Divergence(explain.Way(p.Events), explain.Way(again.Events))
	}
	out := &explain.Report{
		Head:  fmt.Sprintf("%s in execution %d (%s): %s", rec.Verdict, x.Number, rec.Strategy, rec.Summary),
		Notes: append([]string{"it did not repeat in another process: " + reason}, append(s.sources(p.Result), s.advice(p.Result))...),
	}
	n := len(rec.Entries)
	f := &wire.Failure{
		Execution: x.Number, Seed: x.Seed, Strategy: rec.Strategy, Verdict: rec.Verdict, Summary: rec.Summary, Site: rec.Site,
		Hash: rec.Hash, Recording: rec.String(), Decisions: [2]int{n, n},
	}
	show(f, out)
	return wire.Answer{Kind: wire.Unrepeatable, Reason: reason, Failure: f, Instead: instead}
}

// settle shrinks and explains a failure that has been repeated exactly. If it then takes another way by the same
// schedule, it is unrepeatable: nothing describes that way but its own schedule.
func (s *session) settle(x strategy.Execution, as *recording.Recording, p explore.Replay, r wire.Request) wire.Answer {
	found := p.Schedule.Clone()
	cut := s.within(r.Within)
	schedule, _ := s.Shrink(x, found, p.Result, cmp.Or(r.Attempts, defaultAttempts))
	shrinkingCut := *cut
	s.within(r.Within)
	t := s.Trace(x, schedule)
	var notes []string
	if t.Effect != p.Effect || t.Result.Site() != p.Result.Site() {
		notes = append(notes, "it is not shrunk: the shorter schedule did not fail when it was repeated")
		t = s.Trace(x, found)
		if t.Hash == p.Hash && p.Verdict == verdict.DataRace { // a race is reported once in a process
			t.Verdict, t.Effect, t.Cause, t.Summary = p.Verdict, p.Effect, p.Cause, p.Summary
		}
		if t.Hash != p.Hash || t.Verdict != p.Verdict {
			return s.unrepeatable(x, as, explore.Replay{Trace: t, Differs: "when it was shrunk, " + differs(p.Result, t.Result)})
		}
	}
	schedule = t.Schedule.Clone() // that of this execution, whose tasks are known
	rec := s.recordingOf(x, t.Result, schedule)
	explain.Annotate(rec.Entries, t.Events)
	rec.ShrunkFrom(as)
	f := s.failureOf(x, t.Result, schedule)
	f.Recording, f.Decisions[0] = rec.String(), found.Len()
	out := s.report(x.Number, t.Result)
	out.Events, out.Why = s.named(t.Events, t.Tasks), t.Why()
	out.Notes = append(notes, explain.Recorded(found.Len(), schedule.Len()))
	out.Scheduled = rec.Tasks()
	show(f, out)
	if r.Timelines {
		f.Timelines = t.Timelines(out, rec, s.named)
	}
	return wire.Answer{Kind: wire.Settled, Failure: f, Cut: shrinkingCut}
}

// within lets the session make repetitions for that long; 0 means no bound. *cut becomes true if it would have made
// more.
func (s *session) within(d time.Duration) (cut *bool) {
	began := s.worker.now()
	cut = new(bool)
	s.Enough = func() bool {
		*cut = *cut || d > 0 && s.worker.now()-began >= int64(d)
		return *cut
	}
	return cut
}

// differs describes how a repetition differs from the execution.
func differs(was, is control.Result) string {
	if was.Verdict != is.Verdict {
		return fmt.Sprintf("the verdict was %s, and when it was repeated, %s", was.Verdict, is.Verdict)
	}
	return "it took another way when it was repeated"
}

// show adds the report to a failure.
func show(f *wire.Failure, r *explain.Report) {
	f.Page = r.Page()
	f.Report = r.String()
}

// named gives the events of tasks the names that their states have: a task that has done nothing yet is
// named by its place, and the first one has the name of the test.
func (s *session) named(events []control.Event, tasks []control.TaskState) []control.Event {
	names := map[string]string{"main": s.test}
	for _, t := range tasks {
		names[t.Path] = t.Name
	}
	for i := range events {
		if e := &events[i]; e.Name == "" {
			e.Name = names[e.Task]
		}
	}
	return events
}
