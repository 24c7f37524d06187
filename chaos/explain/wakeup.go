package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/goroutines"
)

// joins reports whether the event is a condition's waiter joining its queue.
func joins(e control.Event) bool {
	return e.Joins || e.Kind == strategy.Signal && e.Point == "sync/cond-wait"
}

// A Probe makes experiments with the execution: see control.Experiments. A nil Probe makes none.
type Probe interface {
	Nudge(path string, n int) []control.Event
	Postpone(path string, op int, other string, until int) []control.Event
}

// A Wakeup describes how a task came to wait for something that does not come. Each part states
// what the events show, and is "" if they do not show it.
type Wakeup struct {
	Locks        string // of tasks that wait for locks: which tasks hold them
	Checked      string // what it read last, and what had written that
	Posted       string // what has changed that since
	Notification string // what became of the notifications
	Of           string // what they are: of a channel, a count, a lock; "" if none of these
	Sleeps       string // where it waits, and on what
	Closed       string // of a panic: what had closed the channel
	// Difference is what the nearest execution that passes does otherwise: see Order.
	Difference Difference
	// Cited are the events that are named.
	Cited []int

	checkedAt, notifiedAt []int // events of Checked, and of Posted, Notification, and Sleeps
	closedAt              int   // the event of Closed
}

// With returns the explanation with what decides.
func (w Wakeup) With(d Difference) Wakeup {
	w.Difference = d
	return w.citing(d.Cited...)
}

// citing returns the explanation with further events that are named.
func (w Wakeup) citing(events ...int) Wakeup {
	w.Cited = slices.Concat(w.Cited, events)
	slices.Sort(w.Cited)
	w.Cited = slices.Compact(w.Cited)
	return w
}

// labelWidth is the width of the words before the parts.
const labelWidth = 14

// Lines returns the parts that are known, a line each, without where the task waits if that is
// all.
func (w Wakeup) Lines() (lines []string) {
	if w.Locks+w.Checked+w.Posted+w.Notification == "" {
		w.Sleeps = ""
	}
	for _, part := range [][2]string{{"locks", w.Locks}, {"checked", w.Checked}, {"posted", w.Posted}, {cmp.Or(w.Of, "notification"), w.Notification}, {"sleeps", w.Sleeps}, {"closed", w.Closed}, {"fails", w.Difference.Fails}, {"passes", w.Difference.Passes}} {
		if part[1] != "" {
			lines = append(lines, fmt.Sprintf("%-*s%s", labelWidth, part[0], part[1]))
		}
	}
	return lines
}

// Explain explains the wait of one of the tasks that are left: the one with this name or path,
// unless that is ""; otherwise one whose condition holds, as the probe shows, or for which a
// notification is missing. Of tasks of a Runtime, it is then one for which the test waits: see chain.
func Explain(events []control.Event, left []control.TaskState, probe Probe, task string) Wakeup {
	var best *wait
	budget := maxRepeated
	inOrder := task == "" && ofRuntime(events)
	if inOrder {
		left = partnersIn(events, &control.Result{Tasks: left}).chainOf(left).first(left)
	}
	for _, t := range left {
		if task != "" && t.Name != task && t.Path != task {
			continue
		}
		w := waitOf(events, t, probe, &budget)
		if w == nil || inOrder && best != nil && w.rank > unknown { // the first of those counts
			continue
		}
		if best == nil || w.rank < best.rank {
			best = w
		}
	}
	if best == nil {
		return Wakeup{}
	}
	if best.rank >= group && ofRuntime(events) {
		if locks := explainLocks(events, left, task); locks.Locks != "" {
			return locks
		}
	}
	best.findPost()
	return best.explain()
}

// ofRuntime reports whether the events are those of tasks of a Runtime.
func ofRuntime(events []control.Event) bool { return len(events) > 0 && events[0].Step > 0 }

// explainLocks describes, for the tasks that are left and wait for a lock, or for one of them, which
// tasks hold it.
func explainLocks(events []control.Event, left []control.TaskState, task string) (all Wakeup) {
	var parts []string
	shown, alike := foremost(events, left), 0
	for _, t := range left {
		if task == "" && !shown[t.Path] {
			if isLock(t.Kind) {
				alike++
			}
			continue
		}
		budget := 0
		w := waitOf(events, t, nil, &budget)
		if w == nil || w.rank != locked || task != "" && t.Name != task && t.Path != task {
			continue
		}
		if holder := w.holder(); holder != "" {
			parts = append(parts, t.Path+" waits for "+object(t.Object)+": "+holder)
			all.Cited = append(all.Cited, w.began)
		}
		all.Cited = append(all.Cited, w.cited...)
	}
	switch {
	case len(parts) == 0:
	case alike == 1:
		parts = append(parts, "1 other waits like these")
	case alike > 1:
		parts = append(parts, fmt.Sprintf("%d others wait like these", alike))
	}
	slices.Sort(all.Cited)
	all.Cited, all.Locks = slices.Compact(all.Cited), strings.Join(parts, "; ")
	return all
}

// A wait holds how a task that is left came to sleep. Events are given by their index; -1 means
// none.
type wait struct {
	events []control.Event
	task   control.TaskState
	probe  Probe
	budget *int // of events that experiments may repeat
	rank   int  // the lower, the more there is to explain

	began      int // the event with which it began
	condition  bool
	lock       int    // the object of a condition's lock; 0 if it has none
	released   int    // the event by which the waiter unlocked it
	reads      []int  // since the task last continued after a wait, the last first
	read       int    // the one that counts
	lockTaken  int    // the lock that was held when the wait began: the event that took it
	soloSteps  []step // what the waiter does if it is woken at once; nil if it does not wait again then
	posted     int    // the write that changed the answer
	revertedBy int    // the write by which the answer became the old one again

	cited []int
}

// Ranks of waits: for a condition that holds, for one of which that is not known, for a
// communication, for a condition that does not hold.
const (
	holds = iota
	unknown
	communication
	fails
	group
	once
	locked
)

// waitOf returns what is known of the wait of t; nil if t does not wait for another task.
func waitOf(events []control.Event, t control.TaskState, probe Probe, budget *int) *wait {
	w := &wait{events: events, task: t, probe: probe, budget: budget, read: -1, lockTaken: -1, posted: -1, revertedBy: -1, released: -1}
	w.began = w.last(len(events), func(e control.Event) bool { return e.Task == t.Path })
	if w.began < 0 || t.Object == 0 {
		return nil
	}
	switch t.Kind {
	case strategy.Wait:
		w.rank = group
		enqueued := w.last(len(events), func(e control.Event) bool { return e.Task == t.Path && w.enqueues(e) })
		if enqueued >= 0 {
			w.began, w.condition = enqueued, true
			w.findLock()
			w.rank = w.holds()
		}
	case strategy.Send, strategy.Receive, strategy.Select:
		w.rank = communication
	case strategy.Once:
		w.rank = once
	case strategy.Lock, strategy.RLock, strategy.Drain:
		w.rank = locked
		return w
	default:
		return nil
	}
	w.findReads()
	return w
}

// enqueues reports whether the event joins the queue of what is waited for.
func (w *wait) enqueues(e control.Event) bool {
	return joins(e) && e.Object == w.task.Object
}

// findLock finds the condition's lock: what the waiter unlocks once it has joined the queue.
func (w *wait) findLock() {
	w.released = w.began
	for i := w.began + 1; i < len(w.events); i++ {
		if e := w.events[i]; e.Task == w.task.Path && (e.Kind == strategy.Unlock || e.Kind == strategy.RUnlock) {
			w.lock, w.released = e.Object, i
			break
		}
	}
	w.lockTaken = w.last(w.began, func(e control.Event) bool {
		return e.Task == w.task.Path && w.lock != 0 && e.Object == w.lock && takes(e)
	})
}

// takes reports whether the event takes a lock.
func takes(e control.Event) bool {
	switch e.Kind {
	case strategy.Lock, strategy.TryLock, strategy.RLock, strategy.TryRLock:
		return !e.Waits
	}
	return false
}

// findReads finds what was read since the task last continued after a wait. The last read counts,
// unless it is known to be another.
func (w *wait) findReads() {
	for i := w.began - 1; i >= 0; i-- {
		e := w.events[i]
		if e.Task != w.task.Path || e.Waits {
			continue
		}
		switch e.Kind {
		case strategy.Load:
			w.reads = append(w.reads, i)
		case strategy.Wait, strategy.Send, strategy.Receive, strategy.Select, strategy.Sleep:
			i = 0
		}
	}
	if len(w.reads) > 0 {
		w.read = w.reads[0]
	}
}

// last returns the index of the last event before end that is wanted, or -1.
func (w *wait) last(end int, wanted func(control.Event) bool) int {
	for i := end - 1; i >= 0; i-- {
		if wanted(w.events[i]) {
			return i
		}
	}
	return -1
}

func (w *wait) explain() Wakeup {
	all := Wakeup{Checked: w.checked()}
	all.checkedAt = slices.Clone(w.cited)
	all.Posted, all.Notification, all.Of, all.Sleeps = w.post(), w.notifications(), w.of(), w.sleeps()
	all.notifiedAt = append(slices.Clone(w.cited[len(all.checkedAt):]), w.began)
	all.Cited = append(w.cited, w.began)
	slices.Sort(all.Cited)
	all.Cited = slices.Compact(all.Cited)
	return all
}

// of returns what the task waits for, other than a condition.
func (w *wait) of() string {
	switch w.rank {
	case communication:
		return "channel"
	case group:
		return "count"
	case once, locked:
		return "lock"
	}
	return ""
}

// checked describes what the task read last, and where that came from.
func (w *wait) checked() string {
	var parts []string
	if w.read >= 0 {
		e := w.events[w.read]
		text := w.describe(w.read)
		switch {
		case len(e.Cases) > 0:
			text += " found nothing ready"
		case e.Source == control.Initial:
			text += " read the initial value"
		case e.Source > 0:
			text += " read what " + w.describe(e.Source-1) + " wrote"
		}
		parts = append(parts, text)
	}
	if w.lockTaken > w.read {
		text := w.task.Path + " held the lock " + object(w.lock) + " from " + place(w.events[w.lockTaken])
		w.cited = append(w.cited, w.lockTaken)
		if source := w.events[w.lockTaken].Source; source > 0 {
			text += ", after " + w.describe(source-1)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", then ")
}

// since returns the index of what was checked; -1 if that is unknown.
func (w *wait) since() int {
	if w.posted >= 0 && w.posted < w.lockTaken {
		return w.read
	}
	return max(w.read, w.lockTaken)
}

// post describes which event changed the answer.
func (w *wait) post() string {
	if w.posted < 0 {
		return ""
	}
	text := w.describe(w.posted)
	if w.posted < w.began {
		text += ", after that and before " + w.task.Path + " waited"
	} else {
		text += ", while " + w.task.Path + " waited"
	}
	if w.revertedBy >= 0 {
		text += "; undone by " + w.describe(w.revertedBy)
	}
	return text
}

// sleeps describes where the task waits, and on what.
func (w *wait) sleeps() string {
	var on []string
	for _, o := range w.objects() {
		on = append(on, object(o))
	}
	return control.Title(w.task.Path, w.task.Name) + " in " + w.task.Place() + ", on " + strings.Join(on, " and ")
}

// objects returns the objects that the task waits for.
func (w *wait) objects() (all []int) {
	for _, c := range w.task.Cases {
		if c.Object != 0 && !slices.Contains(all, c.Object) {
			all = append(all, c.Object)
		}
	}
	if len(all) == 0 {
		all = []int{w.task.Object}
	}
	return all
}

// describe cites the i-th event: whose it is, what it did, where, and in which step if that is one of several.
func (w *wait) describe(i int) string {
	w.cited = append(w.cited, i)
	text := describeEvent(w.events[i])
	if step := w.events[i].Step; step > 0 && repeated(w.events, i) {
		text += fmt.Sprintf(" (step %d)", step)
	}
	return text
}

func describeEvent(e control.Event) string {
	task := e.Task
	if e.Standard {
		task = control.Title(e.Task, e.Name)
	}
	switch {
	case e.Kind == strategy.Clock:
		text := "the timer"
		if e.Call != "" {
			text += " of " + called(e.Call, e.Kind)
		}
		if e.Site.File != "" {
			text += " at " + place(e)
		}
		return text
	case e.Kind == strategy.Begin && e.Entry != "":
		return "the beginning of " + task + " (" + goroutines.Short(e.Entry) + ")"
	case e.Kind == strategy.Begin, e.Kind == strategy.End:
		return "the " + e.Kind.String() + " of " + task
	}
	does := operation(e)
	if countOf(e) == dones {
		does = strings.Replace(does, ".Add", ".Done", 1) // at the end of a task that Go has started
	}
	text := task + "'s " + does
	o := e.Object
	if e.Via.Object > 0 { // of the case of a select that was taken
		o = e.Via.Object
	}
	if o != 0 && !isNameless(e.Kind) {
		text += " " + object(o)
	}
	if e.Site.File != "" {
		text += " at " + place(e)
	}
	return text
}

func object(id int) string { return fmt.Sprintf("[%d]", id) }
