package explore

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Repeat repeats an execution under a schedule and judges it. It also returns the entries of the
// schedule that did not apply.
func (s *Search) Repeat(x strategy.Execution, by strategy.Schedule) (control.Result, strategy.Schedule) {
	r, unused := s.Engine.Repeat(by, s.Body(x))
	return s.Judge(r), unused
}

// Shrink looks for a shorter schedule of an execution that fails like r, with the same effect at the
// same site, in at most the given number of attempts or until Enough. It also returns how many it made.
func (s *Search) Shrink(x strategy.Execution, by strategy.Schedule, r control.Result, attempts int) (strategy.Schedule, int) {
	effect, site := r.Effect, r.Site()
	var shortest strategy.Schedule // as it applied
	try := func(shorter strategy.Schedule) (strategy.Schedule, bool) {
		again, _ := s.Repeat(x, shorter)
		same := again.Effect == effect && again.Site() == site
		if took := again.Schedule; same && (shortest.Deviations == nil && shortest.Fires == nil || took.Len() <= shortest.Len()) {
			shortest = took.Clone()
		}
		explicit := s.Engine.Explicit()
		explicit.Fires = again.Schedule.Fires
		return explicit, same
	}
	budget := recording.WithinSteps(attempts, r.Steps)
	explicit, same := try(by)
	if !same {
		return by, 1
	}
	_, n := recording.Shrink(explicit, func(shorter strategy.Schedule) (strategy.Schedule, bool) {
		if s.Enough() {
			return shorter, false
		}
		return try(shorter)
	}, budget)
	if shortest.Len() > by.Len() {
		return by, n
	}
	return shortest, n
}

// A Trace is a repeated execution with its events.
type Trace struct {
	control.Result
	Events []control.Event

	search  *Search
	x       strategy.Execution
	once    bool            // no other execution follows, or it cannot be repeated in this process
	passing []control.Event // events of the execution to compare with: see Against
}

// Trace repeats an execution under a schedule, judges it, and keeps its events.
func (s *Search) Trace(x strategy.Execution, by strategy.Schedule) Trace {
	r, events := s.Engine.Trace(by, s.Body(x))
	explain.BlockedSince(events, r.Tasks)
	return Trace{Result: s.Judge(r), Events: events, search: s, x: x}
}

// Explain explains the wait of the task with the given name or path, or if it is "", of one that
// explain.Explain finds. It experiments with further repetitions.
func (t *Trace) Explain(task string) explain.Wakeup {
	if t.TracedFrom > 0 { // the events it waits for may be missing
		return explain.Wakeup{}
	}
	if t.once {
		return explain.Explain(t.Events, t.Tasks, none{}, task)
	}
	schedule := t.Schedule.Clone()
	return explain.Explain(t.Events, t.Tasks, t.search.Engine.Experiments(schedule, t.search.Body(t.x)), task)
}

// none makes no experiments.
type none struct{}

func (none) Nudge(string, int) []control.Event                 { return nil }
func (none) Postpone(string, int, string, int) []control.Event { return nil }

// Once is Trace in a single execution. It also returns the entries of the schedule that did not apply. A long
// execution has no events.
func (s *Search) Once(x strategy.Execution, by strategy.Schedule) (Trace, strategy.Schedule) {
	r, events, unused := s.Engine.TraceOnce(by, s.Body(x))
	explain.BlockedSince(events, r.Tasks)
	return Trace{Result: s.Judge(r), Events: events, search: s, x: x}, unused
}

// ReplayFirst is Replay with a single execution, the first of the process.
func (s *Search) ReplayFirst(x strategy.Execution, r *recording.Recording) Replay {
	t, unused := s.Once(x, r.Schedule())
	t.Schedule, t.Tasks = t.Schedule.Clone(), slices.Clone(t.Tasks)
	likeness, differs := r.Compare(recording.Repetition{Verdict: t.Verdict, Site: t.Result.Site(), Hash: t.Hash, Unused: unused.Len()})
	return Replay{t, likeness, differs, unused.Len(), explain.Gone(r.Entries, unused, t.Events)}
}

// Again reports whether another execution under the same schedule has the same trace and verdict. If not, no
// further experiments are made with the trace.
func (t *Trace) Again() bool {
	second, _ := t.search.Repeat(t.x, t.Schedule)
	t.once = second.Hash != t.Hash || second.Verdict != t.Verdict && t.Verdict != verdict.DataRace // reported once in a process
	return !t.once
}

// Why returns the explanation of Explain, completed by Order.
func (t *Trace) Why() explain.Wakeup {
	schedule := t.Schedule.Clone()
	return t.Order(schedule, t.Explain(""))
}

// A Replay is a trace under the schedule of a recording.
type Replay struct {
	Trace
	Likeness recording.Likeness
	Differs  string   // how it differs from the recording; "" if it is exact
	Unused   int      // entries of the recording that did not apply
	Gone     []string // what is missing for the unused entries, one line each
}

// Replay repeats a recorded execution and compares it with the recording.
func (s *Search) Replay(x strategy.Execution, r *recording.Recording) Replay {
	first, unused := s.Repeat(x, r.Schedule())
	t := s.Trace(x, r.Schedule())
	if first.Hash == t.Hash && first.Verdict != t.Verdict { // the race detector reports a race only once
		t.Verdict, t.Effect, t.Cause, t.Summary = first.Verdict, first.Effect, first.Cause, first.Summary
	}
	likeness, differs := r.Compare(recording.Repetition{Verdict: t.Verdict, Site: t.Result.Site(), Hash: t.Hash, Unused: unused.Len()})
	return Replay{t, likeness, differs, unused.Len(), explain.Gone(r.Entries, unused, t.Events)}
}

// Timelines returns the traced execution of a report as data, and also the execution under the schedule as it was
// found, if the recording has one and it still fails in the same way. named gives events the names of their
// tasks; nil leaves them. Timelines runs further executions.
func (t *Trace) Timelines(minimal *explain.Report, rec *recording.Recording, named func([]control.Event, []control.TaskState) []control.Event) *explain.Timelines {
	all := &explain.Timelines{Minimal: minimal.Timeline(rec.Entries)}
	found := rec.AsFound()
	if found == nil || t.once {
		return all
	}
	f := t.search.Trace(t.x, found.Schedule())
	if f.Verdict != t.Verdict && t.Verdict != verdict.DataRace { // a race is reported once in a process
		return all
	}
	if f.Verdict == verdict.Pass {
		f.Verdict, f.Summary, f.Detail = t.Verdict, t.Summary, t.Detail
	}
	if named != nil {
		f.Events = named(f.Events, f.Tasks)
	}
	r := explain.Report{Result: f.Result, Events: f.Events, Why: f.Why(), Scheduled: found.Tasks()}
	all.Found = r.Timeline(found.Entries)
	return all
}

// Recording returns the recording of the last execution with a schedule of it. The caller adds what was
// run and how it was found.
func (s *Search) Recording(x strategy.Execution, r control.Result, by strategy.Schedule) *recording.Recording {
	return &recording.Recording{
		Kind:  recording.Controlled,
		Build: recording.ThisBuild(), Seed: x.Seed, Execution: x.Number,
		Verdict: r.Verdict, Summary: r.Summary, Site: r.Site(), Hash: r.Hash,
		Entries: recording.Entries(by, s.Engine.Path),
	}
}
