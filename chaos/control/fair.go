package control

import "github.com/rouse-go/rouse/chaos/internal/splitmix"

// Strategies need not be fair, and a test that waits in a loop for another goroutine is a frequent
// one: for !waits() {}. So a task of a Runtime that could have continued for long gets its turn. That
// follows from the steps alone, and is no decision.
//
// Nor need they be fair to the cases of a select: one that was ready and not taken for long gets its
// turn likewise.

const (
	// fairSteps is after how many steps in which it could continue a task gets its turn: a prime, so
	// that it is not always a loop's lock that it waits for.
	fairSteps = 4099
	// turnSteps is how many steps in a row it then makes.
	turnSteps = 64
	// fairSelects is how many selects of a task in a row may take the first case that is ready although
	// others are.
	fairSelects = fairSteps
)

// fairness is what an execution keeps of turns.
type fairness struct {
	next  int   // the step of the next check
	turn  *task // has its turn; nil if none has
	until int   // the step at which the turn ends
}

// overdue returns the place of the enabled task whose turn it is, -1 if the strategy is to choose.
//
//go:norace
func (e *engine) overdue() int {
	s := e.real
	if s == nil {
		return -1
	}
	if s.recurrence.from > 0 {
		return s.recurrence.next(s)
	}
	f := &s.fair
	if s.Step >= f.next {
		f.next = s.Step + fairSteps
		f.turn = nil
		if len(s.Enabled) > 1 { // the clock may be what a task waits for
			f.check(s)
		}
	}
	if f.turn == nil || f.turn.place < 0 || s.Step >= f.until {
		f.turn = nil
		return -1
	}
	return f.turn.place
}

// check gives the turn to the task that has waited for the longest time, if that is long enough.
//
//go:norace
func (f *fairness) check(s *runtimeTasks) {
	for _, t := range s.Enabled {
		w := of(t)
		if !w.Pseudo && s.Step-w.moved >= fairSteps && (f.turn == nil || w.moved < f.turn.moved) {
			f.turn, f.until = w, s.Step+turnSteps
		}
	}
}

// pickCase chooses one of the n cases of t's select that are ready.
//
//go:norace
func (e *engine) pickCase(t *task, n int) int {
	if n < 2 {
		return 0
	}
	if t.firsts >= fairSelects {
		t.firsts = 0
		e.collapsed++ // the other cases are not explored here
		return 1 + int(splitmix.Mix(uint64(e.Step), uint64(t.ID))%uint64(n-1))
	}
	i := e.pick(n)
	if t.firsts++; i > 0 {
		t.firsts = 0
	}
	return i
}
