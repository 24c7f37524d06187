package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// mostPartners bounds the partners that are named for a wait, the last ones.
const mostPartners = 3

// A side is how an object is used. What ends a wait is done on another side than the wait.
type side int

const (
	sends    side = iota // to a channel, or closes it
	receives             // from a channel
	signals              // a condition
	dones                // of a WaitGroup
	adds                 // to a WaitGroup
	counts               // either, in a library: which is not known
)

// past has the words for what tasks have done on a side.
var past = [...]string{sends: "last sent by ", receives: "last received by ", signals: "last signalled by ", dones: "last Done by ", adds: "last Add by ", counts: "last counted by "}

// never has the words for a side that no task has used.
var never = [...]string{
	sends: "no task has sent to it or closed it", receives: "no task has received from it", signals: "no task has signalled it", dones: "no task has called Done",
}

// A use is a side of an object.
type use struct {
	object int
	side   side
}

// partners describes, for waits, which tasks have used the other side of what is waited for.
type partners struct {
	events     []control.Event
	last       map[string]int               // the last event of each task
	left       map[string]control.TaskState // by path
	panicked   string
	uses       map[use]map[string]int // the last event of each task
	conditions map[int]bool
	started    map[int][]string // tasks that the methods Go of WaitGroups have started
	holders    map[holdersOf]string
	awaits     map[string][]string // see awaited
}

// holdersOf is a key for the tasks that have what a task waits for.
type holdersOf struct {
	object int
	kind   strategy.Kind // of the wait
	drains string        // the task that waits, if it does so for the readers of a lock that it has
}

// partnersIn looks through all events of an execution.
func partnersIn(events []control.Event, r *control.Result) *partners {
	p := &partners{
		events: events, last: map[string]int{}, left: map[string]control.TaskState{}, uses: map[use]map[string]int{},
		conditions: map[int]bool{}, started: map[int][]string{}, holders: map[holdersOf]string{},
		awaits: map[string][]string{},
	}
	p.panicked, _, _ = panicked(r)
	for _, t := range r.Tasks {
		p.left[t.Path] = t
	}
	waiting := map[string]int{} // the beginning of each task's wait
	for i, e := range events {
		if j, was := waiting[e.Task]; was && ofRuntime(events) && !e.Waits { // its continuing is not an event
			if o := events[j].Object; events[j].Kind == strategy.Send || events[j].Kind == strategy.Receive {
				p.add(j, o, sideOf(events[j].Kind == strategy.Send))
			}
		}
		delete(waiting, e.Task)
		p.last[e.Task] = i
		switch {
		case e.Overtaken:
		case e.Waits:
			waiting[e.Task] = i
		case parks(events, i):
		default:
			p.does(i, waiting)
		}
	}
	return p
}

// does adds what an event has done.
func (p *partners) does(i int, waiting map[string]int) {
	e := p.events[i]
	o, sent := communicated(e)
	switch {
	case e.Kind == strategy.Begin:
		if from := e.Source - 1; from >= 0 && isGo(p.events[from]) {
			p.started[p.events[from].Object] = append(p.started[p.events[from].Object], e.Task)
		}
	case joins(e):
		p.conditions[e.Object] = true
	case e.Kind == strategy.Close, e.Kind == strategy.Clock && e.Object > 0:
		p.add(i, e.Object, sends)
	case e.Kind == strategy.Signal:
		p.add(i, e.Object, signals)
		p.add(i, e.Object, countOf(e))
	case o > 0:
		p.add(i, o, sideOf(sent))
		for _, path := range e.Reached { // on the other side, of which there may be no other event
			if j, waits := waiting[path]; waits {
				p.add(j, o, sideOf(!sent))
			}
		}
	}
}

// isGo reports whether the event is of WaitGroup.Go, which starts a task.
func isGo(e control.Event) bool { return strings.HasSuffix(operation(e), "(*WaitGroup).Go") }

// countOf returns how the event counts a WaitGroup. At the end of a task of WaitGroup.Go it is Done.
func countOf(e control.Event) side {
	switch name := operation(e); {
	case name == "sync.(*WaitGroup).Done", name == "sync/waitgroup-done", name == "sync.(*WaitGroup).Add" && e.Site.File == "":
		return dones
	case name == "sync.(*WaitGroup).Add", name == "sync/waitgroup-add", isGo(e):
		return adds
	}
	return counts
}

func sideOf(send bool) side {
	if send {
		return sends
	}
	return receives
}

func (p *partners) add(i, o int, s side) {
	of := use{o, s}
	if p.uses[of] == nil {
		p.uses[of] = map[string]int{}
	}
	p.uses[of][p.events[i].Task] = i
}

// of describes the other side of a wait, or returns "" if nothing is known.
func (p *partners) of(t control.TaskState) string {
	switch {
	case p == nil || t.Object == 0:
		return ""
	case t.Kind == strategy.Send:
		return p.used(t.Object, receives)
	case t.Kind == strategy.Receive:
		return p.used(t.Object, sends)
	case t.Kind == strategy.Select:
		return p.selected(t)
	case isLock(t.Kind), t.Kind == strategy.Once:
		return p.held(t)
	case t.Kind == strategy.Wait && p.conditions[t.Object]:
		return p.used(t.Object, signals)
	case t.Kind == strategy.Wait && len(p.uses[use{t.Object, counts}]) > 0:
		return past[counts] + strings.TrimPrefix(p.used(t.Object, signals), past[signals]) // all of them
	case t.Kind == strategy.Wait && len(p.uses[use{t.Object, adds}]) > 0:
		return p.counted(t.Object)
	}
	return ""
}

// used describes which tasks were the last to use a side of an object.
func (p *partners) used(o int, s side) string {
	all := p.uses[use{o, s}]
	if len(all) == 0 {
		return never[s]
	}
	order := p.byTime(use{o, s})
	var parts []string
	for _, task := range order[:min(len(order), mostPartners)] {
		parts = append(parts, p.did(all[task]))
	}
	if n := len(order) - mostPartners; n == 1 {
		parts = append(parts, "1 other task before")
	} else if n > 1 {
		parts = append(parts, fmt.Sprintf("%d other tasks before", n))
	}
	text := past[s]
	if e := p.events[all[order[0]]]; e.Kind == strategy.Close {
		text = "closed by "
	}
	return text + strings.Join(parts, ", ")
}

// byTime returns the tasks that have used a side of an object, the one that did so last first.
func (p *partners) byTime(u use) []string {
	all := p.uses[u]
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int { return cmp.Compare(all[b], all[a]) })
}

// selected is used for each channel of a select.
func (p *partners) selected(t control.TaskState) string {
	var parts []string
	for _, c := range t.Cases {
		if c.Object == 0 {
			continue
		}
		part := object(c.Object) + ": " + p.used(c.Object, sideOf(!c.Send))
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

// counted describes which tasks have counted a WaitGroup down; of those that have yet to, only the ones that its
// method Go has started are known.
func (p *partners) counted(o int) string {
	text := p.used(o, dones)
	var open []string
	for _, task := range slices.SortedFunc(slices.Values(p.started[o]), comparePaths) {
		if state := p.state(task); state != ended {
			open = append(open, task+" ("+state+")")
		}
	}
	switch n := len(open) - mostPartners; {
	case len(open) == 0 && len(p.uses[use{o, adds}]) > 0:
		return text + "; " + p.used(o, adds)
	case len(open) == 0:
		return text
	case n > 0:
		open = append(open[:mostPartners], fmt.Sprintf("%d more", n))
	}
	return text + "; its Go has started " + strings.Join(open, ", ")
}

// held describes which tasks have the lock, or run the function of the Once.
func (p *partners) held(t control.TaskState) string {
	of := holdersOf{object: t.Object, kind: t.Kind}
	if i, known := p.last[t.Path]; known && drains(p.events[i], t.Object) {
		of.drains = t.Path
	}
	text, known := p.holders[of]
	if known {
		return text
	}
	var parts []string
	for _, i := range (&wait{events: p.events, task: t}).holders() {
		part := p.did(i)
		if e := p.events[i]; !shared(e) && drains(p.events[p.last[e.Task]], t.Object) {
			part = strings.TrimSuffix(part, ")") + " for the readers)"
		}
		parts = append(parts, part)
	}
	if n := len(parts) - mostPartners; n > 0 {
		parts = append(parts[:mostPartners], fmt.Sprintf("%d more", n))
	}
	if len(parts) > 0 {
		text = "held by " + strings.Join(parts, ", ")
	}
	p.holders[of] = text
	return text
}

// did describes an event by its task, place and step, and the state of the task.
func (p *partners) did(i int) string {
	e := p.events[i]
	if e.Kind == strategy.Clock {
		return "a timer"
	}
	text := e.Task
	if e.Site.File != "" {
		text += " at " + place(e)
	}
	if e.Step > 0 {
		text += fmt.Sprintf(", step %d", e.Step)
	}
	return text + " (" + p.state(e.Task) + ")"
}

// ended is the state of a task that has ended.
const ended = "ended"

// state returns the state of a task at the end.
func (p *partners) state(task string) string {
	i := p.last[task]
	switch t, left := p.left[task]; {
	case task == p.panicked:
		return "panicked"
	case p.events[i].Kind == strategy.End:
		return ended
	case left && strings.HasPrefix(t.Waits, "waits"), !left && p.events[i].Waits:
		return "waits"
	}
	return "has not ended"
}

// closer returns the event that closed the channel on which a task panicked, and the event that panics; -1 if it
// panicked for another reason.
func closer(events []control.Event, r *control.Result) (closed, panics int) {
	task, what, _ := panicked(r)
	closes := strings.Contains(what, "close of closed channel")
	if !closes && !strings.Contains(what, "send on closed channel") {
		return -1, -1
	}
	by := map[int]int{} // the first event that has closed each channel
	for i, e := range events {
		if _, known := by[e.Object]; e.Kind == strategy.Close && !e.Waits && !known {
			by[e.Object] = i
		}
	}
	for i, e := range slices.Backward(events) {
		if e.Task != task || closes != (e.Kind == strategy.Close) || !closes && e.Kind != strategy.Send && e.Kind != strategy.Select {
			continue
		}
		objects := []int{e.Object}
		for _, c := range e.Cases {
			if c.Send {
				objects = append(objects, c.Object)
			}
		}
		for _, o := range objects {
			if j, known := by[o]; known && j != i {
				return j, i
			}
		}
	}
	return -1, -1
}

// WithCloser returns the explanation with what had closed the channel, if that is why a task panicked. It leaves
// others as they are.
func (w Wakeup) WithCloser(events []control.Event, r *control.Result) Wakeup {
	closed, panics := closer(events, r)
	if closed < 0 {
		return w
	}
	w.Closed, w.closedAt = describeEvent(events[closed]), closed
	if step := events[closed].Step; step > 0 {
		w.Closed += fmt.Sprintf(", step %d", step)
	}
	return w.citing(closed, panics)
}
