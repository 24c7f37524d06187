package control

import (
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// A task is a goroutine of the subject, from its creation to its end. Its fields
// are the engine's, and it is the running task or the engine that touches them.
type task struct {
	strategy.Task // what strategies see

	engine *engine
	body   func()
	host   *host // whose goroutine runs it; nil before the first step
	parent *task
	number int // among its parent's children
	label  string

	children int  // so far
	place    int  // in Engine.enabled; -1 if it is not enabled
	returned bool // the body, rather than panicking or leaving by Goexit
	ended    bool
	granted  bool // what it waits for has been given to it already
	// signalled: it has been taken out of a condition's queue. It need not wait there
	// yet: it may still be giving up its lock.
	signalled bool
	repeats   int32 // decisions before its next operation: see deviation
	afters    int32 // decisions directly after its last one

	// object is what the pending operation is about; others, of a select.
	object     *object
	point      *seam.Point // passed last
	cases      []seam.Case // of a communication
	hasDefault bool        // it has a default
	chosen     int         // the case that a partner has done
	missed     int         // polls that came before it, although it had announced the communication
	idles      int         // execution.idles at the announcement
	spin       *reads
	// repeating: it has repeated itself, and may do so again. alone: it makes its step
	// without a choice, because of that. endless: it has run on alone for as long as it
	// may.
	repeating, solo, endless bool
	moved                    int // the execution's step when it made its last one

	visits []visits    // of points that have faults
	hits   []uint64    // of faults that have From or Every, by place in the plan
	awaits *seam.Point // that ends its hold; nil: it is not held, or not any more
	timer  *timer      // of its hold

	causes taskCauses // of a trace

	unwinds int // how often it was told to unwind
	passes  int // hooks passed since the first time
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
		*t = task{spin: t.spin, visits: t.visits[:0], hits: t.hits[:0]}
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

// path is how the recording calls the task: "main/0/1".
func (t *task) path() string {
	switch {
	case t.Pseudo && t.parent != nil:
		return t.parent.path() + strategy.BufferSuffix
	case t.Pseudo:
		return "clock"
	case t.parent == nil:
		return "main"
	}
	return t.parent.path() + "/" + itoa(t.number)
}

// enable puts t among those that strategies may choose.
//
//go:norace
func (e *engine) enable(t *task) {
	if t.place >= 0 {
		return
	}
	t.place = len(e.Enabled)
	e.Enabled = append(e.Enabled, &t.Task)
}

// disable takes t out of them.
//
//go:norace
func (e *engine) disable(t *task) {
	if t.place < 0 {
		return
	}
	last := len(e.Enabled) - 1
	moved := e.Enabled[last]
	e.Enabled[t.place] = moved
	of(moved).place = t.place
	e.Enabled[last] = nil
	e.Enabled = e.Enabled[:last]
	t.place = -1
}
