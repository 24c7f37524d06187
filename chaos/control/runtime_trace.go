package control

import (
	"cmp"
	"path"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// traceStack keeps the stack of t at the point where it announces an operation: when the operation is
// recorded, t is elsewhere.
//
//go:norace
func (s *runtimeTasks) traceStack(t *task) {
	var pcs [64]uintptr
	n := s.runtime.Stack(t.real.number, pcs[:])
	t.real.pcs = append(t.real.pcs[:0], pcs[:n]...)
}

// traceEvent completes an event of t with its place.
//
//go:norace
func (s *runtimeTasks) traceEvent(t *task, kind strategy.Kind, _ *object, event *Event) {
	switch kind {
	case strategy.Begin, strategy.End:
		return
	}
	p := s.placeOf(t.real.pcs)
	setEntry(t, p.frames)
	event.Call = p.call
	if len(p.frames) > 0 {
		event.Site, event.Callers = p.frames[0], p.frames[1:]
		event.Standard = isStandard(event.Site.File)
		event.Joins = kind == strategy.Signal && p.inner == "sync.(*Cond).Wait"
	}
}

// A place is derived from the frames of a stack, and kept: a loop comes to the same stacks again
// and again.
type place struct {
	frames []runtime.Frame // the user's
	// call is the function that the innermost of them calls, and inner the innermost one that is called
	// and not of the runtime: "errgroup.(*Group).Wait", and "sync.(*WaitGroup).Wait".
	call, inner string
}

//go:norace
func (s *runtimeTasks) placeOf(pcs []uintptr) place {
	if len(pcs) == 0 {
		return place{}
	}
	key := string(unsafe.Slice((*byte)(unsafe.Pointer(&pcs[0])), len(pcs)*int(unsafe.Sizeof(pcs[0]))))
	p, known := s.places[key]
	if !known {
		p = s.newPlace(pcs)
		if s.places == nil {
			s.places = map[string]place{}
		}
		s.places[key] = p
	}
	return p
}

// traceParked records that t begins to wait.
//
//go:norace
func (s *runtimeTasks) traceParked(t *task) {
	op := t.real.waitingIn()
	event := Event{Kind: op.Kind, Op: -1, Waits: true, Object: op.Object}
	s.traceEvent(t, event.Kind, nil, &event)
	s.record(t, event)
	t.causes.since = len(s.traced)
}

// stackOf returns where a task is.
func (s *runtimeTasks) stackOf(t *task) place {
	pcs := make([]uintptr, 128)
	return s.newPlace(pcs[:s.runtime.Stack(t.real.number, pcs)])
}

func (s *runtimeTasks) newPlace(pcs []uintptr) (p place) {
	if len(pcs) == 0 {
		return p
	}
	if p.frames = s.userFrames(pcs); len(p.frames) > 0 {
		p.inner, p.call = calledBy(pcs, p.frames[0])
	} else {
		p.inner, _ = calledBy(pcs, runtime.Frame{})
		p.call = p.inner
	}
	return p
}

// userFrames returns the frames of the user's own modules; if there are none, those of other modules; if
// there are none, those of the standard library without the runtime, packages sync, syscall and testing, and
// the engine; if there are none, those of package syscall.
func (s *runtimeTasks) userFrames(pcs []uintptr) []runtime.Frame {
	if len(pcs) == 0 {
		return nil
	}
	var own, user, standard, calls []runtime.Frame
	for next := runtime.CallersFrames(pcs); ; {
		f, more := next.Next()
		switch {
		case f.Function == "" || mechanical(f.Function) || ofLibrary(f.Function) || isPatch(f.File):
		case isStandard(f.File) && strings.HasPrefix(f.Function, "syscall."):
			calls = append(calls, f)
		case isStandard(f.File):
			standard = append(standard, f)
		default:
			user = append(user, f)
			if s.isOwn(f.Function) {
				own = append(own, f)
			}
		}
		if !more {
			break
		}
	}
	switch {
	case len(own) > 0:
		return own
	case len(user) > 0:
		return user
	case len(standard) > 0:
		return standard
	}
	return calls
}

// isPatch reports whether a file is one that the overlay has added to the standard library. The name of a function in
// it may be that of another package: "syscall.rouseSystem" is in runtime/rouse_system.go.
func isPatch(file string) bool {
	return strings.HasPrefix(path.Base(file), "rouse") && isStandard(file)
}

// mechanical reports whether a function belongs to the machinery, which users do not look for.
func mechanical(function string) bool {
	for _, p := range []string{"runtime.", "runtime/", "sync.", "sync/", "internal/", "testing.", "testing/", "iter.", "reflect.", modulePath + "chaos/control.("} {
		if strings.HasPrefix(function, p) {
			return true
		}
	}
	return false
}

// ofLibrary reports whether a function is of the packages chaos and hooks of the subject's module, which
// the engine is another copy of.
func ofLibrary(function string) bool {
	name, ok := strings.CutPrefix(function, "github.com/rouse-go/rouse") // a slash would make it that of the copy
	if !ok {
		return false
	}
	for _, p := range []string{"/chaos.", "/hooks.", "/hooks/", "/internal/seam."} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// isStandard reports whether a file is of the standard library.
func isStandard(file string) bool {
	root := standardRoot()
	if root == "" { // built with -trimpath: "sync/mutex.go" beside "example.com/m@v1.0.0/x.go"
		first, _, nested := strings.Cut(file, "/")
		return nested && first != "" && !strings.Contains(first, ".") && !strings.HasPrefix(file, "./")
	}
	return strings.HasPrefix(file, root)
}

// standardRoot returns the folder of the standard library's sources, with a slash; "" if the binary
// does not know it.
var standardRoot = sync.OnceValue(func() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
	for {
		f, more := frames.Next()
		if root, ok := strings.CutSuffix(f.File, "runtime/extern.go"); ok && f.Function == "runtime.Callers" {
			return root
		}
		if !more {
			return ""
		}
	}
})

// calledBy returns the innermost function on a stack that is not of the runtime, and the function that
// the user's frame has called; "" if it is itself the innermost.
func calledBy(pcs []uintptr, site runtime.Frame) (inner, call string) {
	for next := runtime.CallersFrames(pcs); ; {
		f, more := next.Next()
		if f == site {
			break
		}
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") && !strings.HasPrefix(f.Function, "internal/") && !(strings.Contains(path.Base(f.Function), ".rouse") && isPatch(f.File)) {
			call = f.Function
			inner = cmp.Or(inner, call)
		}
		if !more {
			break
		}
	}
	return inner, call
}
