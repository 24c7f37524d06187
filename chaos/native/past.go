package native

import (
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/internal/seam"
)

// A past is what a task remembers when its ring has forgotten it: when it visited
// each point last, and the last event that each fault of the plan has changed.
// A worker on its way to sleep searches many times, and would otherwise leave no
// trace of the notification that it failed to send just before.
type past struct {
	whens  []time.Duration                 // by Point.Index
	shared atomic.Pointer[[]time.Duration] // whens, for others to read
	fired  []slot                          // by fault of the plan; nil if there are none
}

// note remembers an event. Called by the task only, between Hide and Show.
//
//go:norace
func (m *past) note(e *event) {
	if i := e.point.Index; i >= len(m.whens) {
		m.grow((i + 64) &^ 63) // as task.visit
	}
	m.whens[e.point.Index] = e.when
}

// noteFired remembers what a fault has done. Called by the task only, between
// Hide and Show.
//
//go:norace
func (m *past) noteFired(e *event, fault int) { m.fired[fault].write(e, e.visit+1) }

//go:norace
func (m *past) grow(size int) {
	whens := make([]time.Duration, size)
	//lint:ignore S1001 copy would tell the race detector
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
	whens, counted := t.past.shared.Load(), t.counted.Load()
	room := len(points) + len(t.past.fired)
	events := make([]event, 0, room)
	for i := range t.past.fired {
		if e, stamp := t.past.fired[i].read(); stamp != 0 && e.when < than {
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
