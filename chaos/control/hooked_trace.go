package control

import (
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// traceEvent completes an event with its place.
//
//go:norace
func (e *hookedTasks) traceEvent(t *task, kind strategy.Kind, o *object, event *Event) {
	var pcs [32]uintptr
	call, site := caller(pcs[:runtime.Callers(4, pcs[:])])
	switch kind {
	case strategy.Begin, strategy.End, strategy.Flush:
	default:
		event.Site = site
	}
	switch {
	case t.causes.noPoint && call != "" && o != nil && kind != strategy.Sleep:
		event.Call = call
	case t.causes.noPoint && (call != "" || kind == strategy.Sleep), kind == strategy.Begin, kind == strategy.End, kind == strategy.Flush, kind == strategy.Fence, kind == strategy.Yield:
	case kind == strategy.Sleep && o == nil: // it was held
	case e.control.Passed != nil:
		event.Point = e.control.Passed.Name
	}
	t.causes.noPoint = false
}

// caller finds the innermost function of the subject, and the name of the drop-in that it has
// called.
func caller(pcs []uintptr) (call string, site runtime.Frame) {
	for next := runtime.CallersFrames(pcs); len(pcs) > 0; {
		f, more := next.Next()
		if !ofEngine(f.Function) {
			return call, f
		}
		if name, ok := strings.CutPrefix(f.Function, modulePath+"hooks"); ok {
			pkg, _, _ := strings.Cut(strings.TrimPrefix(name, "/"), ".")
			if call = strings.TrimPrefix(pkg+name[strings.LastIndexByte(name, '.'):], "."); strings.HasPrefix(call, pkg+".func") {
				call = "" // a function that a drop-in has returned
			}
		}
		if !more {
			break
		}
	}
	return call, site
}

// traceFiring records that a timer fires.
//
//go:norace
func (e *hookedTasks) traceFiring(r *timer) {
	event := Event{Kind: strategy.Clock, Op: -1}
	if r.armed > 0 {
		event.Site = e.traced[r.armed-1].Site
		event.Outcome = "armed by " + e.traced[r.armed-1].Task
	}
	e.record(nil, event)
	if r.sleeper != nil {
		e.reach(r.sleeper)
	}
}
