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
	named  string // its path, once computed

	children int  // so far
	place    int  // in Choice.Enabled; -1 if it is not enabled
	returned bool // the body has returned, rather than panicked or left by Goexit
	ended    bool
	granted  bool // another task has done the operation for it
	// signalled is set when the task is taken out of a condition's queue, which may be before it
	// waits: it may still be unlocking.
	signalled      bool
	decisions      int32 // before its next operation
	decisionsAfter int32 // directly after its last one
	published      int   // Ops when decisionsAfter was last reset

	object     *object     // of the pending operation; of a select, the first one
	point      *seam.Point // passed last
	cases      []seam.Case // of a communication
	hasDefault bool        // of a select
	chosen     int         // the case that a partner has done
	sames      int         // selects in a row that have taken lastCase, of several that were ready
	lastCase   int
	turns      int // how often another case was taken in place of lastCase
	missed     int // polls that found nothing although it had announced the communication they wanted
	idles      int // execution.idles at the announcement

	spin *reads
	// repeating: the task has repeated itself, and may do so again. solo: it therefore makes this
	// step without a choice. endless: it has run alone for as long as it may.
	repeating, solo, endless bool
	moved                    int // the execution's step when the task last made one
	enabled                  int // the step at which it was last enabled
	continues                int // the step since which it can continue, if it had to wait; its last own one may be later

	visits []visits    // of points that have faults
	hits   []uint64    // of faults that have From or Every, by place in the plan
	awaits *seam.Point // the point that ends its hold; nil if it is not held
	timer  *timer      // of its hold

	causes  taskCauses // of a trace
	started string     // the place of its go statement, in a trace by a Runtime
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

// child makes a task that parent starts.
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

// of returns the task whose first field is s, the part that strategies see.
//
//go:norace
func of(s *strategy.Task) *task { return (*task)(unsafe.Pointer(s)) }

// setCurrent sets the running task; nil is the root.
//
//go:norace
func (e *engine) setCurrent(t *task) { e.Current = (*strategy.Task)(unsafe.Pointer(t)) }

//go:norace
func (x *execution) current() *task { return of(x.Current) }

// path returns the task's name in recordings: "main/0/1".
//
//go:norace
func (t *task) path() string {
	if t.named == "" {
		t.named = t.makePath()
	}
	return t.named
}

// name returns what the user is shown beside the path of a task. A task of a Runtime has a name only in
// traces and states, so that the rest costs nothing.
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
