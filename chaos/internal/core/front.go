package core

import (
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/goroutines"
)

// A Front is a front end of the engine. It holds the tasks, knows what they wait for, and does their operations; the
// core decides which task continues, and records it. All methods except Inside, Interrupt and Blocked are called by
// the running task, or on the root while no task runs.
type Front interface {
	// Inside reports whether the caller is a task of the execution in progress. If not, reported is whether it has
	// been recorded as an outsider, which is the verdict.
	Inside() (yes, reported bool)
	// Begin prepares an execution, and Run runs it. Close ends what the front end has started.
	Begin()
	Run(body func())
	Close()
	// MakeTask returns a new task, the first field of a struct of the front end. Renew resets the other fields of that
	// struct, for another task in its place.
	MakeTask() *Task
	Renew(t *Task)
	// Start starts a task on behalf of the running one.
	Start(f func())
	// Spawned is called when parent has started t. parent is nil if no task has, or a timer.
	Spawned(parent, t *Task)
	// ChooseOutcome implements control.Engine.Choose.
	ChooseOutcome(n int) int
	// AskBy returns the strategy to call in place of s. onRoot is whether that asks s on the root, and not on the
	// running task.
	AskBy(s strategy.Strategy) (by strategy.Strategy, onRoot bool)

	// Look is called before a decision if Engine.Looks. It reports whether to make none.
	Look() (none bool)
	// Ends is called when no task is left, or none can continue. It lets time pass, and reports whether the
	// execution is over all the same.
	Ends() bool
	// Overdue returns the place of the task whose turn is forced, or -1 if the strategy is to choose.
	Overdue() int
	// StepPseudo makes the step of a pseudo-task.
	StepPseudo(t *Task)
	// Ready reports whether the operation that t announced, which may have to wait, can be done
	// now.
	Ready(t *Task) bool
	// WaitAlike reports whether t and u, which may have to wait for one object, wait for the same: as long as both do,
	// both are ready or neither is.
	WaitAlike(t, u *Task) bool
	// TimerPending reports whether a timer runs.
	TimerPending() bool

	// RepeatsPoll reports whether the poll that t has announced repeats what it has read.
	RepeatsPoll(t *Task) bool
	// RunsAlone is called when t begins to run alone. RunsOn is called when t has done so for as long as a loop
	// may, and reports whether it goes on. ReadsTime is called when t is held back.
	RunsAlone(t *Task)
	RunsOn(t *Task) bool
	ReadsTime(t *Task)

	// Lasted returns how long the execution has taken, in real time.
	Lasted() time.Duration
	// LetOthersRun is called now and then, between two steps.
	LetOthersRun()
	// Cut is called at the limit of steps, or of time. It reports whether it has found a better verdict.
	Cut() bool
	// Recurring reports whether an execution that is cut is a livelock. steps is the number of steps in which the
	// states of all tasks recurred, or 0 if the livelock is not known from that.
	Recurring() (steps int, livelock bool)
	// IsFailure reports whether an execution in which no task can continue has failed, LeavesCoroutines whether
	// one without any tasks left has, because of coroutines.
	IsFailure() bool
	LeavesCoroutines() bool
	// Judges is called before the judges, and done after them.
	Judges() (done func())
	// Interrupt is called by the watchdog when no step has followed that one for long. It reports whether it
	// has interrupted the running task.
	Interrupt(step int) bool
	// Blocked returns the goroutine that runs a task and is blocked or busy, for the watchdog. found is false if there is
	// none at the moment, or if Interrupt does what is to be done.
	Blocked() (g goroutines.Goroutine, found bool)
	// StopBefore stops for a debugger when t, which is not a pseudo-task, is about to make its
	// step.
	StopBefore(t *Task)
	// GiveUp takes control from t for good: t unwinds.
	GiveUp(t *Task)
	// Nudge wakes t, a waiter of a condition, and reports whether it was one.
	Nudge(t *Task) bool

	// TraceEvent completes an event with its place, and TimeEvent with its time.
	TraceEvent(t *Task, kind strategy.Kind, o *Object, event *Event)
	TimeEvent(event *Event)
	// Complete completes a result, Conclude the result of an execution that is over, and CompleteEnd the result for
	// the strategy. (By value: behind a pointer each would be allocated.)
	Complete(r Result) Result
	Conclude(r Result) Result
	CompleteEnd(r strategy.Result) strategy.Result
}
