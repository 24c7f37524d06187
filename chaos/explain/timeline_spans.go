package explain

import (
	"slices"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// Kinds of spans.
const (
	hold    = "hold"
	reading = "hold for reading"
	waits   = "wait"
)

// A lockState is what is known of a lock: the indexes of its holds among the spans, and the events that
// have given it up last.
type lockState struct {
	holds    []int // all of them
	open     []int // those that have not ended
	unlocked int
	read     []int // since the last one that held it alone
}

// An acquisition is when a task takes a lock: by its event by, at the event at, which may be another task's.
type acquisition struct {
	by, at, to int // to: the event of the task at or after it
	kind       string
}

// acquires returns how the event takes a lock; nil if it does not.
func (d *drawing) acquires(i int) *acquisition {
	e := d.events[i]
	a := &acquisition{by: i, at: i, to: i, kind: hold}
	switch next := d.next[i]; {
	case e.Overtaken || e.Waits:
		return nil
	case e.Kind == strategy.Drain: // a writer that had announced itself
		if d.before[i] < 0 {
			return nil
		}
	case !takes(e):
		return nil
	case shared(e):
		a.kind = reading
	case next >= 0 && d.events[next].Kind == strategy.Drain && d.events[next].Object == e.Object:
		return nil
	}
	if parks(d.events, i) {
		if a.at, a.to = d.woken[i+1], d.next[i+1]; a.at < 0 {
			return nil
		}
	}
	return a
}

// drawLocks adds the spans of held locks, the edges between them, and, for tasks of a Runtime, the waits
// for them, which are not events.
func (d *drawing) drawLocks() map[int]*lockState {
	locks, later := map[int]*lockState{}, map[int][]*acquisition{}
	of := func(o int) *lockState {
		if locks[o] == nil {
			locks[o] = &lockState{unlocked: -1}
		}
		return locks[o]
	}
	for i, e := range d.events {
		switch {
		case e.Waits || e.Overtaken:
		case e.Kind == strategy.Unlock:
			d.release(of(e.Object), i, hold)
			of(e.Object).unlocked = i
		case e.Kind == strategy.RUnlock:
			d.release(of(e.Object), i, reading)
			of(e.Object).read = append(of(e.Object).read, i)
		}
		if a := d.acquires(i); a != nil {
			later[a.at] = append(later[a.at], a)
		}
		for _, a := range later[i] {
			d.acquire(of(d.events[a.by].Object), a)
		}
		delete(later, i)
	}
	return locks
}

// release ends a hold: that of the task, or of another one that it unlocks for.
func (d *drawing) release(l *lockState, i int, kind string) {
	lane, found := d.lanes[d.events[i].Task], -1
	for n, s := range l.open {
		if span := d.Spans[s]; span.Kind == kind && (found < 0 || span.Lane == lane) {
			found = n
		}
	}
	if found >= 0 {
		d.Spans[l.open[found]].To = d.at[i]
		l.open = slices.Delete(l.open, found, found+1)
	}
}

// acquire begins a hold.
func (d *drawing) acquire(l *lockState, a *acquisition) {
	e := d.events[a.by]
	if d.runtime && a.at == a.by {
		if from := d.heldSince(l, a.kind, d.before[a.by], d.lanes[e.Task], d.at[a.by]); from >= 0 {
			d.Spans = append(d.Spans, Span{d.lanes[e.Task], waits, e.Object, from, d.at[a.by]})
		}
	}
	d.edge(l.unlocked, a.to, "unlock")
	if a.kind == hold {
		for _, i := range l.read {
			d.edge(i, a.to, "unlock")
		}
		l.read = nil
	}
	l.holds, l.open = append(l.holds, len(d.Spans)), append(l.open, len(d.Spans))
	d.Spans = append(d.Spans, Span{d.lanes[e.Task], a.kind, e.Object, d.at[a.at], -1})
}

// heldSince returns the step since which a task that stands before a lock after the event before, and until
// a step, cannot take it, as others hold it; -1 if that is not so.
func (d *drawing) heldSince(l *lockState, kind string, before, lane, until int) (from int) {
	if before < 0 {
		return -1
	}
	begin := d.at[before]
	if d.events[before].Waits { // it comes to the lock only when that wait has ended
		if d.woken[before] < 0 {
			return -1
		}
		begin = d.at[d.woken[before]]
	}
	from = -1
	for _, s := range slices.Backward(l.holds) {
		switch span := d.Spans[s]; {
		case span.To >= 0 && span.To <= begin:
			return from
		case span.Lane == lane && span.To >= 0, span.From >= until, kind == reading && span.Kind == reading:
		default:
			from = max(begin, span.From)
		}
	}
	return from
}

// drawWaits adds the spans of waits, and what tasks wait for at the end.
func (d *drawing) drawWaits(locks map[int]*lockState) {
	for i, e := range d.events {
		if !e.Waits || e.Overtaken {
			continue
		}
		s := Span{d.lanes[e.Task], waits, e.Object, d.at[i], -1}
		if next := d.next[i]; next >= 0 {
			s.To = d.at[next]
		} else if stands, does := d.stands[e.Task]; does {
			s.To = stands
		}
		d.Spans = append(d.Spans, s)
	}
	left, known := map[string]bool{}, d.report.partners()
	for _, t := range d.report.Result.Tasks {
		left[t.Path] = true
		w := Wait{Task: t.Path, Object: t.Object, Text: t.Waits, Partners: known.of(t)}
		for _, kind := range []string{hold, reading} {
			w.For = append(w.For, d.holders(locks[t.Object], t.Path, t.Kind, kind)...)
		}
		if stands, does := d.stands[t.Path]; does {
			d.Spans = append(d.Spans, Span{d.lanes[t.Path], waits, t.Object, stands, -1})
		}
		if len(w.For) == 0 {
			w.For = d.partners(t.Path, t.Kind, w.Object)
		}
		d.Waits = append(d.Waits, w)
	}
	for _, l := range d.Lanes { // in the order of their beginning
		if i := d.last[l.Task]; !left[l.Task] && len(d.report.Result.Tasks) == 0 && d.events[i].Waits {
			e := d.events[i]
			d.Waits = append(d.Waits, Wait{Task: l.Task, For: d.partners(l.Task, e.Kind, e.Object), Object: e.Object, Text: "waits: " + operation(e)})
		}
	}
}

func isLock(k strategy.Kind) bool {
	return k == strategy.Lock || k == strategy.RLock || k == strategy.Drain
}

// holders returns the tasks that hold a lock in that way, for a task that waits for it.
func (d *drawing) holders(l *lockState, task string, waitsIn strategy.Kind, kind string) (all []string) {
	if l == nil || waitsIn == strategy.RLock && kind == reading {
		return nil
	}
	for _, s := range l.open {
		if span := d.Spans[s]; span.Kind == kind {
			if holder := d.Lanes[span.Lane].Task; !slices.Contains(all, holder) && (holder != task || isLock(waitsIn)) {
				all = append(all, holder)
			}
		}
	}
	return all
}

// partners returns the tasks that have not ended and have done before what would end such a wait.
func (d *drawing) partners(task string, kind strategy.Kind, o int) (all []string) {
	if o == 0 {
		return nil
	}
	ended := map[string]bool{}
	for t, i := range d.last {
		ended[t] = d.events[i].Kind == strategy.End
	}
	for _, e := range d.events {
		if e.Task == task || e.Object != o && e.Via.Object != o || e.Waits || ended[e.Task] || e.Task == "clock" || slices.Contains(all, e.Task) {
			continue
		}
		if ends(kind, e) {
			all = append(all, e.Task)
		}
	}
	return all
}

// ends reports whether an event does what ends a wait of that kind.
func ends(kind strategy.Kind, e control.Event) bool {
	_, send := communicated(e)
	switch kind {
	case strategy.Receive:
		return send || e.Kind == strategy.Close
	case strategy.Send:
		return !send && (e.Kind == strategy.Receive || e.Kind == strategy.Select)
	case strategy.Wait:
		return e.Kind == strategy.Signal && !joins(e)
	}
	return false
}
