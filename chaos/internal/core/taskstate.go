package core

import (
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/goroutines"
)

// A TaskState describes where a task that has not ended is stopped.
type TaskState struct {
	Path  string        // "main/0"
	Name  string        // as Event.Name
	Entry string        // as Event.Entry
	Kind  strategy.Kind // of the operation that it is about to do
	Waits string        // what it is about to do or waits for, in words
	Stack []runtime.Frame
	Call  string // the function that the innermost frame calls, of a task of a Runtime
	// Object is the number, as in Event.Object, of the object that it waits for; 0 if none. Cases
	// has all channels of a communication.
	Object int
	Cases  []ChannelCase
	// Since is the step in which the wait began, of a task of a Runtime; 0 if unknown.
	Since int
	Moved bool // it made a step in the second half of an execution that was cut
}

// Title returns the title of a task for the user: its path and, unless it is "", its name.
func Title(path, name string) string {
	if name == "" {
		return path
	}
	return path + " (" + name + ")"
}

// String returns a headline and a line for each frame of the subject.
func (s TaskState) String() string {
	var b strings.Builder
	b.WriteString("task " + s.Title() + " " + s.Waits)
	if s.Object > 0 && s.Since > 0 {
		fmt.Fprintf(&b, " [%d], since step %d", s.Object, s.Since)
	}
	b.WriteByte('\n')
	for _, f := range s.Stack {
		fmt.Fprintf(&b, "    %s\n        %s:%d\n", f.Function, f.File, f.Line)
	}
	return b.String()
}

// Place returns the innermost function of the subject itself, with file and line.
func (s TaskState) Place() string {
	for _, f := range s.Stack {
		return fmt.Sprintf("%s (%s:%d)", goroutines.Short(f.Function), path.Base(f.File), f.Line)
	}
	return "its beginning"
}

// Title returns the title of the task for the user.
func (s TaskState) Title() string { return Title(s.Path, s.Name) }

// Doing returns Waits without the point that the task passed last.
func (s TaskState) Doing() string {
	doing, _, _ := strings.Cut(s.Waits, ", after ")
	return doing
}

// Describe returns what the task is about to do, in words.
func (t *Task) Describe() string {
	doing := ""
	switch t.Op.Kind {
	case strategy.Begin:
		doing = "has not begun"
	case strategy.Lock, strategy.RLock, strategy.Drain:
		doing = "waits for a lock"
	case strategy.Wait:
		doing = "waits to be woken"
	case strategy.Once:
		doing = "waits for a Once"
	case strategy.Send:
		doing = "waits to send"
	case strategy.Receive:
		doing = "waits to receive"
	case strategy.Select:
		doing = "waits in a select"
	case strategy.Sleep:
		doing = "sleeps"
		if t.Awaits != nil {
			doing = "is held until " + t.Awaits.Name
		}
	default:
		doing = "is about to " + t.Op.Kind.String()
	}
	if t.Point != nil {
		doing += ", after " + t.Point.Name
	}
	return doing
}

// SubjectFrames returns the frames of pcs without those of the engine and the drop-ins.
func SubjectFrames(pcs []uintptr) []runtime.Frame {
	if len(pcs) == 0 {
		return nil
	}
	var all []runtime.Frame
	for next := runtime.CallersFrames(pcs); ; {
		f, more := next.Next()
		if !OfEngine(f.Function) {
			all = append(all, f)
		}
		if !more {
			return all
		}
	}
}

// ModulePath begins the paths of the packages of this module. Package goroot replaces it below GOROOT.
const ModulePath = "github.com/rouse-go/rouse/"

// OfMachinery reports whether a function is of the engine: a method of package control, or in a package below
// chaos/internal.
func OfMachinery(function string) bool {
	return strings.HasPrefix(function, ModulePath+"chaos/control.(") || strings.HasPrefix(function, ModulePath+"chaos/internal/")
}

// OfEngine reports whether a function is of the engine, of what runs it, or of the drop-ins.
func OfEngine(function string) bool {
	if OfMachinery(function) {
		return true
	}
	for _, p := range []string{"chaos.(*exploration).", "chaos.(*C).", "hooks.", "hooks/", "internal/seam."} {
		if strings.HasPrefix(function, ModulePath+p) && !strings.HasSuffix(function, "_test") {
			return true
		}
	}
	return strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "iter.")
}
