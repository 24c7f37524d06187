package control

import (
	"strconv"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// A task is a goroutine of the subject, from its creation to its end. Its fields belong to the
// running task and the engine.
type task struct {
	strategy.Task // what strategies see

	engine *engine
	body   func()
	host   *host // whose goroutine runs it; nil before the first step
	parent *task
	number int // among its parent's children
	label  string
	named  string // its path, once that has been asked for

	children int  // so far
	place    int  // in Choice.Enabled; -1 if it is not enabled
	returned bool // the body has returned, rather than panicked or left by Goexit
	ended    bool
	granted  bool // another task has done the operation for it
	// signalled: it has been taken out of a condition's queue. It may not wait there yet: it
	// may still be unlocking.
	signalled      bool
	decisions      int32 // before its next operation
	decisionsAfter int32 // directly after its last one
	published      int   // the operations that it had done when decisionsAfter began

	object     *object     // of the pending operation; the first one, of a select
	point      *seam.Point // passed last
	cases      []seam.Case // of a communication
	hasDefault bool        // of a select
	chosen     int         // the case that a partner has done
	sames      int         // selects in a row that have taken lastCase, of several that were ready
	lastCase   int
	turns      int // of cases that have been taken in place of lastCase
	missed     int // polls that found nothing although it had announced the communication
	idles      int // execution.idles at the announcement

	spin *reads
	// repeating: it has repeated itself, and may do so again. solo: so it makes this step
	// without a choice. endless: it has run alone for as long as it may.
	repeating, solo, endless bool
	moved                    int // the execution's step when it made its last one
	enabled                  int // and when it could continue last that could not before
	continues                int // the step since which it could, if it had to wait; its last own step may be later

	visits []visits    // of points that have faults
	hits   []uint64    // of faults that have From or Every, by place in the plan
	awaits *seam.Point // ends its hold; nil: it is not held
	timer  *timer      // of its hold

	causes  taskCauses // of a trace
	started string     // of a trace by a Runtime: the place of its go statement
	entry   string     // as Event.Entry

	real realTask // of a Runtime

	unwinds int // panics that unwind it, so far
	passes  int // hooks passed since the first of them
	stack   []uintptr
}

// newTask makes a task, which is enabled at once: its first step is to begin.
//
//go:norace
func (e *engine) newTask(parent *task, body func()) *task {
	var t *task
	if n := e.count; n < len(e.tasks) {
		t = e.tasks[n]
		t.spin.forget()
		*t = task{spin: t.spin, visits: t.visits[:0], hits: t.hits[:0], real: realTask{wakes: t.real.wakes[:0], polls: t.real.polls[:0], others: t.real.others[:0]}}
	} else {
		t = &task{spin: new(reads)}
		e.tasks = append(e.tasks, t)
	}
	t.ID, t.Key = e.count, strategy.RootKey
	t.engine, t.body, t.parent, t.place = e, body, parent, -1
	if parent != nil {
		t.Parent = &parent.Task
		t.number = parent.children
		t.Key = strategy.ChildKey(parent.Key, parent.children)
		parent.children++
	}
	e.count++
	e.alive++
	t.Op = strategy.Op{Kind: strategy.Begin}
	e.enable(t)
	return t
}

// newPseudoTask makes a task without a body, which is not enabled: the clock, or the store
// buffer of another task.
//
//go:norace
func (e *engine) newPseudoTask(key uint64, label string) *task {
	t := e.newTask(nil, nil)
	e.disable(t)
	e.alive--
	t.Key, t.Pseudo, t.label = key, true, label
	return t
}

// child makes a task of parent's.
//
//go:norace
func (e *engine) child(parent *task, f func()) *task {
	t := e.newTask(parent, f)
	e.front.spawned(parent, t)
	e.queueSpawn(parent, t)
	if e.tracing && parent != nil {
		e.traceStarted(t)
	}
	return t
}

//go:norace
func (e *engine) queueSpawn(parent, child *task) {
	if e.observer != nil {
		e.events = append(e.events, strategy.Event{Task: &parent.Task, Op: strategy.Op{Kind: strategy.Spawn}, Child: &child.Task})
	}
}

// of returns the task that strategies see as s: its first field.
//
//go:norace
func of(s *strategy.Task) *task { return (*task)(unsafe.Pointer(s)) }

// setCurrent sets the running task; nil is the root.
//
//go:norace
func (e *engine) setCurrent(t *task) { e.Current = (*strategy.Task)(unsafe.Pointer(t)) }

//go:norace
func (x *execution) current() *task { return of(x.Current) }

// path names the task in recordings: "main/0/1".
//
//go:norace
func (t *task) path() string {
	if t.named == "" {
		t.named = t.makePath()
	}
	return t.named
}

// name is what the user is shown beside the path of a task. Of a task of a Runtime only traces and states
// have one, so that others cost nothing.
//
//go:norace
func (t *task) name() string {
	switch {
	case t.label != "":
		return t.label
	case t.started != "":
		return t.started
	}
	return t.entry
}

func (t *task) makePath() string {
	switch {
	case t.Pseudo && t.parent != nil:
		return t.parent.path() + strategy.BufferSuffix
	case t.Pseudo:
		return "clock"
	case t.parent == nil:
		return "main"
	}
	return t.parent.path() + "/" + strconv.Itoa(t.number)
}

func (t *task) title() string { return Title(t.path(), t.name()) }

//go:norace
func (e *engine) enable(t *task) {
	if t.place >= 0 {
		return
	}
	e.Changes++
	t.place, t.enabled = len(e.Enabled), e.Step
	e.Enabled = append(e.Enabled, &t.Task)
}

//go:norace
func (e *engine) disable(t *task) {
	if t.place < 0 {
		return
	}
	e.Changes++
	last := len(e.Enabled) - 1
	moved := e.Enabled[last]
	e.Enabled[t.place] = moved
	of(moved).place = t.place
	e.Enabled[last] = nil
	e.Enabled = e.Enabled[:last]
	t.place = -1
}
