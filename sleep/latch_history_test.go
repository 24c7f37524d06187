package sleep

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/rouse-go/rouse/internal/proptest"
)

// latchHistoryModel is a CoreLatch for porcupine: operations by name, with what
// they return.
var latchHistoryModel = porcupine.Model{
	Init: func() any { return Unset },
	Step: func(state, input, output any) (bool, any) {
		old := state.(LatchState)
		move := func(from, to LatchState) (bool, any) {
			if old == from {
				return output == true, to
			}
			return output == false, old
		}
		switch input {
		case "probe":
			return output == (old == Set), old
		case "getSleepy":
			return move(Unset, Sleepy)
		case "fallAsleep":
			return move(Sleepy, Sleeping)
		case "wakeUp":
			if old == Sleeping {
				return true, Unset
			}
			return true, old
		case "set":
			return output == (old == Sleeping), Set
		}
		panic(input)
	},
}

// do records an operation that returns a bool.
func do(h *proptest.History, client int, input string, f func() bool) bool {
	var b bool
	h.Do(client, input, func() any { b = f(); return b })
	return b
}

// pause lets others run, or not.
func pause(r *rand.Rand) {
	for range r.IntN(3) {
		runtime.Gosched()
	}
}

// playOwner falls asleep and wakes a few times, until it sees the latch set.
func playOwner(h *proptest.History, l coreLatch, r *rand.Rand) {
	for range 1 + r.IntN(3) {
		if do(h, 0, "probe", l.Probe) || !do(h, 0, "getSleepy", l.getSleepy) {
			break
		}
		pause(r)
		do(h, 0, "fallAsleep", l.fallAsleep)
		pause(r)
		do(h, 0, "wakeUp", func() bool { l.wakeUp(); return true })
	}
	do(h, 0, "probe", l.Probe)
}

// Catches: a transition of the latch that is not atomic: a SET that is
// overwritten, a Set that does not notify a sleeping owner, or two that both say
// that they found it asleep.
func TestCoreLatchLinearizable(t *testing.T) {
	r := rand.New(rand.NewPCG(proptest.Seed(t), 0))
	for range 400 {
		var h proptest.History
		var l CoreLatch
		var functions []func()
		for client := range 4 {
			r := rand.New(rand.NewPCG(r.Uint64(), 0))
			functions = append(functions, func() {
				switch client {
				case 0:
					playOwner(&h, &l, r)
				case 1, 2:
					pause(r)
					do(&h, client, "set", l.Set)
				case 3:
					do(&h, client, "probe", l.Probe)
					pause(r)
					do(&h, client, "probe", l.Probe)
				}
			})
		}
		proptest.Together(functions...)
		h.Check(t, latchHistoryModel)
	}
}

// atomicRecorder counts the workers that it was to wake, for any number of goroutines.
type atomicRecorder struct{ notified atomic.Int64 }

func (r *atomicRecorder) NotifyLatchSet(int) { r.notified.Add(1) }

// Catches: a SpinLatch or OnceLatch that notifies although its owner was awake,
// or doesn't although it slept: the output of set is whether it has notified.
func TestSettingLatchesNotifiesTheSleeper(t *testing.T) {
	r := rand.New(rand.NewPCG(proptest.Seed(t), 0))
	for i := range 400 {
		var h proptest.History
		var waker atomicRecorder
		var core *CoreLatch
		var set func()
		if i%2 == 0 {
			l := new(SpinLatch)
			l.Init(&waker, 0)
			core, set = &l.CoreLatch, l.Set
		} else {
			l := new(OnceLatch)
			core, set = &l.CoreLatch, func() { l.SetAndTickleOne(&waker, 0) }
		}
		r0, r1 := rand.New(rand.NewPCG(r.Uint64(), 0)), rand.New(rand.NewPCG(r.Uint64(), 0))
		proptest.Together(
			func() { playOwner(&h, core, r0) },
			func() {
				pause(r1)
				do(&h, 1, "set", func() bool { set(); return waker.notified.Load() == 1 })
			})
		h.Check(t, latchHistoryModel)
	}
}

// The positive control: the mutant H-L4, in its window. Catches: a checker that
// accepts a set which is overwritten.
func TestHistoryRejectsPlainStore(t *testing.T) {
	var h proptest.History
	l := &plainStore{}
	l.window = func() { do(&h, 1, "set", l.Set) }
	do(&h, 0, "getSleepy", l.getSleepy)
	do(&h, 0, "fallAsleep", l.fallAsleep)
	do(&h, 0, "probe", l.Probe)
	if h.Linearizable(latchHistoryModel) {
		t.Errorf("accepted:\n%s", &h)
	}
}

// The positive control: a Set by load and store, and the owner falls asleep in
// between. Catches: a checker that accepts a missing notification.
func TestHistoryRejectsTornSet(t *testing.T) {
	var h proptest.History
	var l CoreLatch
	do(&h, 0, "getSleepy", l.getSleepy)
	do(&h, 1, "set", func() bool {
		old := l.State()
		do(&h, 0, "fallAsleep", l.fallAsleep)
		l.state.Store(uint32(Set))
		return old == Sleeping
	})
	if h.Linearizable(latchHistoryModel) {
		t.Errorf("accepted:\n%s", &h)
	}
}

// countState is a CountLatch for porcupine.
type countState struct {
	units int
	inner LatchState
}

var countHistoryModel = porcupine.Model{
	Init: func() any { return countState{units: 1} },
	Step: func(state, input, output any) (bool, any) {
		s := state.(countState)
		switch input {
		case "increment":
			s.units++
			return s.units > 1 && output == true, s
		case "giveBack":
			s.units--
			if s.units == 0 {
				s.inner = Set
			}
			return s.units >= 0, s
		}
		ok, next := latchHistoryModel.Step(s.inner, input, output)
		s.inner = next.(LatchState)
		return ok, s
	},
}

// Catches: a CountLatch that is set while a unit is held, is never set,
// or notifies more than once or an owner that is awake for good.
func TestCountLatchLinearizable(t *testing.T) {
	r := rand.New(rand.NewPCG(proptest.Seed(t), 0))
	for range 300 {
		var h proptest.History
		var waker atomicRecorder
		var l CountLatch
		l.Init(&waker, 0)
		r0 := rand.New(rand.NewPCG(r.Uint64(), 0))
		functions := []func(){func() {
			playOwner(&h, l.Core(), r0)
			h.Do(0, "giveBack", func() any { l.Set(); return nil })
			do(&h, 0, "probe", l.Core().Probe)
		}}
		for client := 1; client <= 2; client++ {
			do(&h, client, "increment", func() bool { return l.TryIncrement() })
			r := rand.New(rand.NewPCG(r.Uint64(), 0))
			functions = append(functions, func() {
				pause(r)
				do(&h, client, "increment", func() bool { return l.TryIncrement() })
				if l.Core().Probe() {
					t.Error("set while two units are held")
				}
				h.Do(client, "giveBack", func() any { l.Set(); return nil })
				pause(r)
				h.Do(client, "giveBack", func() any { l.Set(); return nil })
			})
		}
		proptest.Together(functions...)
		h.Check(t, countHistoryModel)
		if !l.Core().Probe() || l.counter.Load() != 0 || waker.notified.Load() > 1 {
			t.Fatalf("all units are back: latch %v, %d units, %d notifications", l.Core().State(), l.counter.Load(), waker.notified.Load())
		}
	}
}

// Catches: a waiter of a LockLatch, or of a CountLatch without an owner, that is
// not woken (one notification for all, or a flag set outside of the lock), and one
// that returns before the latch is set. A lost one hangs.
func TestLockLatchWakesAllWaiters(t *testing.T) {
	for i := range 200 {
		var lock LockLatch
		var count CountLatch
		count.Init(nil, 0)
		var done atomic.Bool
		ids := make(chan uint64, 3)
		waiter := func(wait func()) func() {
			return func() {
				ids <- goroutineID()
				if wait(); !done.Load() {
					t.Error("returned before the latch was set")
				}
			}
		}
		proptest.Together(waiter(lock.Wait), waiter(lock.Wait), waiter(count.Wait), func() {
			if i%10 == 0 { // once they all wait, for sure
				for range 3 {
					for id := <-ids; !waitsIn(id, "sync.Cond.Wait"); {
						runtime.Gosched()
					}
				}
			}
			done.Store(true)
			lock.Set()
			count.Set()
		})
	}
}
