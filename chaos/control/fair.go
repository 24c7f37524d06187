package control

// Strategies need not be fair, and a test that waits in a loop for another goroutine is a frequent
// one: for !waits() {}. So a task of a Runtime that could have continued for long gets its turn, and
// time passes if nothing else has happened for as long. That follows from the steps alone, and is no
// decision.

const (
	// fairSteps is for how many steps a task that can continue waits at most.
	fairSteps = 4096
	// turnSteps is how many steps in a row it then makes.
	turnSteps = 64
	// againSteps is after how many steps without any effect time passes again.
	againSteps = 256
)

// fairness is what an execution keeps of turns.
type fairness struct {
	checked int   // the step of the last check
	turn    *task // has its turn; nil if none has
	until   int   // the step at which the turn ends
	passed  int   // the step at which time has passed for tasks that changed nothing
}

// overdue returns the place of the enabled task whose turn it is, -1 if the strategy is to choose.
//
//go:norace
func (e *engine) overdue() int {
	s := e.real
	if s == nil || len(e.Enabled) < 2 {
		return -1
	}
	f := &s.fair
	if s.Step-f.checked >= fairSteps {
		f.checked = s.Step
		f.turn = nil
		for _, t := range s.Enabled {
			w := of(t)
			if !w.Pseudo && s.Step-w.moved >= fairSteps && (f.turn == nil || w.moved < f.turn.moved) {
				f.turn, f.until = w, s.Step+turnSteps
			}
		}
	}
	if f.turn == nil || f.turn.place < 0 || s.Step >= f.until {
		f.turn = nil
		return -1
	}
	return f.turn.place
}

// passIdleTime lets time pass, also beside tasks that can continue, if none has changed anything for
// long; and again soon, since a task may wait for many ticks.
//
//go:norace
func (s *runtimeTasks) passIdleTime() {
	f := &s.fair
	idle := fairSteps
	if f.passed > 0 && s.Step-f.passed < fairSteps {
		idle = againSteps
	}
	if s.Step-max(s.progress, f.passed) < idle {
		return
	}
	f.passed = s.Step
	if _, pending := s.runtime.NextTimer(); !s.passTime() && pending && s.mayAdvance() {
		s.fireDue()
	}
}
