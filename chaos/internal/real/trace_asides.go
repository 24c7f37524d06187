package real

import (
	"fmt"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// This file traces what is no operation of a task: where the timers that fire were armed, and the use of a sync.Pool.

// An arming is where a task has armed a timer.
type arming struct {
	place
	task *core.Task
}

//go:norace
func (s *Tasks) Arms() (place int32) {
	t := s.Running()
	if t == nil || !s.Tracing {
		return 0
	}
	s.arming = append(s.arming, arming{s.stackOf(t), t})
	return int32(len(s.arming))
}

// traceFired records that timers have fired.
//
//go:norace
func (s *Tasks) traceFired() {
	event := core.Event{Kind: strategy.Clock, Op: -1}
	if n := int(s.runtime.Fired()); n > 0 && n <= len(s.arming) {
		a := s.arming[n-1]
		event.Outcome = "armed by " + a.task.Path()
		setPlace(&event, a.place)
	}
	s.Record(nil, event)
	for _, t := range s.timed {
		if last := s.LastTraced(); len(last.Reached) < core.MostReached {
			last.Reached = append(last.Reached, t.Path())
		}
	}
	s.timed = s.timed[:0]
}

// A pooled is a use of a sync.Pool, by the number of the pool and the address of what the pool has of the item.
type pooled struct {
	place
	pool int
	item uintptr
	put  bool
}

//go:norace
func (s *Tasks) Pooled(pool unsafe.Pointer, item uintptr, put bool) {
	t := s.Running()
	if t == nil || !s.Tracing {
		return
	}
	p := s.stackOf(t)
	if p.call != "sync.(*Pool).Get" && p.call != "sync.(*Pool).Put" || len(p.frames) == 0 || isStandard(p.frames[0].File) {
		return // of a library
	}
	of(t).pooled = append(of(t).pooled, pooled{p, s.Pools.At(pool).ID, item, put})
}

// tracePooled records how t has used pools since the operation that was recorded last.
//
//go:norace
func (s *Tasks) tracePooled(t *core.Task) {
	for _, p := range of(t).pooled {
		event := core.Event{Kind: strategy.Point, Op: -1, Object: -p.pool}
		setPlace(&event, p.place)
		if !p.put && p.item == 0 {
			event.Outcome = "empty"
		} else if i := s.items[p.item]; !p.put && i > 0 {
			event.Source, event.Outcome = i, fmt.Sprintf("put at step %d", s.Traced[i-1].Step)
		}
		s.Record(t, event)
		if p.put {
			if s.items == nil {
				s.items = map[uintptr]int{}
			}
			s.items[p.item] = len(s.Traced)
		}
	}
	of(t).pooled = of(t).pooled[:0]
}

// numberPools replaces the numbers of pools in a trace, which are below 0: they come after those of all objects, whose
// numbers must not depend on whether the execution is traced.
//
//go:norace
func (s *Tasks) numberPools() {
	for i := range s.Traced {
		if e := &s.Traced[i]; e.Object < 0 {
			e.Object = s.Objects.Used - e.Object
		}
	}
}
