//go:build chaos

package pool

import (
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/sleep"
)

// Positive controls of the workload latches.

// TestLatchesSeeTheirWaiters: a latch is set and its owner not notified, or never set.
func TestLatchesSeeTheirWaiters(t *testing.T) {
	setAll, setOne := (*sleep.LockLatch).Set, (*sleep.SpinLatch).Set
	for _, c := range []struct {
		setAll func(l *sleep.LockLatch)
		setOne func(l *sleep.SpinLatch)
		want   verdict.Verdict
		says   string
	}{
		{setAll, func(l *sleep.SpinLatch) { l.CoreLatch.Set() }, verdict.LostWakeup, "sleeps although its latch is set: it waits for its latch"},
		{func(*sleep.LockLatch) {}, setOne, verdict.Deadlock, "in sleep.(*LockLatch).Wait"},
	} {
		w := latchesWorkload
		w.run = func(x *execution) { x.newLatches(c.setAll, c.setOne).run() }
		sc := tiny(w, "random", 2)
		wantVerdict(t, explored(t, &sc, w, 100), c.want, c.says)
	}
}

// TestLatchesSeeWhoIsCounted: a worker that does not say that its wait is over.
func TestLatchesSeeWhoIsCounted(t *testing.T) {
	l := prepared(parallel(t, latchesWorkload, 2), latchesWorkload).newLatches((*sleep.LockLatch).Set, (*sleep.SpinLatch).Set)
	l.run()
	if wrong := l.judge(); len(wrong) > 0 {
		t.Errorf("as it should be: %v", wrong)
	}
	var idle sleep.IdleState
	l.sleep.StartLooking(1, &idle)
	if wrong := l.judge(); len(wrong) != 1 || wrong[0].Verdict != verdict.Invariant {
		t.Errorf("%v, want one finding", wrong)
	}
}
