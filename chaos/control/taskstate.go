package control

import (
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// A TaskState says where a task stands that has not ended.
type TaskState struct {
	Path  string        // "main/0"
	Name  string        // as set by hooks.Name; "" if it was not
	Kind  strategy.Kind // of what it is about to do
	Waits string        // what for, for people
	Stack []runtime.Frame
	// Object is what it waits for, as Event.Object numbers it; 0 is nothing. Of a
	// communication, Cases has all.
	Object int
	Cases  []ChannelCase
	moved  bool // in the second half of an execution that was cut
}

// Title is how people call the task of that path and, unless it is "", name.
func Title(path, name string) string {
	if name == "" {
		return path
	}
	return path + " (" + name + ")"
}

// String returns a headline and a line for each frame of the subject.
func (s TaskState) String() string {
	var b strings.Builder
	b.WriteString("task " + Title(s.Path, s.Name) + " " + s.Waits + "\n")
	for _, f := range s.Stack {
		fmt.Fprintf(&b, "    %s\n        %s:%d\n", f.Function, f.File, f.Line)
	}
	return b.String()
}

// Place is the innermost function of the subject itself, with file and line.
func (s TaskState) Place() string {
	for _, f := range s.Stack {
		return fmt.Sprintf("%s (%s:%d)", path.Base(f.Function), path.Base(f.File), f.Line)
	}
	return "its beginning"
}

// Site is where a failure shows, for comparing two: the places of the tasks that are part
// of the verdict, or the summary. "" if the execution has passed.
func (r Result) Site() string {
	if len(r.Tasks) == 0 {
		return r.Summary
	}
	var places []string
	for _, t := range r.Tasks {
		places = append(places, t.Place())
	}
	slices.Sort(places)
	return strings.Join(places, "; ")
}

// Title is how people call the task.
func (s TaskState) Title() string { return Title(s.Path, s.Name) }

// Doing is Waits without the point that the task passed last.
func (s TaskState) Doing() string {
	doing, _, _ := strings.Cut(s.Waits, ", past ")
	return doing
}

// waitsFor says what the task is about to do.
func (t *task) describe() string {
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
		if t.awaits != nil {
			doing = "is held until " + t.awaits.Name
		}
	default:
		doing = "is about to " + t.Op.Kind.String()
	}
	if t.point != nil {
		doing += ", past " + t.point.Name
	}
	return doing
}

// subjectFrames leaves out what is not the subject's: the engine and the drop-ins.
func subjectFrames(pcs []uintptr) []runtime.Frame {
	if len(pcs) == 0 {
		return nil
	}
	var all []runtime.Frame
	for next := runtime.CallersFrames(pcs); ; {
		f, more := next.Next()
		if !ofEngine(f.Function) {
			all = append(all, f)
		}
		if !more {
			return all
		}
	}
}

const modulePath = "github.com/rouse-go/rouse/"

func ofEngine(function string) bool {
	for _, p := range []string{"chaos/control.(*", "chaos.(*exploration).", "chaos.(*C).", "hooks.", "hooks/", "internal/seam."} {
		if strings.HasPrefix(function, modulePath+p) && !strings.HasSuffix(function, "_test") {
			return true
		}
	}
	return strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "iter.")
}

// summarize says in one line who is stuck where.
func summarize(o outcome) string {
	if o.cut {
		return summarizeCut(o)
	}
	var parts []string
	for _, s := range o.tasks {
		parts = append(parts, fmt.Sprintf("%s %s in %s", s.Path, s.Waits, s.Place()))
	}
	what := strings.Join(parts, "; ")
	switch o.verdict {
	case verdict.Leak:
		return "the body has returned, but " + what
	case verdict.Deadlock:
		return "nobody can go on: " + what
	}
	return what
}
