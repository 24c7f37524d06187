package memory

import (
	"fmt"
	"path"
	"runtime"

	"github.com/rouse-go/rouse/chaos/internal/core"
)

// A History records what an execution did to memory, for one question: can a sequentially
// consistent memory do the same? It can, exactly if the order of the program, from stores to the
// loads that read them, among the stores of each variable, and from loads to the stores that
// overwrite what they read has no cycle (Shasha and Snir, TOPLAS 1988). What synchronises
// otherwise counts as a load and a store.
type History struct {
	events []memoryEvent
	last   []int32 // event of each task, by ID, or -1
	places []span  // of each object, by number
	sites  []site
}

type memoryEvent struct {
	before int32 // the event before, of its task, or of its parent when that spawned it; -1 if none
	reads  int32 // the store that it reads, or one of the below
	after  int32 // if it stores: the store before, or initially
	next   int32 // if it stores: the one after, or -1
	object int32
	writes bool
}

const (
	initially = -1 // what the variable held before the first store
	unread    = -2 // it reads nothing
)

// A span is the first and the last store of an object; -1 if there is none.
type span struct{ first, last int32 }

// A site is the place in the source of an event that no sequentially consistent memory has: a load
// of an old store, a store that waits in a buffer.
type site struct {
	event int32
	n     int
	pcs   [24]uintptr
}

//go:norace
func (h *History) Reset() {
	h.events, h.last, h.places, h.sites = h.events[:0], h.last[:0], h.places[:0], h.sites[:0]
}

//go:norace
func (h *History) latest(t *core.Task) *int32 {
	for len(h.last) <= t.ID {
		h.last = append(h.last, -1)
	}
	return &h.last[t.ID]
}

//go:norace
func (h *History) Spawned(parent, child *core.Task) {
	last := *h.latest(parent)
	*h.latest(child) = last
}

//go:norace
func (h *History) span(o *core.Object) *span {
	for len(h.places) <= o.ID {
		h.places = append(h.places, span{-1, -1})
	}
	return &h.places[o.ID]
}

// newest returns the newest store of an object that is in memory, or initially.
//
//go:norace
func (h *History) newest(o *core.Object) int32 { return h.span(o).last }

// add records an operation of t's on o. If it stores, wrote must follow once the store has
// reached memory.
//
//go:norace
func (h *History) add(t *core.Task, o *core.Object, reads int32, writes bool) int32 {
	before := h.latest(t)
	n := int32(len(h.events))
	h.events = append(h.events, memoryEvent{before: *before, reads: reads, after: unread, next: -1, object: int32(o.ID), writes: writes})
	*before = n
	return n
}

// wrote records that a store has reached memory.
//
//go:norace
func (h *History) wrote(n int32, o *core.Object) {
	s := h.span(o)
	h.events[n].after = s.last
	if s.last >= 0 {
		h.events[s.last].next = n
	} else {
		s.first = n
	}
	s.last = n
}

// Synchronised records an operation that is ordered with all others on its object.
//
//go:norace
func (h *History) Synchronised(t *core.Task, o *core.Object) {
	h.wrote(h.add(t, o, h.newest(o), true), o)
}

// deviates records that a sequentially consistent memory does not have that operation there.
//
//go:norace
func (h *History) deviates(n int32) {
	s := site{event: n}
	s.n = runtime.Callers(3, s.pcs[:])
	h.sites = append(h.sites, s)
}

// cyclic returns which events are in a cycle, or between two cycles; nil if there is none.
func (h *History) cyclic() []bool {
	n := len(h.events)
	var from, to []int32
	edge := func(a, b int32) {
		if a >= 0 && b >= 0 && a != b {
			from, to = append(from, a), append(to, b)
		}
	}
	for i := range h.events {
		e := &h.events[i]
		edge(e.before, int32(i))
		edge(e.reads, int32(i))
		if e.writes {
			edge(e.after, int32(i))
		}
		switch {
		case e.reads == initially && int(e.object) < len(h.places): // otherwise nothing was stored there
			edge(int32(i), h.places[e.object].first)
		case e.reads >= 0:
			edge(int32(i), h.events[e.reads].next)
		}
	}
	in := make([]bool, n)
	for i := range in {
		in[i] = true
	}
	prune(in, from, to)
	if prune(in, to, from) == 0 { // what only follows a cycle goes as well
		return nil
	}
	return in
}

// prune removes from in whatever can be reached along the edges only from what has been removed,
// and returns how many are left.
func prune(in []bool, from, to []int32) int {
	n := len(in)
	degree, start := make([]int32, n), make([]int32, n+1)
	for i := range from {
		if in[from[i]] && in[to[i]] {
			degree[to[i]]++
			start[from[i]+1]++
		}
	}
	for i := range n {
		start[i+1] += start[i]
	}
	targets, fill := make([]int32, start[n]), append([]int32(nil), start[:n]...)
	for i := range from {
		if a := from[i]; in[a] && in[to[i]] {
			targets[fill[a]] = to[i]
			fill[a]++
		}
	}
	var ready []int32
	left := 0
	for i := range n {
		if in[i] {
			left++
			if degree[i] == 0 {
				ready = append(ready, int32(i))
			}
		}
	}
	for len(ready) > 0 {
		i := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		in[i] = false
		left--
		for _, b := range targets[start[i]:start[i+1]] {
			if degree[b]--; degree[b] == 0 {
				ready = append(ready, b)
			}
		}
	}
	return left
}

// Cause describes the first event that no sequentially consistent memory can have; "" if there is
// none.
func (h *History) Cause() string {
	if len(h.sites) == 0 {
		return ""
	}
	in := h.cyclic()
	if in == nil {
		return ""
	}
	for i := range h.sites {
		s := &h.sites[i]
		if !in[s.event] {
			continue
		}
		where := "an unknown place"
		if f := core.SubjectFrames(s.pcs[:s.n]); len(f) > 0 {
			where = fmt.Sprintf("%s:%d", path.Base(f[0].File), f[0].Line)
		}
		if h.events[s.event].writes {
			return "the store at " + where + " is in its buffer while what follows it is done"
		}
		return "the load at " + where + " reads a store that is not the newest"
	}
	return ""
}
