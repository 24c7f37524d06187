package core

import (
	"runtime"
	"strconv"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/racing"
)

// An Event is an operation that a task has done, a hook point that it has passed
// (strategy.Point), the beginning of a wait, or a timer's firing (strategy.Clock). Finding its
// place in the source costs more than the operation itself, so only control.Engine.Trace and TraceOnce make events.
//
// Events refer to each other by their place in the trace, counted from 1; 0 means none.
type Event struct {
	Task string // its path; "clock" of a timer's firing
	// Name is the name set by hooks.Name or, for a task of a Runtime, the place of its go statement
	// or the function that it runs; "" if unknown.
	Name string
	// Entry is the function that a task of a Runtime runs: the user's outermost one; "" if unknown.
	Entry string
	Step  int // of an execution by a Runtime; 0 otherwise
	// Number is the step in any execution, as Engine.StopAt counts it.
	Number int
	Kind   strategy.Kind
	// Op numbers the task's operations, from 0; it is -1 for an event that is not an operation.
	Op int
	// Point is the hook point of the operation, or the one that was passed; "" if there is none.
	Point string
	// Call is the function that Site calls, for an operation without a hook point: "context.Err".
	Call string
	// Joins: the task joins the queue of a condition, whose number is Object.
	Joins bool
	// Object is the number of the operation's object, in the order of first use; 0 if it has
	// none.
	Object int
	// Site is the innermost function of the subject, with file and line; for a timer's firing,
	// where the timer was armed.
	Site runtime.Frame
	// Standard: Site is in the standard library, and no function of the subject is on the stack.
	Standard bool
	// Callers are the user's frames around Site, from the inside, of a task of a Runtime. Events share them.
	Callers []runtime.Frame
	// Outcome is how the operation turned out, if there were alternatives: the case that a select
	// took, for example.
	Outcome string
	// Note is how a weak memory affected it: it reads an older store, for example.
	Note string
	// Fault names the faults that fired there: "drop".
	Fault string
	// Stays: the same task made the event before.
	Stays bool

	// Waits: the task begins to wait for the operation, which it has not done.
	Waits bool
	// Overtaken: a poll came before the wait after all, which is then recorded again as another
	// event.
	Overtaken bool
	// Source is the event that wrote what this one read, sent what it received, or ended its wait; Initial if there was
	// no write. For a task's beginning it is the last event before the task was started: of its parent, or of the
	// timer. For what a task of a Runtime gets from a sync.Pool it is what put it.
	Source int
	// Since is the event that began the wait that this one ends.
	Since int
	// Reached are the paths of the first tasks that this event let continue: those that a signal woke,
	// those that waited for a channel's end, for a lock or for a group, the partner of a
	// communication, the receiver of what was put into a buffer, a timer's task.
	Reached []string
	// Cases are the channels of a communication, and Took is the one that was done; -1 is the
	// default.
	Cases []ChannelCase
	Took  int
	// Via is the communication by which a select of a task of a Runtime was done; its Object is 0 if that
	// is unknown, or the default. Nth is how many cases of that direction are before it in the source.
	Via ChannelCase
	Nth int
	// Polls are the channels of a select of such a task that takes no case: its default, or it waits. First are those
	// that it sends to. Both parts are in the order of the source, without nil channels.
	Polls []ChannelCase
	// Held is what the buffer of a communication's channel holds afterwards, and Room what it can hold.
	Held, Room int

	// Time is the virtual time, in nanoseconds since the execution began.
	Time int64
	// Races counts the reports of the race detector until then, in this process.
	Races int
}

// Initial is the Source of an Event that read a value that no task has written in this execution.
const Initial = -1

// A ChannelCase is one communication that a task was ready for.
type ChannelCase struct {
	Object int // the channel; 0 is a nil channel
	Send   bool
}

// maxTraced bounds the events that are kept.
const maxTraced = 200_000

// beginTrace traces executions from that step on, until end is called.
func (e *Engine) beginTrace(from int) (end func()) {
	e.traceFrom, e.Tracing, e.Traced, e.Causes = from, from == 0, nil, causes{}
	return func() { e.traceFrom, e.Tracing, e.Traced, e.Causes = 0, false, nil, causes{} }
}

// Traces reports whether the execution is traced, or will be from a later step on.
func (e *Engine) Traces() bool { return e.Tracing || e.traceFrom > 0 }

// trace records an event of the current task.
//
//go:norace
func (e *Engine) trace(t *Task, kind strategy.Kind, o *Object) {
	event := Event{Kind: kind, Op: t.Ops - 1}
	e.Front.TraceEvent(t, kind, o, &event)
	e.traceObject(t, kind, o, event)
}

// traceObject records an event of the current task, with its object.
//
//go:norace
func (e *Engine) traceObject(t *Task, kind strategy.Kind, o *Object, event Event) {
	e.Record(t, event)
	if o != nil {
		e.LastTraced().Object = o.ID
		e.traceSource(t, kind, o)
	} else if kind == strategy.Sleep {
		e.LastTraced().Source, t.Causes.source = t.Causes.source, 0
	}
}

// Record appends an event of t, or of the clock if t is nil.
//
//go:norace
func (e *Engine) Record(t *Task, event Event) {
	if len(e.Traced) == maxTraced { // TraceAll asks for the last ones
		e.Tracing = false
		return
	}
	event.Task, event.Number = "clock", e.Step
	if t != nil {
		event.Task, event.Name = t.Path(), t.Name()
		event.Entry = t.Entry
	}
	event.Races = racing.Errors()
	e.Front.TimeEvent(&event)
	if event.Kind == strategy.Begin && t != nil {
		event.Source = t.Causes.Started
	}
	if n := len(e.Traced); n > 0 {
		event.Stays = e.Traced[n-1].Task == event.Task
	}
	e.Traced = append(e.Traced, event)
	if e.Causes.solo != nil {
		e.Causes.solo.recorded(e)
	}
}

// LastTraced returns the last event. There must be one.
//
//go:norace
func (e *Engine) LastTraced() *Event { return &e.Traced[len(e.Traced)-1] }

// TracePoint records that the current task passes a hook point that is not an operation.
//
//go:norace
func (e *Engine) TracePoint(t *Task) {
	e.trace(t, strategy.Point, nil)
	e.LastTraced().Op = -1
}

// TraceChoose records the result of control.Engine.Choose.
//
//go:norace
func (e *Engine) TraceChoose(i int) {
	e.TracePoint(e.Running())
	last := e.LastTraced()
	last.Point, last.Call, last.Outcome = "", "Choose", "returns "+strconv.Itoa(i)
}

// traceFault records a fault that fired at p: in the last event, if that is the passing of p.
//
//go:norace
func (e *Engine) traceFault(t *Task, p string, kind string) {
	if n := len(e.Traced); n == 0 || e.Traced[n-1].Kind != strategy.Point || e.Traced[n-1].Point != p || e.Traced[n-1].Task != t.Path() {
		e.TracePoint(t)
		e.LastTraced().Point = p
	}
	last := e.LastTraced()
	if last.Fault != "" {
		kind = last.Fault + ", " + kind
	}
	last.Fault = kind
}
