package core

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Decide asks the strategy which task continues. It returns nil if the execution is over.
//
//go:norace
func (e *Engine) Decide() *Task {
	if t := e.Running(); t != nil && t.Repeating && t.Op.Kind != strategy.After {
		if t.solo = e.settleSpinner(t); t.solo {
			e.SoloSteps++
			e.Step++
			t.Spin.Steps++
			return t
		}
	}
	for {
		if e.Looks && e.Front.Look() || e.Stopping {
			return nil
		}
		for len(e.Touched) > 0 {
			last := len(e.Touched) - 1
			o := e.Touched[last]
			e.Touched = e.Touched[:last]
			e.ObjectChanged(o)
		}
		if (e.Alive == 0 || e.NoneEnabled()) && e.Front.Ends() {
			e.endStuck()
			return nil
		}
		if e.Step-e.SoloSteps >= e.Limit || e.Step%WallSteps == WallSteps-1 && e.pastDeadline() {
			e.Cut()
			return nil
		}
		i := -1
		if e.Forces {
			i = e.Front.Overdue()
		}
		if i < 0 { // a turn is not a decision: the strategy is not asked, so a repetition would not count it
			if i = 0; e.Len() > 1 || !e.Unforced {
				i = e.Ask()
			} else {
				e.Announced(e.Current)
			}
			e.countDecision()
		} else {
			e.noteTurn(i)
			e.Announced(e.Current)
		}
		next := TaskOf(e.At(i))
		if e.StaysFree && next == e.Running() && next.Op.Kind == strategy.After {
			return next // not a step: turns follow from steps, and a repetition without a switch here is not asked here
		}
		e.Step++
		if e.Step >= e.Watch {
			e.watched(next)
		}
		if !next.Pseudo {
			return next
		}
		if next == e.Clock {
			next.Ops++
			e.Early++
		}
		e.Announced(&next.Task)
		e.Front.StepPseudo(next) // here, on the current stack
	}
}

// Ask has the strategy choose, and records a choice that is not the canonical one.
//
//go:norace
func (e *Engine) Ask() int {
	d := e.canonical()
	e.Default = d
	if !e.asksRoot { // else the root does it: see Front.AskBy
		e.FlushEvents()
	}
	i := e.Chooser.Next(&e.Choice)
	if uint(i) >= uint(e.Len()) {
		e.refuse("chose task", i, e.Len())
	}
	if i != d {
		e.deviate().To = e.At(i).Key
	}
	e.Asked()
	return i
}

// canonical returns the place of the task that the canonical policy chooses.
//
//go:norace
func (e *Engine) canonical() int {
	if cur := e.Current; cur != nil && cur.Place >= 0 && cur.Op.Kind != strategy.Yield {
		if cur.Group == nil {
			return cur.Place
		} else if cur.Group.On {
			return e.Index(cur)
		}
	}
	if e.Len() > 1 {
		return e.lowest()
	}
	return 0
}

// A turn is a forced turn of a task, as the decision that it would be in a shorter execution.
type turn struct {
	before int // the number of deviations before it
	as     strategy.Deviation
}

// noteTurn records the turn of the i-th enabled task, unless the canonical policy would choose the same task.
//
//go:norace
func (e *Engine) noteTurn(i int) {
	if i == e.canonical() {
		return
	}
	n := len(e.deviations)
	e.deviate().To = e.At(i).Key
	e.turns = append(e.turns, turn{n, e.deviations[n]})
	e.deviations = e.deviations[:n]
}

// Explicit returns the deviations with the turns inserted among them.
func (e *Engine) Explicit() strategy.Schedule {
	s := strategy.Schedule{Seed: e.Seed}
	from := 0
	for _, t := range e.turns {
		s.Deviations = append(append(s.Deviations, e.deviations[from:t.before]...), t.as)
		from = t.before
	}
	s.Deviations = append(s.Deviations, e.deviations[from:]...)
	return s
}

// lowest returns the place of the enabled task that the canonical policy chooses when the
// current one cannot continue, or yields: that of the lowest ID.
//
//go:norace
func (e *Engine) lowest() int {
	if e.HasMany() {
		except := -1
		if e.Current != nil {
			except = e.Current.ID
		}
		if id := e.Lowest(except); id >= 0 {
			return e.Index(&e.Tasks[id].Task)
		}
	}
	best := -1
	for i, t := range e.Enabled {
		switch {
		case e.mixed && t.Pseudo: // the policy is the same without a clock
		case t == e.Current: // it yields
		case best < 0, !t.Pseudo && (e.Enabled[best].Pseudo || t.ID < e.Enabled[best].ID):
			best = i
		}
	}
	if best < 0 { // it yields to nothing but the clock
		return e.Running().Place
	}
	return best
}

// PickAmong lets the strategy choose among n outcomes of the current task's step.
//
//go:norace
func (e *Engine) PickAmong(n int) int {
	if n < 2 {
		return 0
	}
	if !e.asksRoot {
		e.FlushEvents()
	}
	i := e.Chooser.Pick(&e.Choice, n)
	if uint(i) >= uint(n) {
		e.refuse("picked", i, n)
	}
	if i != 0 {
		e.deviate().Pick = int32(i)
	}
	e.countDecision()
	e.Hash = splitmix.Mix(e.Hash, uint64(i))
	return i
}

// fairSelects bounds how many selects of a task in a row take the same ready case while others are ready, before the
// same choice means another case: strategies need not be fair to the cases of a select, and the default policy takes
// the first.
const fairSelects = 16

// PickCase chooses one of the n cases of t's select that are ready. Once t has taken the same case
// fairSelects times in a row, the number that chose it (0 under the default policy) stands for another case.
//
//go:norace
func (e *Engine) PickCase(t *Task, n int) int {
	if n < 2 {
		return 0
	}
	i := e.PickAmong(n)
	if t.Op.Kind != strategy.Select {
		return i
	}
	if t.sames >= fairSelects {
		i = (i + t.lastCase + 1 + t.turns%(n-1)) % n // the default is not the last one
		t.turns++
	}
	if i != t.lastCase {
		t.lastCase, t.sames = i, 0
	}
	t.sames++
	return i
}

func (e *Engine) refuse(did string, i, n int) {
	panic(fmt.Sprintf("control: strategy %s %s number %d of %d", e.Chooser.Name(), did, i, n))
}

// deviate adds a deviation at the decision in progress.
//
//go:norace
func (e *Engine) deviate() *strategy.Deviation {
	n := len(e.deviations)
	if n < cap(e.deviations) {
		e.deviations = e.deviations[:n+1]
	} else {
		e.deviations = append(e.deviations, strategy.Deviation{})
	}
	d := &e.deviations[n]
	d.To, d.Pick = 0, 0 // each field in place: to copy what has just been written takes longer
	switch t := e.Running(); {
	case t == nil:
		d.Task, d.Ops, d.After, d.Repeat = 0, 0, false, e.decisionsAtRoot
	case t.Op.Kind == strategy.After:
		d.Task, d.Ops, d.After, d.Repeat = t.Key, int32(t.Ops)-1, true, t.DecisionsAfter
	default:
		d.Task, d.Ops, d.After, d.Repeat = t.Key, int32(t.Ops), false, t.Decisions
	}
	return d
}

// countDecision counts a decision, or a pick, under its key.
//
//go:norace
func (e *Engine) countDecision() {
	t := e.Running()
	switch {
	case t == nil:
		e.decisionsAtRoot++
	case t.Op.Kind == strategy.After:
		t.DecisionsAfter++
	default:
		t.Decisions++
	}
}

// queueEvent queues an event for the observer.
//
//go:norace
func (e *Engine) queueEvent(t *Task, kind strategy.Kind, o *Object) {
	if e.Step <= e.Known {
		return
	}
	op := t.Op
	op.Kind = kind
	if o != nil {
		op.Object = o.ID
	} else {
		op.Object, op.Others = 0, nil
	}
	e.Events = append(e.Events, strategy.Event{Task: &t.Task, Op: op})
}

// FlushEvents passes the queued events to the observer.
//
//go:norace
func (e *Engine) FlushEvents() {
	if len(e.Events) > 0 {
		e.notifyObserver()
	}
}

func (e *Engine) notifyObserver() {
	for i := range e.Events {
		e.Observer.Happened(e.Events[i])
	}
	e.Events = e.Events[:0]
}
