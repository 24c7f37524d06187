package control

import (
	"path"
	"runtime"
	"strings"
)

// setName names a task of a Runtime by the function that its go statement calls, given the frames of its
// stack; the task of a test has the name of the test then. Only traces and states of tasks have names, so
// that others cost nothing.
//
//go:norace
func setName(t *task, frames []runtime.Frame) {
	if t.label == "" && len(frames) > 0 {
		t.label = shortName(frames[len(frames)-1].Function)
	}
}

// shortName is the name of a function without that of its package.
func shortName(function string) string {
	name := path.Base(function)
	if _, inner, ok := strings.Cut(name, "."); ok {
		name = inner
	}
	return name
}
