package sleep

import (
	"fmt"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/rouse-go/rouse/internal/proptest"
)

// recorder is a Waker that notes the workers that it was to wake.
type recorder struct{ notified []int }

func (r *recorder) NotifyLatchSet(worker int) { r.notified = append(r.notified, worker) }

// latchModel is what a latch ought to be: Units is 1 for those that do not count.
type latchModel struct {
	State    LatchState
	Units    int
	Notified []int // by this latch, so far
}

// coreLatch is what an owner does with a latch.
type coreLatch interface {
	Probe() bool
	State() LatchState
	getSleepy() bool
	fallAsleep() bool
	wakeUp()
}

// latchSubject is a latch of any kind, as its owner and its setters see it.
type latchSubject struct {
	coreLatch
	set       func()
	increment func() bool
	*recorder
}

func (l *latchSubject) seen(returned any) any {
	return fmt.Sprint(returned, l.State(), l.Probe(), l.notified)
}

func latchCommand(name string, when func(m latchModel) bool, step func(m *latchModel) any, run func(l *latchSubject) any) proptest.Command[latchModel, *latchSubject] {
	return proptest.Command[latchModel, *latchSubject]{
		Name: name,
		When: when,
		Step: func(m latchModel) (latchModel, any) {
			returned := step(&m)
			return m, fmt.Sprint(returned, m.State, m.State == Set, m.Notified)
		},
		Run: func(l *latchSubject) any { return l.seen(run(l)) },
	}
}

// move is the table of PROTOCOLS 2.1: one step from one state, or nothing.
func move(from, to LatchState) func(m *latchModel) any {
	return func(m *latchModel) any {
		if m.State != from {
			return false
		}
		m.State = to
		return true
	}
}

func latchCommands(owner int) []proptest.Command[latchModel, *latchSubject] {
	return []proptest.Command[latchModel, *latchSubject]{
		latchCommand("L1 getSleepy", nil, move(Unset, Sleepy), func(l *latchSubject) any { return l.getSleepy() }),
		latchCommand("L2 fallAsleep", nil, move(Sleepy, Sleeping), func(l *latchSubject) any { return l.fallAsleep() }),
		latchCommand("L3 wakeUp", nil,
			func(m *latchModel) any { move(Sleeping, Unset)(m); return nil },
			func(l *latchSubject) any { l.wakeUp(); return nil }),
		latchCommand("L4 Set", func(m latchModel) bool { return m.Units > 0 },
			func(m *latchModel) any {
				if m.Units--; m.Units > 0 {
					return nil
				}
				if m.State == Sleeping {
					m.Notified = append([]int{owner}, m.Notified...)
				}
				m.State = Set
				return nil
			},
			func(l *latchSubject) any { l.set(); return nil }),
	}
}

// newLatch makes a latch of each kind, whose owner is worker 7.
var newLatch = map[string]func() *latchSubject{
	"Core": func() *latchSubject {
		l, r := new(CoreLatch), new(recorder)
		return &latchSubject{coreLatch: l, recorder: r, set: func() {
			if l.Set() {
				notifyOwner(r, 7)
			}
		}}
	},
	"Spin": func() *latchSubject {
		l, r := new(SpinLatch), new(recorder)
		l.Init(r, 7)
		return &latchSubject{coreLatch: &l.CoreLatch, recorder: r, set: l.Set}
	},
	"Once": func() *latchSubject {
		l, r := new(OnceLatch), new(recorder)
		return &latchSubject{coreLatch: &l.CoreLatch, recorder: r, set: func() { l.SetAndTickleOne(r, 7) }}
	},
	"Count": func() *latchSubject {
		l, r := new(CountLatch), new(recorder)
		l.Init(r, 7)
		return &latchSubject{coreLatch: l.Core(), recorder: r, set: l.Set, increment: func() bool { return l.TryIncrement() }}
	},
}

func latchMachine(initial latchModel, newLatch func() *latchSubject, more ...proptest.Command[latchModel, *latchSubject]) proptest.Machine[latchModel, *latchSubject] {
	return proptest.Machine[latchModel, *latchSubject]{
		Initial: gen.Const(initial),
		New:     func(latchModel) *latchSubject { return newLatch() },
		Commands: func(latchModel) []proptest.Command[latchModel, *latchSubject] {
			return append(latchCommands(7), more...)
		},
	}
}

// Catches: a transition that the table does not have (a fallAsleep or wakeUp that
// overwrites SET, a getSleepy that succeeds twice), a notification too many, too
// few, or for another worker; and for the counting one, an inner latch that is
// set before the last unit is back.
func TestLatchesMatchModel(t *testing.T) {
	increment := latchCommand("Increment", func(m latchModel) bool { return m.Units > 0 },
		func(m *latchModel) any { m.Units++; return true },
		func(l *latchSubject) any { return l.increment() })
	for _, name := range []string{"Core", "Spin", "Once"} {
		t.Run(name, func(t *testing.T) {
			proptest.Check(t, 150, 30, latchMachine(latchModel{Units: 1}, newLatch[name]).Property())
		})
	}
	t.Run("Count", func(t *testing.T) {
		proptest.Check(t, 150, 60, latchMachine(latchModel{Units: 1}, newLatch["Count"], increment).Property())
	})
}

// plainStore is the mutant H-L4: it falls asleep by a store.
type plainStore struct {
	CoreLatch
	window func() // between its look and its store
}

func (l *plainStore) fallAsleep() bool {
	if l.State() != Sleepy {
		return false
	}
	l.window()
	l.state.Store(uint32(Sleeping))
	return true
}

// noReset is the mutant H-L6: it stays SLEEPING when its owner wakes.
type noReset struct{ CoreLatch }

func (*noReset) wakeUp() {}

// blindStore falls asleep by a store, without a look.
type blindStore struct{ CoreLatch }

func (l *blindStore) fallAsleep() bool {
	l.state.Store(uint32(Sleeping))
	return true
}

// The positive control of TestLatchesMatchModel. Catches: a model that accepts
// anything.
func TestLatchModelRejectsMutants(t *testing.T) {
	for name, newMutant := range map[string]func() *latchSubject{
		"no reset": func() *latchSubject {
			l := new(noReset)
			return &latchSubject{coreLatch: l, recorder: new(recorder), set: func() { l.Set() }}
		},
		"blind store": func() *latchSubject {
			l := new(blindStore)
			return &latchSubject{coreLatch: l, recorder: new(recorder), set: func() { l.Set() }}
		},
		"never notifies": func() *latchSubject {
			l := new(CoreLatch)
			return &latchSubject{coreLatch: l, recorder: new(recorder), set: func() { l.Set() }}
		},
		"always notifies": func() *latchSubject {
			l, r := new(CoreLatch), new(recorder)
			return &latchSubject{coreLatch: l, recorder: r, set: func() { l.Set(); r.NotifyLatchSet(7) }}
		},
	} {
		p := proptest.Parameters(t)
		p.MinSuccessfulTests, p.MaxSize = 300, 30
		if r := latchMachine(latchModel{Units: 1}, newMutant).Property().Check(p); r.Passed() {
			t.Errorf("%s: the model has nothing against it", name)
		}
	}
}

// lockModel is a LockLatch: set or not.
type lockModel bool

// Catches: a WaitAndReset that leaves the latch set, a Wait that resets it, a
// Probe that lies. Waiting is only done where it does not block.
func TestLockLatchMatchesModel(t *testing.T) {
	command := func(name string, when func(bool) bool, next func(bool) bool, run func(l *LockLatch)) proptest.Command[lockModel, *LockLatch] {
		return proptest.Command[lockModel, *LockLatch]{
			Name: name,
			When: func(m lockModel) bool { return when(bool(m)) },
			Step: func(m lockModel) (lockModel, any) { n := next(bool(m)); return lockModel(n), n },
			Run:  func(l *LockLatch) any { run(l); return l.Probe() },
		}
	}
	always, isSet := func(bool) bool { return true }, func(set bool) bool { return set }
	proptest.Check(t, 100, 30, proptest.Machine[lockModel, *LockLatch]{
		Initial: gen.Const(lockModel(false)),
		New:     func(lockModel) *LockLatch { return new(LockLatch) },
		Commands: func(lockModel) []proptest.Command[lockModel, *LockLatch] {
			return []proptest.Command[lockModel, *LockLatch]{
				command("Set", always, func(bool) bool { return true }, (*LockLatch).Set),
				command("Wait", isSet, func(bool) bool { return true }, (*LockLatch).Wait),
			}
		},
	}.Property())
}

// Catches: a CountLatch that silently counts below zero, or comes to life again.
func TestCountLatchRefusesMisuse(t *testing.T) {
	var l CountLatch
	l.Init(new(recorder), 0)
	l.Set()
	if l.TryIncrement() {
		t.Error("a unit taken of a latch that is set")
	}
	defer func() {
		if v := recover(); v != "sleep: CountLatch.Set without a unit" {
			t.Errorf("panicked with %v", v)
		}
	}()
	l.Set()
}

// Catches: names of the states out of step with the states.
func TestLatchStateString(t *testing.T) {
	if got := fmt.Sprint(Unset, Sleepy, Sleeping, Set); got != "UNSET SLEEPY SLEEPING SET" {
		t.Error(got)
	}
}
