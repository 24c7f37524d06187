package control

import (
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// A front is a front end of the engine. It holds the tasks, knows what they wait for, and does their operations; the
// core decides which task continues, and records it. All methods except inside and interrupt are called by the running
// task, or on the root while no task runs.
type front interface {
	// inside reports whether the caller is a task of the execution in progress. reported: it is an outsider,
	// which is the verdict.
	inside() (yes, reported bool)
	// begin prepares an execution, and run runs it. close ends what the front end has started.
	begin()
	run(body func())
	close()
	// start starts a task on behalf of the running one.
	start(f func())
	// spawned is called when parent has started t. parent is nil if no task has, or a timer.
	spawned(parent, t *task)
	// chooseOutcome implements Engine.Choose.
	chooseOutcome(n int) int
	// askBy returns the strategy to call in place of s. onRoot: it asks s on the root, not on the running
	// task.
	askBy(s strategy.Strategy) (by strategy.Strategy, onRoot bool)

	// look is called before a decision if engine.looks. It reports whether to make none.
	look() (none bool)
	// ends is called when no task is left, or none can continue. It lets time pass, and reports whether the
	// execution is over all the same.
	ends() bool
	// overdue returns the place of the task whose turn is forced, or -1 if the strategy is to choose.
	overdue() int
	// stepPseudo makes the step of a pseudo-task.
	stepPseudo(t *task)
	// ready reports whether the operation that t announced, which may have to wait, can be done
	// now.
	ready(t *task) bool
	// timerPending reports whether a timer runs.
	timerPending() bool

	// repeatsPoll reports whether the poll that t has announced repeats what it has read.
	repeatsPoll(t *task) bool
	// runsAlone is called when t begins to run alone. runsOn is called when t has done so for as long as a loop
	// may, and reports whether it goes on. readsTime is called when t is held back.
	runsAlone(t *task)
	runsOn(t *task) bool
	readsTime(t *task)

	// lasted returns how long the execution has taken, in real time.
	lasted() time.Duration
	// letOthersRun is called now and then, between two steps.
	letOthersRun()
	// cut is called at the limit of steps, or of time. It reports whether it has found a better verdict.
	cut() bool
	// recurring reports whether an execution that is cut is a livelock. steps is the number of steps in which the
	// states of all tasks recurred, or 0 if the livelock is not known from that.
	recurring() (steps int, livelock bool)
	// isFailure reports whether an execution in which no task can continue has failed, leavesCoroutines whether
	// one without any tasks left has, because of coroutines.
	isFailure() bool
	leavesCoroutines() bool
	// judges is called before the judges, and done after them.
	judges() (done func())
	// interrupt is called by the watchdog when no step has followed that one for long. It reports whether it
	// has interrupted the running task.
	interrupt(step int) bool
	// stopBefore stops for a debugger when t, which is not a pseudo-task, is about to make its
	// step.
	stopBefore(t *task)
	// giveUp takes control from t for good: t unwinds.
	giveUp(t *task)
	// nudge wakes t, a waiter of a condition, and reports whether it was one.
	nudge(t *task) bool

	// traceEvent completes an event with its place, and timeEvent with its time.
	traceEvent(t *task, kind strategy.Kind, o *object, event *Event)
	timeEvent(event *Event)
	// complete completes a result, conclude the result of an execution that is over, and completeEnd the result for
	// the strategy. (By value: behind a pointer each would be allocated.)
	complete(r Result) Result
	conclude(r Result) Result
	completeEnd(r strategy.Result) strategy.Result
}
