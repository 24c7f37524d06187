package control

import "github.com/rouse-go/rouse/chaos/strategy"

// here names the decision that is being made.
//
//go:norace
func (e *engine) decisionKey() strategy.Deviation {
	if t := e.current(); t != nil {
		if t.Op.Kind == strategy.After {
			return strategy.Deviation{Task: t.Key, Ops: int32(t.Ops) - 1, After: true, Repeat: t.afters}
		}
		return strategy.Deviation{Task: t.Key, Ops: int32(t.Ops), Repeat: t.repeats}
	}
	return strategy.Deviation{Repeat: e.beginnings}
}

// deviate records that another task was chosen than the canonical policy's.
//
//go:norace
func (e *engine) deviate(to *task) {
	d := e.decisionKey()
	d.To = to.Key
	e.deviations = append(e.deviations, d)
}

// deviatePick records that another outcome was picked than the first.
//
//go:norace
func (e *engine) deviatePick(i int) {
	d := e.decisionKey()
	d.Pick = int32(i)
	e.deviations = append(e.deviations, d)
}

// decided counts a decision, or a pick, there.
//
//go:norace
func (e *engine) countDecision() {
	if t := e.current(); t != nil {
		if t.Op.Kind == strategy.After {
			t.afters++
			return
		}
		t.repeats++
	} else {
		e.beginnings++
	}
}
