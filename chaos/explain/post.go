package explain

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// What a lock protects are plain variables, and what a read meant to a task is its own affair: the
// engine sees neither. But whether the condition of a waiter holds can be tried out: wake it,
// alone, and see whether it waits again. So can whether a write would have kept a task from its
// wait: let it read only after that.

// Bounds of the experiments: for one wait, and of the events that all of them repeat, about 5 µs
// each.
const maxTried, maxRepeated = 200, 200_000

// takeBudget takes an experiment from the budget, and reports whether it was left.
func (w *wait) takeBudget() bool {
	*w.budget -= len(w.events)
	return w.probe != nil && *w.budget >= 0
}

// holds tries out whether the condition holds at the end, and returns the rank.
func (w *wait) holds() int {
	before, back := w.afterNudge(w.released)
	if back {
		w.soloSteps = before
		switch w.changesAnswer(len(w.events) - 1) {
		case yes:
			return holds
		case no:
			return fails
		}
		return unknown
	}
	if end, again := w.afterNudge(len(w.events) - 1); len(end) > 0 && !again {
		return holds
	}
	return unknown
}

// findPost finds the first event that changed the answer of what was checked.
func (w *wait) findPost() {
	switch {
	case w.rank == group || w.rank == once || w.rank == locked:
	case w.soloSteps == nil: // it does not wait for a condition, or that held when it began to wait, or it does not look again
		w.findEarlyPost(len(w.events))
	default:
		if w.rank == fails {
			w.findEarlyPost(w.began)
			w.findReverting()
		}
		w.findPostByNudges()
	}
}

// findPostByNudges finds the first event after which the waiter continues if it is woken, and, if
// it would not do so at the end, the last one after which it no longer does.
func (w *wait) findPostByNudges() {
	was := no
	for i, tried := w.released+1, 0; i < len(w.events) && tried < maxTried; i++ {
		if !w.mayPost(i) {
			continue
		}
		tried++
		now := w.changesAnswer(i)
		switch {
		case now == yes && was == no:
			w.posted, w.revertedBy = w.writeBefore(i), -1
			if w.rank == holds {
				return
			}
		case now == no && was == yes:
			w.revertedBy = w.writeBefore(i)
		case now == cannotTell:
			continue
		}
		was = now
	}
}

// findEarlyPost finds the first write before the event end, of something that the task read, that
// would have kept it from its wait; the last read first.
func (w *wait) findEarlyPost(end int) {
	tried := 0
	for _, read := range w.reads {
		for i := read + 1; i < end && tried < maxTried; i++ {
			if !w.writes(i, read) {
				continue
			}
			tried++
			if w.decidesWait(read, i) {
				w.read, w.posted = read, i
				return
			}
		}
	}
}

// findReverting finds the write that reverted what was posted, before the wait.
func (w *wait) findReverting() {
	for i := w.posted + 1; w.posted >= 0 && i < w.began; i++ {
		if e := w.events[i]; e.Object == w.events[w.posted].Object && e.Kind != strategy.Load && !e.Waits {
			w.revertedBy = i
			return
		}
	}
}

// decidesWait tries out whether the task would have taken another path if it had made the read only
// after the i-th event.
func (w *wait) decidesWait(read, i int) bool {
	if w.events[i].Op < 0 || w.events[read].Op < 0 || !w.takeBudget() {
		return false
	}
	before := w.steps(w.events[read : w.began+1])
	after := w.steps(w.probe.Postpone(w.task.Path, w.events[read].Op, w.events[i].Task, w.events[i].Op))
	n := min(len(before), len(after))
	return !slices.Equal(before[:n], after[:n])
}

// steps returns what the task has done in those events, and what it waits for at their end.
func (w *wait) steps(events []control.Event) (steps []step) {
	for i, e := range events {
		if e.Task == w.task.Path && (e.Op >= 0 || e.Waits && i == len(events)-1) {
			s := stepOf(e)
			s.waits = false
			steps = append(steps, s)
		}
	}
	return steps
}

// writes reports whether the i-th event is another task's write of what was read.
func (w *wait) writes(i, read int) bool {
	e := w.events[i]
	return read >= 0 && e.Task != w.task.Path && e.Object == w.events[read].Object && !e.Waits && e.Kind != strategy.Load
}

// mayPost reports whether another task may have changed the answer there: by a write of what was
// read, or of what the lock protects.
func (w *wait) mayPost(i int) bool {
	e := w.events[i]
	return w.writes(i, w.read) || e.Task != w.task.Path && w.lock != 0 && e.Object == w.lock && (e.Kind == strategy.Unlock || e.Kind == strategy.RUnlock)
}

// writeBefore returns the i-th event or, if that unlocks the lock under which the same task has
// written what was read, the write.
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

// An answer may be unknown.
type answer int

const (
	no answer = iota
	yes
	cannotTell
)

// changesAnswer tries out whether the waiter continues if it is woken after the i-th event. If it
// does what it did before, and waits again, nothing has changed.
func (w *wait) changesAnswer(i int) answer {
	after, back := w.afterNudge(i)
	switch {
	case len(after) == 0:
		return cannotTell
	case back && slices.Equal(w.soloSteps, after):
		return no
	case !back && after[len(after)-1].waits && after[len(after)-1].object == w.lock:
		return cannotTell
	}
	return yes
}

// A step identifies an event among those of the same task.
type step struct {
	kind   strategy.Kind
	point  string
	object int
	line   int
	waits  bool
}

func stepOf(e control.Event) step { return step{e.Kind, e.Point, e.Object, e.Site.Line, e.Waits} }

// afterNudge returns what the waiter does if it is woken after the i-th event, up to where it waits
// for the same again, if it does.
func (w *wait) afterNudge(i int) (steps []step, back bool) {
	if !w.takeBudget() {
		return nil, false
	}
	own := w.probe.Nudge(w.task.Path, i+1)
	woken := slices.IndexFunc(own, func(e control.Event) bool { return e.Kind == strategy.Wait })
	if woken < 0 {
		return nil, false
	}
	for _, e := range own[woken:] {
		steps = append(steps, stepOf(e))
		if w.enqueues(e) {
			return steps, true
		}
	}
	return steps, false
}
