package scale

import "testing"

// round are costs with which one can count on one's fingers.
var round = Costs{Load: 1, RMW: 10, Transfer: 100, Probe: 1, ProbeMany: 1, Yield: 5, Execute: 2, Notify: 1000, NotifyNext: 50, Wake: 20_000, WakeQuick: 3000, Park: 500}

// stage starts an actor for each body, on cores of their own, and returns when each ended.
func stage(t *testing.T, bodies ...func(w *walker)) []Time {
	t.Helper()
	s := newSim(len(bodies), round.in(len(bodies)), 1)
	defer s.end()
	ended := make([]Time, len(bodies))
	for i, body := range bodies {
		w := &walker{sim: s, core: i}
		w.actor = s.start(func(*actor) {
			body(w)
			ended[i] = s.now
		})
	}
	if !s.run(never) {
		t.Fatal("it does not end")
	}
	return ended
}

func want(t *testing.T, what string, got []Time, ns ...Time) {
	t.Helper()
	for i := range ns {
		if got[i] != ns[i]*nanosecond {
			t.Errorf("%s: actor %d ended at %v ns, want %d", what, i, got[i].Nanoseconds(), ns[i])
		}
	}
}

// Catches: a write that costs a core that has the line more than alone, or one that has not no
// transfer; cores that don't queue; a wait that is not counted.
func TestLine(t *testing.T) {
	l := line{owner: 0}
	write := func(w *walker) { l.write(w) }
	want(t, "three at once", stage(t, write, write, write), 10, 120, 230)
	if l.Traffic != (Traffic{Writes: 3, Moved: 2, Waited: (110 + 220) * nanosecond}) {
		t.Errorf("traffic %+v", l.Traffic)
	}
	l = line{owner: shared}
	twice := func(w *walker) { l.write(w); l.write(w) }
	want(t, "alone, twice", stage(t, twice), 120)
}

// Catches: a word that is fetched although its value has not changed, or is not although it has; a reader
// who does not take the line from its writer.
func TestWordLoad(t *testing.T) {
	l := newWord(2)
	want(t, "fetched once", stage(t, func(w *walker) { l.load(w); l.load(w) }), 101)
	l.rmw(&walker{sim: newSim(2, round.in(2), 1), core: 1, actor: &actor{clock: &clock{}}})
	want(t, "fetched again", stage(t, func(w *walker) { l.load(w) }), 110+100) // when the write is over
	if l.owner != shared {
		t.Error("the writer has it to itself still")
	}
}

// Catches: a compare-and-swap that succeeds on a value that has changed meanwhile; a second try that
// queues again, or succeeds without a look.
func TestWordCAS(t *testing.T) {
	l := newWord(2)
	l.owner = 0
	update := func(w *walker) {
		version := l.version
		for !l.cas(w, version) {
			l.load(w)
			version = l.version
		}
	}
	want(t, "two at once", stage(t, update, update), 10, 10+110+1+10)
	if l.Failed != 1 || l.version != 2 {
		t.Errorf("%d failed, version %d", l.Failed, l.version)
	}
}

// Catches: a lock that two hold, one that is given to who came last, or to nobody.
func TestLock(t *testing.T) {
	l := lock{line: line{owner: shared}}
	inside := 0
	var order []int
	body := func(w *walker) {
		l.lock(w)
		order = append(order, w.core)
		if inside++; inside > 1 {
			t.Error("two inside")
		}
		w.actor.wait(1000 * nanosecond)
		inside--
		l.unlock(w)
	}
	stage(t, body, body, body)
	if len(order) != 3 || order[0] != 0 || order[1] != 1 || order[2] != 2 {
		t.Errorf("order %v", order)
	}
	if l.held {
		t.Error("held by nobody")
	}
}

// Catches: events that are not in the order of their times, and then of their making; one that
// was called off.
func TestClock(t *testing.T) {
	var c clock
	defer c.end()
	var order []int
	for i, at := range []Time{30, 10, 20, 10} {
		c.start(func(a *actor) {
			a.at(99)
			a.until(at)
			order = append(order, i)
		})
	}
	if !c.run(never) || c.now != 30 {
		t.Errorf("ended at %d", c.now)
	}
	if len(order) != 4 || order[0] != 1 || order[1] != 3 || order[2] != 2 || order[3] != 0 {
		t.Errorf("order %v", order)
	}
}
