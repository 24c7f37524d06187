package scale

// A line is a cache line that cores share. It is in one place at a time: who wants to write
// it waits until those who came before have written, and then for the line to come over, unless it
// had it last. So a read-modify-write costs what it costs alone if nobody else hits the line, and
// k cores that hit it in the same window wait for each other: the last of them for k transfers.
type line struct {
	free  Time // when the last of those who have come will have written
	owner int  // the core that has it for writing; shared, if another has read it since
	wrote int  // the core that wrote it last
	Traffic
}

// shared is the owner of a line that nobody has for himself.
const shared = -1

// Traffic is what has been written to a line.
type Traffic struct {
	Writes int  // read-modify-writes
	Moved  int  // of these, how many had to have the line from another core
	Waited Time // beyond what they take where nobody else is
	Failed int  // compare-and-swaps that came too late
}

// write is a read-modify-write by w, which waits until it is done.
func (l *line) write(w *walker) {
	c := &w.sim.costs
	now := w.actor.clock.now
	at, takes := max(now, l.free), c.rmw
	if l.owner != w.core {
		takes += c.transfer
		l.Moved++
	}
	l.Writes++
	l.free, l.owner, l.wrote = at+takes, w.core, w.core
	l.Waited += l.free - now - c.rmw
	w.actor.until(l.free)
}

// A word is a line that everybody looks at: it knows who has seen its last value.
type word struct {
	line
	version uint64
	seen    []uint64 // by core: version + 1

	failed *walker // the last whose compare-and-swap failed
	until  Time    // and until when it still has the line, for the next one
}

func newWord(cores int) word { return word{line: line{owner: shared}, seen: make([]uint64, cores)} }

// load reads the word. A core that has seen its value has it at hand; any other fetches it.
func (l *word) load(w *walker) {
	c := &w.sim.costs
	if l.seen[w.core] == l.version+1 {
		w.actor.wait(c.load)
		return
	}
	if l.owner != w.core {
		l.owner = shared
		w.actor.until(max(w.actor.clock.now, l.free) + c.transfer)
	} else {
		w.actor.wait(c.load)
	}
	l.seen[w.core] = l.version + 1
}

// rmw is write, and says that the value is new. The caller then changes it.
func (l *word) rmw(w *walker) {
	l.write(w)
	l.version++
	l.seen[w.core] = l.version + 1
}

// cas is rmw if the value is that of the version still, once it is w's turn; it reports
// whether it is. One that fails has brought the line all the same: if w looks again and tries at once,
// that is done before the line goes on, since the home of a line learns only some time later that
// it may call it back.
func (l *word) cas(w *walker, version uint64) bool {
	c := &w.sim.costs
	if l.failed == w && w.actor.clock.now <= l.until {
		l.Writes++
		w.actor.wait(c.rmw)
	} else {
		l.write(w)
	}
	if l.version != version {
		l.seen[w.core] = l.version + 1
		l.Failed++
		l.failed, l.until = w, w.actor.clock.now+c.load
		return false
	}
	l.version++
	l.seen[w.core] = l.version + 1
	return true
}

// A lock is a mutex: those who wait get it in turn.
type lock struct {
	line
	held    bool
	waiting []*walker
}

// lock takes l, waiting for those who came before.
func (l *lock) lock(w *walker) {
	l.write(w)
	if l.held {
		since := w.actor.clock.now
		l.waiting = append(l.waiting, w)
		w.actor.park()
		l.Waited += w.actor.clock.now - since
		l.owner, l.wrote = w.core, w.core
	}
	l.held = true
}

// unlock gives l back, or to the next.
func (l *lock) unlock(w *walker) {
	l.write(w)
	if len(l.waiting) == 0 {
		l.held = false
		return
	}
	next := l.waiting[0]
	l.waiting = l.waiting[1:]
	next.actor.at(w.actor.clock.now + w.sim.costs.transfer)
}
