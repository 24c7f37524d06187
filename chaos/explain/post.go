package explain

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// What a lock protects are plain variables, which nobody sees. But whether the condition
// of a waiter holds can be tried out: wake it, alone, and see whether it waits again.

// Bounds of the experiments for one wait: their number, and the events of all of them,
// each of which takes about a microsecond.
const mostTried, mostRepeated = 200, 1_000_000

func (w *wait) mostTried() int { return min(mostTried, mostRepeated/len(w.events)) }

// findPost finds the first event that has changed the answer of what was checked.
func (w *wait) findPost() {
	if !w.condition || w.probe == nil {
		w.posted = w.nextWrite(w.read)
		return
	}
	before, back := w.nudged(w.released)
	if !back { // what was posted came before the wait, or the waiter does not look again
		w.findEarlyPost()
		if end, again := w.nudged(len(w.events) - 1); len(end) > 0 && !again {
			w.rank = holds
		}
		return
	}
	w.rank = holds
	if w.changed(len(w.events)-1, before) != yes {
		w.rank = fails
		w.findOverwritten()
	}
	w.tryOut(before)
}

// tryOut finds the first event after which the waiter goes on if it is woken, and, if it
// would not do so at the end, the last one after which it does not any more.
func (w *wait) tryOut(before []step) {
	tried, was := 0, no
	for i := w.released + 1; i < len(w.events) && tried < w.mostTried(); i++ {
		if !w.mayPost(i) {
			continue
		}
		tried++
		now := w.changed(i, before)
		switch {
		case now == yes && was == no:
			w.posted, w.undone = w.writeBefore(i), -1
			if w.rank == holds {
				return
			}
		case now == no && was == yes:
			w.undone = w.writeBefore(i)
		case now == cannotTell:
			continue
		}
		was = now
	}
}

// findOverwritten finds a write of what was read last, under the lock of the condition,
// that the waiter itself has overwritten before it waited.
func (w *wait) findOverwritten() {
	next := w.nextWrite(w.read)
	if next < 0 || next > w.began || w.read < w.region {
		return
	}
	for i := next + 1; i < w.began; i++ {
		if e := w.events[i]; e.Task == w.task.Path && e.Object == w.events[w.read].Object && e.Kind != strategy.Load {
			w.posted, w.undone = next, i
			return
		}
	}
}

// findEarlyPost finds what was posted if the answer has changed before the wait, or the
// waiter does not look again: a write of what it read last or, if nobody has written that,
// of the only other thing that it read and that was written before it waited.
func (w *wait) findEarlyPost() {
	if w.posted = w.nextWrite(w.read); w.posted >= 0 {
		return
	}
	for _, r := range w.reads {
		next := w.nextWrite(r)
		if next < 0 || next > w.began || w.posted >= 0 && w.events[w.posted].Object == w.events[next].Object {
			continue
		}
		if w.posted >= 0 {
			w.posted, w.read = -1, w.reads[0]
			return
		}
		w.posted, w.read = next, r
	}
}

// nextWrite returns the first write by another task of what the event has read.
func (w *wait) nextWrite(read int) int {
	if read < 0 || len(w.events[read].Cases) > 0 {
		return -1
	}
	for i := read + 1; i < len(w.events); i++ {
		if w.writes(i, read) {
			return i
		}
	}
	return -1
}

// writes reports whether the i-th event is another task's write of what was read.
func (w *wait) writes(i, read int) bool {
	e := w.events[i]
	return read >= 0 && e.Task != w.task.Path && e.Object == w.events[read].Object && !e.Waits && e.Kind != strategy.Load
}

// mayPost reports whether another task may have changed the answer there: by a write of
// what was read, or of what the lock protects.
func (w *wait) mayPost(i int) bool {
	e := w.events[i]
	return w.writes(i, w.read) || e.Task != w.task.Path && w.lock != 0 && e.Object == w.lock && (e.Kind == strategy.Unlock || e.Kind == strategy.RUnlock)
}

// writeBefore returns the i-th event or, if that gives up the lock under which the same
// task has written what was read, the write.
func (w *wait) writeBefore(i int) int {
	if w.writes(i, w.read) {
		return i
	}
	for j := i - 1; j > w.released; j-- {
		switch e := w.events[j]; {
		case e.Task != w.events[i].Task:
		case w.writes(j, w.read):
			return j
		case e.Object == w.lock && takes(e):
			return i
		}
	}
	return i
}

// postBegan returns the event that took the lock under which was posted, or the post.
func (w *wait) postBegan() int {
	post := w.events[w.posted]
	if post.Object != w.lock {
		return w.posted
	}
	return w.last(w.posted, func(e control.Event) bool { return e.Task == post.Task && e.Object == w.lock && takes(e) })
}

// An answer may not be known.
type answer int

const (
	no answer = iota
	yes
	cannotTell
)

// changed tries whether the waiter goes on if it is woken after the i-th event. If it
// does what it did before, and waits again, nothing has changed.
func (w *wait) changed(i int, before []step) answer {
	after, back := w.nudged(i)
	switch {
	case len(after) == 0:
		return cannotTell
	case back && slices.Equal(before, after):
		return no
	case !back && after[len(after)-1].waits && after[len(after)-1].object == w.lock:
		return cannotTell
	}
	return yes
}

// A step is what tells an event from others of the same task.
type step struct {
	kind   strategy.Kind
	point  string
	object int
	line   int
	waits  bool
}

// nudged returns what the waiter does if it is woken after the i-th event, up to where
// it waits for the same again, if it comes back there.
func (w *wait) nudged(i int) (steps []step, back bool) {
	own := w.probe(w.task.Path, i+1)
	woken := slices.IndexFunc(own, func(e control.Event) bool { return e.Kind == strategy.Wait })
	if woken < 0 {
		return nil, false
	}
	for _, e := range own[woken:] {
		steps = append(steps, step{e.Kind, e.Point, e.Object, e.Site.Line, e.Waits})
		if w.enqueues(e) {
			return steps, true
		}
	}
	return steps, false
}
