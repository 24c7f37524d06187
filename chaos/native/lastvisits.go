package native

import (
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/internal/seam"
)

// lastVisits holds events that the ring of a task no longer has: the time of the last visit of
// each point, and the last event that each fault of the plan has changed. A worker that searches
// many times before it sleeps would otherwise overwrite the notification that it failed to send
// just before.
type lastVisits struct {
	whens  []time.Duration                 // by Point.Index
	shared atomic.Pointer[[]time.Duration] // whens, for others to read
	fired  []slot                          // by fault of the plan; nil if there are none
}

// note keeps an event. Called by the task only, between Hide and Show.
//
//go:norace
func (m *lastVisits) note(e *event) {
	if i := e.point.Index; i >= len(m.whens) {
		m.grow((i + 64) &^ 63) // as task.visit
	}
	m.whens[e.point.Index] = e.when
}

// noteFired keeps an event that a fault has changed. Called by the task only, between Hide and
// Show.
//
//go:norace
func (m *lastVisits) noteFired(e *event, fault int) { m.fired[fault].write(e, e.visit+1) }

//go:norace
func (m *lastVisits) grow(size int) {
	whens := make([]time.Duration, size)
	//lint:ignore S1001 copy would be seen by the race detector
	for i, w := range m.whens {
		whens[i] = w
	}
	m.whens = whens
	m.shared.Store(&whens)
}

// older returns the last visit of each point, and the last event of each fault,
// that are older than the given time. Between Hide and Show.
//
//go:norace
func (t *task) older(than time.Duration, points []*seam.Point) []event {
	whens, counted := t.last.shared.Load(), t.counted.Load()
	room := len(points) + len(t.last.fired)
	events := make([]event, 0, room)
	for i := range t.last.fired {
		if e, stamp := t.last.fired[i].read(); stamp != 0 && e.when < than {
			n := len(events)
			events = events[:n+1]
			events[n] = e
		}
	}
	if whens == nil || counted == nil {
		return events
	}
	for _, p := range points {
		if p.Index >= len(*whens) || p.Index >= len(*counted) {
			continue
		}
		visits, when := (*counted)[p.Index], (*whens)[p.Index]
		if visits == 0 || when >= than {
			continue
		}
		n := len(events)
		events = events[:n+1]
		events[n] = event{when: when, point: p, visit: visits - 1}
	}
	return events
}
