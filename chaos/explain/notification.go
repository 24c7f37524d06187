package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// maxNotifications bounds the notifications that are reported for a wait.
const maxNotifications = 3

// notifications describes the outcome of each notification after the check.
func (w *wait) notifications() string {
	switch w.rank {
	case group:
		return w.lastCount()
	case once, locked:
		return w.holder()
	}
	var all []int
	earlier := -1
	for i, e := range w.events {
		switch {
		case !w.notifies(e):
		case i > w.since(), e.Fault != "":
			all = append(all, i)
		default:
			earlier = i
		}
	}
	var parts []string
	if n := len(all) - maxNotifications; n > 0 {
		parts = append(parts, fmt.Sprintf("%d before", n))
	}
	for _, i := range all[max(0, len(all)-maxNotifications):] {
		parts = append(parts, w.describe(i)+" "+w.outcome(i))
	}
	switch {
	case len(all) > 0 && (w.posted < 0 || all[len(all)-1] > w.postBegan()):
		return strings.Join(parts, "; ")
	case w.lastPartner() > w.since():
		return w.describe(w.lastPartner()) + " was the last"
	case w.since() >= 0:
		parts = append(parts, w.nothing(" after that"))
	default:
		parts = append(parts, w.nothing(""))
	}
	if next := w.nextOfPoster(); next >= 0 && len(all) == 0 {
		parts = append(parts, w.describe(next)+" "+w.outcome(next))
	} else if len(all) == 0 && earlier >= 0 {
		parts = append(parts, "before it, "+w.describe(earlier)+" "+w.outcome(earlier))
	}
	return strings.Join(parts, "; ")
}

// nothing returns the text for no notification since then.
func (w *wait) nothing(since string) string {
	switch w.task.Kind {
	case strategy.Send:
		return "nothing was received from it" + since
	case strategy.Receive:
		return "nothing was sent to it" + since + ", and it was not closed"
	case strategy.Select:
		return "none of its cases became ready" + since
	}
	return "none was sent" + since
}

// lastPartner returns the last event that received from the channel to which the task waits to send, or
// sent to the one from which it waits to receive. For a task of a Runtime, it is not known to which
// goroutine a value went. What waited has communicated if its task has continued.
func (w *wait) lastPartner() int {
	kind := strategy.Send
	if w.task.Kind == strategy.Send {
		kind = strategy.Receive
	} else if w.task.Kind != strategy.Receive {
		return -1
	}
	if !ofRuntime(w.events) {
		return -1
	}
	continued := map[string]bool{}
	return w.last(len(w.events), func(e control.Event) bool {
		if e.Object == w.task.Object && e.Kind == kind && (!e.Waits || continued[e.Task]) {
			return true
		}
		continued[e.Task] = true
		return false
	})
}

// notifies reports whether the event is, or would have been, a notification of what the task waits
// for. For a dropped one it may be unknown which object it was of.
func (w *wait) notifies(e control.Event) bool {
	if e.Task == w.task.Path || e.Waits {
		return false
	}
	if disturbed(e) != "" {
		return e.Object == 0 || slices.Contains(w.objects(), e.Object)
	}
	if w.condition {
		return e.Object == w.task.Object && e.Kind == strategy.Signal && !joins(e)
	}
	for _, own := range w.task.Cases {
		if own.Object == 0 {
			continue
		}
		if e.Object == own.Object && (e.Kind == strategy.Close || e.Kind == strategy.Clock) && !own.Send {
			return true
		}
		if slices.Contains(e.Cases, control.ChannelCase{Object: own.Object, Send: !own.Send}) {
			return true
		}
	}
	return false
}

// nextOfPoster returns the next notification, of another object, by the task that posted.
func (w *wait) nextOfPoster() int {
	if w.posted < 0 {
		return -1
	}
	for i := w.posted + 1; i < len(w.events); i++ {
		e := w.events[i]
		if e.Task != w.events[w.posted].Task || e.Waits || joins(e) {
			continue
		}
		if e.Kind == strategy.Signal || e.Kind == strategy.Send || e.Kind == strategy.Close ||
			slices.ContainsFunc(e.Cases, func(c control.ChannelCase) bool { return c.Send }) {
			return i
		}
	}
	return -1
}

// outcome describes the outcome of a notification.
func (w *wait) outcome(i int) string {
	e := w.events[i]
	switch {
	case disturbed(e) != "":
		return "was " + disturbed(e) + " by the plan"
	case len(e.Cases) > 0:
		return w.communicated(i)
	case e.Kind == strategy.Close && len(e.Reached) == 0:
		return "found no waiter"
	case len(e.Reached) == 0:
		return "reached no waiter"
	}
	text := "woke " + strings.Join(e.Reached, " and ")
	if e.Kind == strategy.Signal && len(e.Reached) == 1 {
		for j := i + 1; j < len(w.events); j++ {
			if next := w.events[j]; next.Task == e.Reached[0] && next.Kind == strategy.Signal {
				if joins(next) && next.Object == e.Object {
					w.cited = append(w.cited, j)
					return text + ", which waited again at " + place(next)
				}
				break
			}
		}
	}
	return text
}

// disturbed returns what a fault has done to a notification, or "".
func disturbed(e control.Event) string {
	switch {
	case strings.Contains(e.Fault, seam.Drop.String()):
		return "dropped"
	case strings.Contains(e.Fault, seam.Duplicate.String()):
		return "duplicated"
	}
	return ""
}

// communicated is outcome for a communication, or of a select that had it among its cases.
func (w *wait) communicated(i int) string {
	e := w.events[i]
	if e.Took < 0 {
		return "found no case ready and took its default"
	}
	if len(e.Cases) > 1 && !w.waitsFor(e.Cases[e.Took].Object) {
		return fmt.Sprintf("took case %d instead", e.Took)
	}
	if !e.Cases[e.Took].Send {
		return w.received(i)
	}
	j := e.Source - 1 // the receiver came later
	if len(e.Reached) > 0 {
		j = w.receipt(i)
	} else if !w.isReceipt(j) {
		return "was never received"
	}
	w.cited = append(w.cited, j)
	return "was received by " + w.events[j].Task + " at " + place(w.events[j])
}

// isReceipt reports whether the event has received a value.
func (w *wait) isReceipt(j int) bool {
	if j < 0 {
		return false
	}
	e := w.events[j]
	return !e.Waits && e.Took >= 0 && e.Took < len(e.Cases) && !e.Cases[e.Took].Send
}

// received describes where a value came from.
func (w *wait) received(i int) string {
	e := w.events[i]
	if len(e.Reached) > 0 {
		return "received from " + e.Reached[0]
	}
	if e.Source > 0 {
		return "received what " + w.describe(e.Source-1) + " sent"
	}
	return "received"
}

// receipt returns the event that received what the i-th has sent: the one that ends the receiver's
// wait, or the one with which it began if the receiver has not continued yet.
func (w *wait) receipt(i int) int {
	to := w.events[i].Reached[0]
	for j := i + 1; j < len(w.events); j++ {
		if e := w.events[j]; e.Source == i+1 && e.Task == to {
			return j
		}
	}
	return w.last(i, func(e control.Event) bool { return e.Task == to })
}

func (w *wait) waitsFor(o int) bool { return slices.Contains(w.objects(), o) }

// lastCount describes the last change of a wait group.
func (w *wait) lastCount() string {
	i := w.last(len(w.events), func(e control.Event) bool {
		return e.Object == w.task.Object && e.Kind == strategy.Signal && !e.Waits
	})
	if i < 0 {
		return ""
	}
	text := "the last change was " + w.describe(i)
	if outcome := w.events[i].Outcome; outcome != "" {
		text += ": " + outcome
	}
	return text
}

// holders returns the events by which tasks have what the task waits for.
func (w *wait) holders() (all []int) {
	held := make(map[string]int)
	var order []string
	for i, e := range w.events {
		switch {
		case e.Object != w.task.Object || e.Waits:
		case takes(e) && !shared(e) && slices.Contains(order, e.Task) && shared(w.events[held[e.Task]]): // waits for itself
		case takes(e), e.Kind == strategy.Once:
			held[e.Task] = i
			order = append(slices.DeleteFunc(order, func(t string) bool { return t == e.Task }), e.Task)
		case e.Kind == strategy.Unlock, e.Kind == strategy.Store: // by whatever task
			order = slices.DeleteFunc(order, func(t string) bool { return !shared(w.events[held[t]]) })
		case e.Kind == strategy.RUnlock:
			order = slices.DeleteFunc(order, func(t string) bool { return t == e.Task })
		}
	}
	if w.drains(w.task.Path) {
		order = slices.DeleteFunc(order, func(t string) bool { return t == w.task.Path && !shared(w.events[held[t]]) })
	}
	for _, t := range order {
		all = append(all, held[t])
	}
	return all
}

// BlockedSince sets since when the tasks that are left wait for locks: not since they have come to one that was free then,
// but since others have had it.
func BlockedSince(events []control.Event, left []control.TaskState) {
	for n := range left {
		t := &left[n]
		if !isLock(t.Kind) || t.Since == 0 {
			continue
		}
		for i, e := range slices.Backward(events) {
			if e.Step <= t.Since {
				break
			}
			if e.Object == t.Object && takes(e) && excludes(e, t.Kind) && !(&wait{events: events[:i], task: *t}).isBlocked() {
				t.Since = e.Step
				break
			}
		}
	}
}

// isBlocked reports whether others have what the task waits for.
func (w *wait) isBlocked() bool {
	return slices.ContainsFunc(w.holders(), func(i int) bool { return excludes(w.events[i], w.task.Kind) })
}

// excludes reports whether a task that waits in that way has to wait because of the event, which takes the lock.
func excludes(e control.Event, waits strategy.Kind) bool {
	return waits != strategy.RLock || !shared(e)
}

// holder describes which tasks hold what the task waits for.
func (w *wait) holder() string {
	var parts []string
	for _, i := range w.holders() {
		w.cited = append(w.cited, i)
		t, verb := w.events[i].Task, "has"
		if w.drains(t) && !shared(w.events[i]) {
			verb = "waits for the readers of"
		}
		parts = append(parts, fmt.Sprintf("%s %s %s since %s", t, verb, object(w.task.Object), place(w.events[i])))
	}
	return strings.Join(parts, "; ")
}

// drains reports whether a task waits for the readers of the lock, which it has closed to others.
func (w *wait) drains(task string) bool {
	i := w.last(len(w.events), func(e control.Event) bool { return e.Task == task })
	return i >= 0 && drains(w.events[i], w.task.Object)
}

func drains(e control.Event, lock int) bool {
	return e.Waits && e.Object == lock && (e.Kind == strategy.Drain || e.Kind == strategy.Lock && e.Step > 0) // of a Runtime only that wait is an event
}

func shared(e control.Event) bool { return e.Kind == strategy.RLock || e.Kind == strategy.TryRLock }
