package explore

import (
	"fmt"
	"slices"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Debug repeats a recorded execution, which stops for a debugger before a step: see
// control.Engine.StopAt. Step 0 is the decisive step, which Debug finds by executions before that. It calls say with
// lines for the user, the last of them directly before the stop.
func (s *Search) Debug(x strategy.Execution, r *recording.Recording, step int, say func(line string)) Replay {
	if step == 0 {
		p := s.Replay(x, r)
		step = p.Decisive(say)
	}
	return s.stopAt(step, say, func() Replay { return s.Replay(x, r) })
}

// DebugFirst is Debug for the first execution of the process. The step must not be 0.
func (s *Search) DebugFirst(x strategy.Execution, r *recording.Recording, step int, say func(line string)) Replay {
	return s.stopAt(step, say, func() Replay { return s.ReplayFirst(x, r) })
}

// stopAt stops the first execution of replay before the step.
func (s *Search) stopAt(step int, say func(line string), replay func() Replay) Replay {
	reached := false
	s.Engine.StopAt(step, func(task string) {
		reached = true
		say(fmt.Sprintf("stops before step %d, of %s", step, task))
	})
	p := replay()
	if !reached {
		say(fmt.Sprintf("there is no step %d: the execution has %d", step, p.Steps))
	}
	return p
}

// Decisive returns the decisive step, and shows the execution with the numbers of its steps. The decisive step is the
// first one that the line "fails" names (see Trace.Order), or else the step of the panic or of the data race, the last
// one that is explained, or the last one of the subject's code.
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
		return p.Events[why.Difference.Cited[0]].Number
	case p.Verdict == verdict.Panicked:
		return p.Steps
	case p.Verdict == verdict.DataRace:
		for i, e := range p.Events {
			if i > 0 && e.Races > p.Events[i-1].Races {
				return e.Number
			}
		}
	case len(why.Cited) > 0:
		return p.Events[slices.Max(why.Cited)].Number
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
