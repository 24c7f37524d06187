package explore

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Debug repeats a recorded execution, which stops for a debugger before a step: see control.Engine.StopAt. Step 0 is
// the decisive step, which Debug finds by executions before that. No execution follows, because the breakpoints of the
// debugger would fire in it. It calls say with lines for the user, the last of them directly before the stop.
func (s *Search) Debug(x strategy.Execution, r *recording.Recording, step int, say func(line string)) Replay {
	if step == 0 {
		p := s.Replay(x, r)
		step = p.Decisive(say)
	}
	reached := false
	s.Engine.StopAt(step, func(task string) {
		reached = true
		say(fmt.Sprintf("stops before step %d, of %s", step, task))
	})
	p := s.ReplayFirst(x, r)
	p.once = true
	if !reached {
		say(fmt.Sprintf("there is no step %d: the execution has %d", step, p.Steps))
	}
	return p
}

// Decisive returns the decisive step, and shows the execution with the numbers of its steps. The decisive step is the
// first one that the line "fails" names (see Trace.Order), or else the step of the panic or of the data race, the last
// one that is explained, or the last one of the subject's code. If that step is of a goroutine of the standard library,
// such as one of a context, it is the last one of the subject's code before that, if there is any.
func (p *Replay) Decisive(say func(line string)) int {
	if p.Likeness != recording.Exact {
		say("the recording is not repeated exactly: " + p.Differs)
	}
	why := p.Why()
	for i := range p.Events {
		p.Events[i].Step = p.Events[i].Number
	}
	say(explain.NewTable(p.Events, why.Cited, p.Tasks, nil).Text(0))
	for _, line := range why.Lines() {
		say(line)
	}
	switch {
	case len(why.Difference.Cited) > 0:
		return p.ownStep(why.Difference.Cited[0])
	case p.Verdict == verdict.Panicked:
		return p.Steps
	case p.Verdict == verdict.DataRace:
		for i, e := range p.Events {
			if i > 0 && e.Races > p.Events[i-1].Races {
				return p.ownStep(i)
			}
		}
	case len(why.Cited) > 0:
		return p.ownStep(slices.Max(why.Cited))
	}
	return lastStep(p)
}

// lastStep returns the last step of the subject's code: a test that fails makes some more steps when it ends.
func lastStep(p *Replay) int {
	for _, e := range slices.Backward(p.Events) {
		if e.Site.File != "" && e.Number > 0 {
			return e.Number
		}
	}
	return p.Steps
}

// ownStep returns the number of the event, or of the last one before it that is in the subject's code.
func (t *Trace) ownStep(event int) int {
	for i := event; i >= 0; i-- {
		if e := t.Events[i]; e.Number > 0 && t.own(e) {
			return e.Number
		}
	}
	return t.Events[event].Number
}

// own reports whether an event is in the subject's code. One without a place is if its task has another that is.
func (t *Trace) own(e control.Event) bool {
	if e.Site.File != "" {
		return !e.Standard
	}
	standard := false
	for _, other := range t.Events {
		if other.Task == e.Task && other.Site.File != "" {
			if !other.Standard {
				return true
			}
			standard = true
		}
	}
	return !standard
}
