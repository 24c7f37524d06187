package driver

import (
	"fmt"
	"internal/rouse/internal/goroutines"
	"path"
	"runtime"
	"strings"
)

// sources lists what the last execution did that the runtime does not control, with the first places.
func sources() (lines []string) {
	for _, s := range runtime.RouseSources() {
		line := fmt.Sprintf("%s, %d times", s.What, s.Count)
		var places []string
		for _, pcs := range s.Stacks {
			if at := place(pcs); len(places) == 0 || places[len(places)-1] != at {
				places = append(places, at)
			}
		}
		if len(places) > 0 {
			line += ": " + strings.Join(places, ", ")
		}
		lines = append(lines, line)
	}
	return lines
}

// place is the innermost function of a stack that is not of the standard library, or else its outermost
// one.
func place(pcs []uintptr) string {
	at := "an unknown place"
	for frames := runtime.CallersFrames(pcs); ; {
		f, more := frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, "testing.") && !strings.HasPrefix(f.Function, "runtime.goexit") {
			at = fmt.Sprintf("%s (%s:%d)", goroutines.Short(f.Function), path.Base(f.File), f.Line)
			if !strings.HasPrefix(f.File, runtime.GOROOT()) {
				return at
			}
		}
		if !more {
			return at
		}
	}
}

// lack is what the last execution has asked for and could not have, with the place; "" is nothing.
func lack() string {
	what, pcs := runtime.RouseLack()
	if what == "" {
		return ""
	}
	for i, pc := range pcs {
		if pc == 0 {
			pcs = pcs[:i]
			break
		}
	}
	return what + ": " + place(pcs)
}
