package explain

import (
	"maps"
	"slices"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// edge adds an edge between two events, if they are of two lanes.
func (d *drawing) edge(from, to int, kind string) {
	if from < 0 || to <= from || d.events[from].Task == d.events[to].Task || d.at[from] < 0 || d.at[to] < 0 {
		return
	}
	e := Edge{d.at[from], d.at[to], kind}
	if !d.known[e] {
		d.known[e] = true
		d.Edges = append(d.Edges, e)
	}
}

// parks reports whether the task begins to wait in that operation, which the event counts as done: of a
// task of a Runtime.
func parks(events []control.Event, i int) bool {
	if i+1 == len(events) || events[i].Waits || events[i].Step == 0 {
		return false
	}
	e, next := events[i], events[i+1]
	return next.Waits && next.Task == e.Task && next.Kind == e.Kind && next.Object == e.Object
}

// A contents is what is known of a channel.
type contents struct {
	sent   []int // events that have sent what the buffer holds
	closed int
}

// drawEdges adds the edges, except those of locks.
func (d *drawing) drawEdges() {
	channels := map[int]*contents{}
	counted := map[int]map[string]int{} // the last change of a WaitGroup by each task
	for i, e := range d.events {
		if i > 0 {
			d.latest[d.events[i-1].Task] = i - 1
		}
		switch {
		case e.Waits || e.Overtaken || parks(d.events, i):
			continue
		case e.Kind == strategy.Begin && e.Source > 0 && e.Source <= i:
			kind := "go"
			if d.events[e.Source-1].Kind == strategy.Clock {
				kind = "timer"
			}
			d.edge(e.Source-1, i, kind)
		case (e.Kind == strategy.Load || e.Kind == strategy.CAS) && e.Source > 0 && e.Source <= i && isWrite(d.events[e.Source-1]):
			d.edge(e.Source-1, i, "write")
		case e.Kind == strategy.Signal:
			if counted[e.Object] == nil {
				counted[e.Object] = map[string]int{}
			}
			counted[e.Object][e.Task] = i
		case e.Kind == strategy.Wait && !d.isGroup(i):
			d.edge(e.Source-1, i, "wake")
		case e.Kind == strategy.Wait && e.Since == 0:
			d.joins(counted[e.Object], i)
		}
		d.communicates(i, channels)
		d.wakes(i, channels, counted)
	}
}

func isWrite(e control.Event) bool { return e.Kind == strategy.Store || e.Kind == strategy.CAS }

// joins adds the edges to the end of the wait for a WaitGroup.
func (d *drawing) joins(counted map[string]int, to int) {
	for _, task := range slices.Sorted(maps.Keys(counted)) {
		d.edge(counted[task], to, "join")
	}
}

// communicated returns the channel of an event, and whether it has sent; 0 if it is not a
// communication.
func communicated(e control.Event) (channel int, send bool) {
	switch {
	case e.Kind == strategy.Resume: // what it continues with was done when it was woken
		return 0, false
	case len(e.Cases) > 0 && e.Took >= 0 && e.Took < len(e.Cases):
		return e.Cases[e.Took].Object, e.Cases[e.Took].Send
	case len(e.Cases) > 0:
		return 0, false
	case e.Kind == strategy.Send || e.Kind == strategy.Receive:
		return e.Object, e.Kind == strategy.Send
	}
	return e.Via.Object, e.Via.Send
}

// communicates follows what channels hold.
func (d *drawing) communicates(i int, channels map[int]*contents) {
	e := d.events[i]
	o, send := communicated(e)
	if e.Kind == strategy.Close || e.Kind == strategy.Clock && e.Object > 0 {
		o = e.Object
	}
	if o == 0 {
		return
	}
	c := channels[o]
	if c == nil {
		c = &contents{closed: -1}
		channels[o] = c
	}
	switch {
	case e.Kind == strategy.Close:
		c.closed = i
	case e.Kind == strategy.Clock:
		c.sent = append(c.sent, i)
	case send && e.Room > 0 && !(d.runtime && len(e.Reached) > 0): // else it is handed to the receiver that waits
		c.sent = append(c.sent, i)
	case send:
	case len(c.sent) > 0 && (e.Room > 0 || d.events[c.sent[0]].Kind == strategy.Clock):
		kind := "send"
		if d.events[c.sent[0]].Kind == strategy.Clock {
			kind = "timer"
		}
		d.edge(c.sent[0], i, kind)
		c.sent = c.sent[1:]
	case c.closed >= 0 && len(e.Reached) == 0 && (e.Since == 0 || e.Source == c.closed+1):
		d.edge(c.closed, i, "close")
	}
}

// wakes adds the edges to the tasks whose waits an event ends.
func (d *drawing) wakes(i int, channels map[int]*contents, counted map[int]map[string]int) {
	e := d.events[i]
	for _, path := range e.Reached {
		p := d.waitEndedBy(i, path)
		if p < 0 {
			continue
		}
		to, wait := d.next[p], d.events[p]
		o, send := communicated(e)
		switch {
		case e.Kind == strategy.Clock:
			d.edge(i, to, "timer")
		case e.Kind == strategy.Close:
			d.edge(i, to, "close")
		case e.Kind == strategy.Unlock || e.Kind == strategy.RUnlock: // see drawLocks
		case o > 0 && send:
			d.edge(i, to, "send")
			if e.Room == 0 {
				d.edge(p, i, "receive")
			}
		case o > 0:
			d.edge(i, to, "receive")
			switch c := channels[o]; {
			case e.Room == 0:
				d.edge(p, i, "send")
			case d.runtime && c != nil: // what it has waited to send is in the buffer now
				c.sent = append(c.sent, p)
			}
		case wait.Kind == strategy.Wait && e.Kind == strategy.Signal && d.isGroup(p):
			if to >= 0 {
				d.joins(counted[e.Object], to)
			}
		default:
			d.edge(i, to, "wake")
		}
	}
}

// waitEndedBy returns the beginning of the wait of a task that the event has ended; -1 if there is none.
func (d *drawing) waitEndedBy(i int, path string) int {
	lane, known := d.lanes[path]
	if !known || d.Lanes[lane].First > d.at[i] {
		return -1
	}
	if j, known := d.latest[path]; known && d.woken[j] == i {
		return j
	}
	return -1
}

// isGroup reports whether a wait is for a WaitGroup, and not for a condition.
func (d *drawing) isGroup(p int) bool {
	for j, n := p, 0; j >= 0 && n < 4; j, n = d.before[j], n+1 { // between them it unlocks
		if joins(d.events[j]) && d.events[j].Object == d.events[p].Object {
			return false
		}
	}
	return true
}
