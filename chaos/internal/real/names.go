package real

import (
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/chaos/internal/core"
)

// setEntry records which function a task of a Runtime runs, given the frames of its stack.
//
//go:norace
func setEntry(t *core.Task, frames []runtime.Frame) {
	if t.Entry == "" && len(frames) > 0 {
		t.Entry = shortName(frames[len(frames)-1].Function)
	}
}

// shortName returns the name of a function without its package's.
func shortName(function string) string {
	name := path.Base(function)
	if _, inner, ok := strings.Cut(name, "."); ok {
		name = inner
	}
	return name
}

// goStatement returns the place in the user's code of a go statement that parent has executed since its
// last point, "queue.go:31": that of the statement at pc or, if a library has it, where the user has
// called the library; "" if it is unknown. The stack of the last point shows that call: a library that
// starts a goroutine counts it first.
//
//go:norace
func (s *Tasks) goStatement(parent *core.Task, pc uintptr) string {
	if pc == 0 {
		return ""
	}
	at, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	if s.isOwn(at.Function) {
		return lineOf(at)
	}
	called := false
	for next, more := runtime.CallersFrames(of(parent).pcs), len(of(parent).pcs) > 0; more; {
		var f runtime.Frame
		f, more = next.Next()
		called = called || f.Function == at.Function
		if called && s.isOwn(f.Function) {
			return lineOf(f)
		}
	}
	if mechanical(at) || isStandard(at.File) {
		return ""
	}
	return lineOf(at)
}

func lineOf(f runtime.Frame) string { return fmt.Sprintf("%s:%d", path.Base(f.File), f.Line) }

// isOwn reports whether a function is the user's own: of one of the modules of Options.Own.
//
//go:norace
func (e *Tasks) isOwn(function string) bool {
	for _, module := range e.own {
		rest, is := strings.CutPrefix(function, module)
		if is && (strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "_test.")) {
			return true
		}
	}
	return false
}

// symbolsOf returns the beginnings of the names of functions in modules. In a package whose path is the
// module's, the dots after the last slash are escaped.
func symbolsOf(modules []string) (all []string) {
	for _, m := range modules {
		all = append(all, m)
		if dir, last := path.Split(m); strings.Contains(last, ".") {
			all = append(all, dir+strings.ReplaceAll(last, ".", "%2e"))
		}
	}
	return all
}
