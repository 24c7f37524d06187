package control

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/internal/real"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/seam"
)

var (
	errNoRuntime   = errors.New("control: Arm is for Options.Runtime: use Options.Plan")
	errWeakRuntime = errors.New("control: Options.Runtime runs real atomics, so Options.Memory has to be SC")
)

// An Engine runs executions, one after the other. Its methods must be called by one
// goroutine at a time, and not from inside an execution unless they say so.
type Engine struct{ in *core.Engine }

// New returns an engine and installs it in this process. Close must follow.
func New(o Options) (*Engine, error) {
	if err := o.Plan.Check(); err != nil {
		return nil, err
	}
	if o.Memory < SC || o.Memory > Views {
		return nil, fmt.Errorf("control: unknown memory %v; want SC, TSO or Views", o.Memory)
	}
	shared := core.Options{
		Strategy: cmp.Or(o.Strategy, strategy.Random()), Plan: o.Plan, Clock: o.Clock, Points: o.Points, MaxSteps: o.MaxSteps, MaxSpins: o.MaxSpins,
		Within: o.Within, Patience: o.Patience, Stepped: o.Stepped, Grace: o.Grace,
	}
	if o.Runtime == nil {
		in, err := installHooks(shared, o)
		if err != nil {
			return nil, err
		}
		return &Engine{in}, nil
	}
	if o.Memory != SC {
		return nil, errWeakRuntime
	}
	return &Engine{real.New(real.Options{Options: shared, Runtime: o.Runtime, Own: o.Own, AllowLeaks: o.AllowLeaks})}, nil
}

// Close removes the engine from the hooks and ends its goroutines. It blocks until they have
// ended, and may be called several times.
func (e *Engine) Close() { e.in.Close() }

// Run runs one execution: body, as the task "main", and what it starts, until all of that has
// ended or no task can continue. It returns false, and runs nothing, if the strategy has
// explored everything.
func (e *Engine) Run(seed uint64, body func()) (Result, bool) { return e.in.Run(seed, body) }

// Repeat runs one execution of body under a schedule, in place of the engine's strategy and
// plan. It also returns the entries of the schedule that did not apply: none if the body has
// not changed.
func (e *Engine) Repeat(s strategy.Schedule, body func()) (Result, strategy.Schedule) {
	return e.in.Repeat(s, body)
}

// RunBy is Run by another strategy than the engine's, and without its plan.
func (e *Engine) RunBy(s strategy.Strategy, seed uint64, body func()) (Result, bool) {
	return e.in.RunBy(s, seed, body)
}

// Trace is Repeat, and returns every event; for a long execution only those of the last steps,
// from step Result.TracedFrom on.
func (e *Engine) Trace(s strategy.Schedule, body func()) (Result, []Event) {
	return e.in.TraceAll(s, body)
}

// Explicit returns the schedule of the last execution with the turns of tasks that waited for long, which are not
// decisions, added as decisions: they may apply in a shorter execution, in which no task waits for so long.
func (e *Engine) Explicit() strategy.Schedule { return e.in.Explicit() }

// TraceOnce is Trace in a single execution, and returns also the entries of the schedule that did not apply. For
// a long execution it returns no events.
func (e *Engine) TraceOnce(s strategy.Schedule, body func()) (Result, []Event, strategy.Schedule) {
	return e.in.TraceOnce(s, body)
}

// Path returns the path of the task of the last execution that has this key, or "".
func (e *Engine) Path(key uint64) string { return e.in.PathOf(key) }

// Go starts a task, from inside an execution: like go hooks.Task(f)(), without a goroutine
// that has nothing left to do.
func (e *Engine) Go(f func()) { e.in.StartTask(f) }

// SetWithin sets Options.Within, between executions.
func (e *Engine) SetWithin(d time.Duration) { e.in.Within = d }

// Late returns Result.Late of the execution in progress, so far.
//
//go:norace
func (e *Engine) Late() int { return e.in.Late }

// Fail ends the execution in progress with a verdict, from inside. The calling task continues
// at most to its next operation.
func (e *Engine) Fail(v verdict.Verdict, summary string) { e.in.FailInside(v, summary) }

// Cause returns what the memory did in the last execution that no sequentially consistent memory
// does, with file and line, or "" if it did no such thing.
func (e *Engine) Cause() string {
	if h := e.hooked(); h != nil {
		return h.Cause()
	}
	return ""
}

// FencesNotMet returns those of Options.WithoutFences that no execution so far has reached:
// under SC, all of them.
func (e *Engine) FencesNotMet() []string {
	if h := e.hooked(); h != nil {
		return h.FencesNotMet()
	}
	return nil
}

// Untracked returns where goroutines were started that are not tasks and ended before they could
// be found, or "" if there were none. What they did has not been explored.
func (e *Engine) Untracked() string {
	if h := e.hooked(); h != nil {
		return h.Untracked()
	}
	return ""
}

// A hookedFront is the front end of package hooks. Only a binary with the tag chaos has it.
type hookedFront interface {
	Cause() string
	FencesNotMet() []string
	Untracked() string
}

// hooked returns the front end of package hooks, or nil if the engine has the other one.
func (e *Engine) hooked() hookedFront {
	h, _ := e.in.Front.(hookedFront)
	return h
}

// real returns the front end of Options.Runtime, or nil if the engine has the other one.
func (e *Engine) real() *real.Tasks {
	r, _ := e.in.Front.(*real.Tasks)
	return r
}

// Choose returns a number below n, at least 1, that the strategy picks, from inside an
// execution: a choice of the subject's own, explored and recorded with the schedule.
func (e *Engine) Choose(n int) int { return e.in.ChooseInside(n) }

// Task returns the title of the calling task, from inside an execution: "main/0", or "main/0
// (worker 1)" if it has a name. It is "" if the caller is not a task of the execution, which the
// engine then reports.
func (e *Engine) Task() string { return e.in.TaskTitle() }

// Recovered is for a deferred call of the body that has more to run, such as cleanups. v is what it
// has recovered, or nil. A panic of the subject fails the execution. If the execution has failed,
// by that or before, the engine first records where the tasks are stopped; then Recovered returns, and
// hooks pass through from there on, as in any deferred call of a task that unwinds.
func (e *Engine) Recovered(v any) { e.in.Recovered(v) }

// Experiments returns the experiments on the execution of that schedule.
func (e *Engine) Experiments(s strategy.Schedule, body func()) Experiments {
	return e.in.Experiments(s, body)
}

// Swap is Repeat, except that one operation comes after another. It returns false if that is not possible: the task
// does not come to the operation, or not so late.
func (e *Engine) Swap(s strategy.Schedule, swap Swap, body func()) (Result, bool) {
	return e.in.Swap(s, swap, body)
}

// StopAt makes the next execution stop for a debugger before its n-th step, from 1: with
// runtime.Breakpoint, which ends a process that no debugger runs. The goroutine that stops is that of
// the task whose step it is: directly before the operation, after the wait that the step ends, or before
// the first statement of a new task. A step at which a timer fires belongs to no task; the goroutine
// that ran before it stops. The execution is the same as without the stop. reached, if not nil, is
// called just before, with the title of the task, "clock" for a timer; it must not use what tasks use. It
// is not called if the execution has fewer steps.
//
// An engine that a debugger stops should have a negative Options.Patience.
func (e *Engine) StopAt(n int, reached func(task string)) { e.in.StopAt(n, reached) }

// OnStuck adds a judge, from inside an execution, for the case that the execution gets stuck: a
// deadlock, a leak or a livelock. The engine knows which tasks wait, and the subject knows what for:
// a pool can distinguish work that no worker was woken for from a lost job. The first judge that
// knows decides. A judge lasts as long as the execution.
//
// The judge is called when no task can continue, before any is unwound, by the goroutine that
// called Run: it may read the whole subject, whose drop-ins do no more there than the standard
// types would. It must not wait for anything that a task holds, nor call the Engine, nor
// runtime.Goexit (t.FailNow), and its answer must follow from the subject and from stuck alone,
// like everything else that an execution decides. Its panic is the execution's verdict.
func (e *Engine) OnStuck(j Judge) { e.in.OnStuck(j) }

// Arm sets the faults of the execution in progress, from inside; a further one replaces them. An execution
// that repeats a schedule fires what the schedule has instead, at the points that a plan has named so far.
func (e *Engine) Arm(p plan.Plan) error {
	r := e.real()
	if r == nil {
		return errNoRuntime
	}
	r.ArmPlan(p)
	return nil
}

// SetName gives the calling task a name, for reports, and for faults that apply to one task.
func (e *Engine) SetName(name string) {
	if r := e.real(); r != nil {
		r.SetName(name)
	}
}

// Visit draws the faults of the calling task's visit of a hook point. can is the set that the caller
// can carry out, and value the counter that a roll perturbs.
func (e *Engine) Visit(point string, can uint16, value uint64) (v Visit) {
	v = Visit{Copies: 1, Value: value}
	if r := e.real(); r != nil {
		r.Visit(&v, point, seam.Fault(can))
	}
	return v
}

// What executions, and traces of them, are described by.
type (
	// A Result describes how an execution ended.
	Result = core.Result
	// A TaskState describes where a task that has not ended is stopped.
	TaskState = core.TaskState
	// A FaultCount counts how often a fault of the plan was hit (see plan.Fault), and fired.
	FaultCount = core.FaultCount
	// Outsiders counts how often something outside has woken a task of a Runtime: an execution in which that happens need
	// not repeat.
	Outsiders = core.Outsiders
	// An Event is an operation that a task has done, a hook point that it has passed (strategy.Point), the beginning of a
	// wait, or a timer's firing (strategy.Clock). Events refer to each other by their place in the trace, counted from 1; 0
	// means none.
	Event = core.Event
	// A ChannelCase is one communication that a task was ready for.
	ChannelCase = core.ChannelCase
	// Experiments repeat an execution up to some event, and then let one task run alone.
	Experiments = core.Experiments
	// A Swap keeps a task from one of its operations until another task has made one of its own.
	Swap = core.Swap
	// A Judge returns the verdict on a stuck execution and a one-line summary, if it knows better than the engine. An empty
	// verdict leaves the engine's verdict, an empty summary its summary. stuck is the engine's own result.
	Judge = core.Judge
	// A Visit is the combined effect of the faults at one visit of a hook point.
	Visit = real.Visit
)

// Initial is the Source of an Event that read a value that no task has written in this execution.
const Initial = core.Initial

// NoProgress begins the panic by which the watchdog ends the process.
const NoProgress = core.NoProgress

// Title returns the title of a task for the user: its path and, unless it is "", its name.
func Title(path, name string) string { return core.Title(path, name) }

// MostNamed bounds the tasks that a text names of those that do the same; of more, it names the first FewNamed.
const MostNamed, FewNamed = core.MostNamed, core.FewNamed

// Paths lists the paths of tasks that do the same: if there are many, the first few, and how many more.
func Paths(paths []string) string { return core.Paths(paths) }

type (
	// A Runtime is a mechanism whose tasks are goroutines of a subject that knows nothing of an engine: the Go runtime itself,
	// patched by the build overlay of package goroot.
	Runtime = real.Runtime
	// A Scheduler is called by a Runtime. No two of its methods run at the same time.
	Scheduler = real.Scheduler
	// A Start holds the parameters of an execution.
	Start = real.Start
)

// Kinds of timers, as Runtime.NextKind returns them.
const (
	OneShot       = real.OneShot
	Periodic      = real.Periodic
	Sleeping      = real.Sleeping
	PeriodicSleep = real.PeriodicSleep
	OfTest        = real.OfTest
	OfContext     = real.OfContext
)

const (
	// None stands for no task.
	None = real.None
	// Never stands for the lock of a task that waits for ever: see Runtime.Unreachable.
	Never = real.Never
	// Outside stands for a waker of a task that is not a task: a goroutine, or the network poller.
	Outside = real.Outside
)
