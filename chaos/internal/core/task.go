package core

import (
	"fmt"
	"path"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/goroutines"
	"github.com/rouse-go/rouse/internal/seam"
)

// A Task is a goroutine of the subject, from its creation to its end. Its fields belong to the
// running task and the engine. It is the first field of what the front end keeps of a task.
type Task struct {
	strategy.Task // what strategies see

	engine  *Engine
	Body    func()
	Starter *Task
	number  int // among its parent's children
	Label   string
	named   string // its path, once computed

	children int  // so far
	Returned bool // the body has returned, rather than panicked or left by Goexit
	Ended    bool
	Granted  bool // another task has done the operation for it
	// Signalled is set when the task is taken out of a condition's queue, which may be before it
	// waits: it may still be unlocking.
	Signalled      bool
	Decisions      int32 // before its next operation
	DecisionsAfter int32 // directly after its last one
	Published      int   // Ops when DecisionsAfter was last reset

	Object     *Object     // of the pending operation; of a select, the first one
	Point      *seam.Point // passed last
	Cases      []seam.Case // of a communication
	HasDefault bool        // of a select
	Chosen     int         // the case that a partner has done
	sames      int         // selects in a row that have taken lastCase, of several that were ready
	lastCase   int
	turns      int // how often another case was taken in place of lastCase
	Missed     int // polls that found nothing although it had announced the communication they wanted
	Idles      int // execution.Idles at the announcement

	Spin *reads
	// Repeating: the task has repeated itself, and may do so again. solo: it therefore makes this
	// step without a choice. endless: it has run alone for as long as it may.
	Repeating, solo, endless bool
	Moved                    int // the execution's step when the task last made one
	Enabled                  int // the step at which it was last enabled
	Continues                int // the step since which it can continue, if it had to wait; its last own one may be later

	visits []visits    // of points that have faults
	hits   []uint64    // of faults that have From or Every, by place in the plan
	Awaits *seam.Point // the point that ends its hold; nil if it is not held

	Causes  taskCauses // of a trace
	Started string     // the place of its go statement, in a trace by a Runtime
	Entry   string     // as Event.Entry

	Unwinds int // panics that unwind it, so far
	Passes  int // hooks passed since the first of them
	Stack   []uintptr
}

// NewTask makes a task, which is enabled at once: its first step is to begin.
//
//go:norace
func (e *Engine) NewTask(parent *Task, body func()) *Task {
	var t *Task
	if n := e.NumTasks; n < len(e.Tasks) {
		t = e.Tasks[n]
		t.Spin.Forget()
		*t = Task{Spin: t.Spin, visits: t.visits[:0], hits: t.hits[:0]}
		e.Front.Renew(t)
	} else {
		t = e.Front.MakeTask()
		t.Spin = new(reads)
		e.Tasks = append(e.Tasks, t)
	}
	t.ID, t.Key = e.NumTasks, strategy.RootKey
	t.engine, t.Body, t.Starter, t.Place = e, body, parent, -1
	e.Created(&t.Task)
	if parent != nil {
		t.Parent = &parent.Task
		t.number = parent.children
		t.Key = strategy.ChildKey(parent.Key, parent.children)
		parent.children++
	}
	e.NumTasks++
	e.Alive++
	t.Op = strategy.Op{Kind: strategy.Begin}
	e.Enable(t)
	if e.NumTasks == strategy.Many {
		e.BecomeMany()
	}
	return t
}

// NewPseudoTask makes a task without a body, which is not enabled: the clock, or the store
// buffer of another task.
//
//go:norace
func (e *Engine) NewPseudoTask(key uint64, label string) *Task {
	t := e.NewTask(nil, nil)
	e.Disable(t)
	e.Alive--
	t.Key, t.Pseudo, t.Label = key, true, label
	return t
}

// Child makes a task that parent starts.
//
//go:norace
func (e *Engine) Child(parent *Task, f func()) *Task {
	t := e.NewTask(parent, f)
	e.Front.Spawned(parent, t)
	e.QueueSpawn(parent, t)
	if e.Tracing && parent != nil {
		e.TraceStarted(t)
	}
	return t
}

// QueueSpawn informs the observer that parent has started child.
//
//go:norace
func (e *Engine) QueueSpawn(parent, child *Task) {
	if e.Observer != nil {
		e.Events = append(e.Events, strategy.Event{Task: &parent.Task, Op: strategy.Op{Kind: strategy.Spawn}, Child: &child.Task})
	}
}

// TaskOf returns the task whose first field is s, the part that strategies see.
//
//go:norace
func TaskOf(s *strategy.Task) *Task { return (*Task)(unsafe.Pointer(s)) }

// keyed returns the task with a key, or nil if it has not been made.
//
//go:norace
func (e *Engine) keyed(key uint64) *Task { return TaskOf(e.Choice.TaskOf(key)) }

// SetCurrent sets the running task; nil is the root.
//
//go:norace
func (e *Engine) SetCurrent(t *Task) { e.Current = (*strategy.Task)(unsafe.Pointer(t)) }

// Running returns the running task; nil is the root.
//
//go:norace
func (x *execution) Running() *Task { return TaskOf(x.Current) }

// Path returns the task's name in recordings: "main/0/1".
//
//go:norace
func (t *Task) Path() string {
	if t.named == "" {
		t.named = t.makePath()
	}
	return t.named
}

// Name returns what the user is shown beside the path of a task. A task of a Runtime has a name only in
// traces and states, so that the rest costs nothing.
//
//go:norace
func (t *Task) Name() string {
	switch {
	case t.Label != "":
		return t.Label
	case t.Started != "":
		return t.Started
	}
	return t.Entry
}

func (t *Task) makePath() string {
	switch {
	case t.Pseudo && t.Starter != nil:
		return t.Starter.Path() + strategy.BufferSuffix
	case t.Pseudo:
		return "clock"
	case t.Starter == nil:
		return "main"
	}
	return t.Starter.Path() + "/" + strconv.Itoa(t.number)
}

// Title returns the title of the task for the user.
func (t *Task) Title() string { return Title(t.Path(), t.Name()) }

// Enable adds t to the tasks that the strategy may choose, and Disable removes it.
//
//go:norace
func (e *Engine) Enable(t *Task) {
	switch {
	case e.HasMany():
		e.enableOfMany(t)
	case t.Place < 0:
		e.enable(t)
	}
}

//go:norace
func (e *Engine) Disable(t *Task) {
	switch {
	case e.HasMany():
		e.disableOfMany(t)
	case t.Place >= 0:
		e.disable(t)
	}
}

// enable is Enable for a task that is not enabled, of few, and disable Disable for one that is. They are Choice.Add and
// Choice.Remove: all waiters of a lock are enabled with each Unlock, so there are no further calls.
//
//go:norace
func (e *Engine) enable(t *Task) {
	e.Changes++
	t.Place, t.Enabled = len(e.Enabled), e.Step
	e.Enabled = append(e.Enabled, &t.Task)
}

//go:norace
func (e *Engine) disable(t *Task) {
	e.Changes++
	last := len(e.Enabled) - 1
	moved := e.Enabled[last]
	e.Enabled[t.Place] = moved
	moved.Place = t.Place
	e.Enabled[last] = nil
	e.Enabled = e.Enabled[:last]
	t.Place = -1
}

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
	// Standard, of a task of a Runtime: all that is known of where it is stopped is code of the standard library.
	Standard bool
	Moved    bool // it made a step in the second half of an execution that was cut
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
