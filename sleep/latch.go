package sleep

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// A Waker wakes the worker of that index if it is asleep, and otherwise does nothing. A Strategy is
// one.
type Waker interface {
	NotifyLatchSet(worker int)
}

// LatchState is the state of a CoreLatch.
type LatchState uint32

// The states of a CoreLatch. Only Set is final. Sleepy is transient: its owner continues to
// Sleeping, or finds the latch set.
const (
	Unset    LatchState = iota // not set, the owner is awake
	Sleepy                     // not set, the owner is about to sleep
	Sleeping                   // not set, the owner sleeps or may be about to: a setter must notify
	Set                        // set, for good
)

func (s LatchState) String() string {
	return [...]string{"UNSET", "SLEEPY", "SLEEPING", "SET"}[s]
}

// CoreLatch is an event that one worker, its owner, can wait for in its sleep. The zero value is
// unset; any goroutine may set it, once; it is never unset.
//
// A setter that finds the owner asleep must wake it, without touching the latch again: the owner
// may have seen it set, and reuse or drop it.
type CoreLatch struct {
	state atomic.Uint32
}

// Probe is L5: it reports whether the latch is set. One atomic load.
func (l *CoreLatch) Probe() bool { return l.State() == Set }

// State returns the latch's state, for dumps and tests.
func (l *CoreLatch) State() LatchState {
	return LatchState(memory.LoadUint32(&l.state, memory.Acquire))
}

func (l *CoreLatch) cas(from, to LatchState) bool {
	return memory.CompareAndSwapUint32(&l.state, uint32(from), uint32(to), memory.Relaxed, memory.Relaxed)
}

// getSleepy is L1, by the owner: UNSET to SLEEPY. False: the latch is set.
func (l *CoreLatch) getSleepy() bool {
	hooks.At(pointLatchGetSleepyPre)
	ok := l.cas(Unset, Sleepy)
	hooks.At(pointLatchGetSleepyPost)
	return ok
}

// fallAsleep is L2, by the owner, with its sleep lock held: SLEEPY to SLEEPING. False: the latch
// was set meanwhile. A plain store would overwrite that.
func (l *CoreLatch) fallAsleep() bool {
	hooks.At(pointLatchFallAsleepPre)
	ok := l.cas(Sleepy, Sleeping)
	hooks.At(pointLatchFallAsleepPost)
	return ok
}

// markSleeping is L2 without L1: UNSET to SLEEPING. False: the latch is set.
func (l *CoreLatch) markSleeping() bool {
	hooks.At(pointLatchFallAsleepPre)
	ok := l.cas(Unset, Sleeping)
	hooks.At(pointLatchFallAsleepPost)
	return ok
}

// wakeUp is L3, by the owner, awake again: SLEEPING to UNSET unless it is set. Without it every
// later getSleepy would fail, and the owner spin.
func (l *CoreLatch) wakeUp() {
	hooks.At(pointLatchWakeUpPre)
	if !l.Probe() {
		l.cas(Sleeping, Unset)
	}
	hooks.At(pointLatchWakeUpPost)
}

// Set is L4. It reports whether the owner was asleep on the latch: the caller must then notify the
// owner, without touching the latch again.
func (l *CoreLatch) Set() (ownerAsleep bool) {
	hooks.At(pointLatchSetPre)
	old := LatchState(memory.SwapUint32(&l.state, uint32(Set), memory.AcqRel))
	hooks.At(pointLatchSetSwapped)
	return old == Sleeping
}

// notifyOwner is K: it wakes the owner of a latch that was SLEEPING when set.
func notifyOwner(owner Waker, worker int) {
	for range hooks.Notify(pointLatchSetNotify) {
		owner.NotifyLatchSet(worker)
		if !hooks.Enabled {
			break
		}
	}
}

// SpinLatch is a CoreLatch that knows its owner and wakes it. The setter may belong to another pool
// (rayon's "cross" latch); the Waker is always the owner's.
//
// rayon keeps the owner's registry alive by hand while a cross latch is being set. Here the garbage
// collector does; but Set still copies what it needs before the swap, because the owner may reuse
// the latch.
type SpinLatch struct {
	CoreLatch
	owner  Waker
	worker int
}

// Init prepares l for its owner: the worker of that index in the pool that owner wakes. It must not
// be called while l is in use.
func (l *SpinLatch) Init(owner Waker, worker int) {
	if l.state.Load() != uint32(Unset) { // a load is cheaper than a store
		l.state.Store(uint32(Unset))
	}
	l.owner, l.worker = owner, worker
}

// Owner returns the arguments of Init. Any goroutine may call it while l is in use.
func (l *SpinLatch) Owner() (owner Waker, worker int) { return l.owner, l.worker }

// Set sets the latch and wakes its owner if that sleeps. It blocks only on the owner's sleep lock.
func (l *SpinLatch) Set() {
	owner, worker := l.owner, l.worker // before the swap: see CoreLatch
	if l.CoreLatch.Set() {
		notifyOwner(owner, worker)
	}
}

// OnceLatch is a CoreLatch for one event in a worker's life, its termination. It holds no reference
// to the pool; the setter passes it.
type OnceLatch struct {
	CoreLatch
}

// SetAndTickleOne sets the latch and wakes that worker, its owner, if it sleeps.
func (l *OnceLatch) SetAndTickleOne(owner Waker, worker int) {
	if l.CoreLatch.Set() {
		notifyOwner(owner, worker)
	}
}
