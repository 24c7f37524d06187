package hooked

import (
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// TraceEvent completes an event with its place.
//
//go:norace
func (e *Tasks) TraceEvent(t *core.Task, kind strategy.Kind, o *core.Object, event *core.Event) {
	var pcs [32]uintptr
	call, site := caller(pcs[:runtime.Callers(4, pcs[:])])
	switch kind {
	case strategy.Begin, strategy.End, strategy.Flush:
	default:
		event.Site = site
	}
	switch {
	case t.Causes.NoPoint && call != "" && o != nil && kind != strategy.Sleep:
		event.Call = call
	case t.Causes.NoPoint && (call != "" || kind == strategy.Sleep), kind == strategy.Begin, kind == strategy.End, kind == strategy.Flush, kind == strategy.Fence, kind == strategy.Yield:
	case kind == strategy.Sleep && o == nil: // it was held
	case e.Control.Passed != nil:
		event.Point = e.Control.Passed.Name
	}
	t.Causes.NoPoint = false
}

// caller finds the innermost function of the subject, and the name of the drop-in that it has
// called.
func caller(pcs []uintptr) (call string, site runtime.Frame) {
	for next := runtime.CallersFrames(pcs); len(pcs) > 0; {
		f, more := next.Next()
		if !core.OfEngine(f.Function) {
			return call, f
		}
		if name, ok := strings.CutPrefix(f.Function, core.ModulePath+"hooks"); ok {
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
func (e *Tasks) traceFiring(r *timer) {
	event := core.Event{Kind: strategy.Clock, Op: -1}
	if r.armed > 0 {
		event.Site = e.Traced[r.armed-1].Site
		event.Outcome = "armed by " + e.Traced[r.armed-1].Task
	}
	e.Record(nil, event)
	if r.sleeper != nil {
		e.Reach(r.sleeper)
	}
}
