package scale

// A latch is what a worker waits for: a CoreLatch.
type latch struct {
	line  line
	owner *worker
	state latchState
}

type latchState uint8

const (
	unset latchState = iota
	sleepy
	sleeping
	set
)

// set sets the latch, and tells its owner: at once if it says so, or else the owner, if it
// searches, sees it before its next search.
func (w *walker) set(l *latch) {
	l.line.write(w)
	was := l.state
	l.state = set // L4
	l.owner.look()
	if was == sleeping {
		w.sim.protocol.latchSet(w, l.owner) // K
	}
}

// becomes is L1, L2 and Tickle's mark: a CAS by the owner. It reports false if the latch
// is set.
func (l *latch) becomes(w *worker, state latchState) bool {
	if l.state == set {
		return false
	}
	l.line.write(&w.walker)
	if l.state == set {
		return false
	}
	l.state = state
	return true
}

// wakeUp is L3.
func (l *latch) wakeUp(w *worker) { l.becomes(w, unset) }
