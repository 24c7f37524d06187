package control

import (
	"time"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// A front is a front end of the engine. It holds the tasks, knows what they wait for, and does what they do; the core
// decides who continues, and records it. Its methods are called by the running task or on the root, where tasks do not
// run, but for inside and interrupt.
type front interface {
	// inside reports whether the caller is a task of the execution in progress. reported: another one, which is
	// the verdict.
	inside() (yes, reported bool)
	// begin prepares an execution, and run runs it. close ends what the front end has started.
	begin()
	run(body func())
	close()
	// start starts a task, by the running one.
	start(f func())
	// spawned is called when parent has started a task; nil: nothing has, or a timer.
	spawned(parent, t *task)
	// chooseOutcome is Engine.Choose.
	chooseOutcome(n int) int
	// askBy returns what the strategy is asked by. onRoot: it is asked there, and not by the running task.
	askBy(s strategy.Strategy) (by strategy.Strategy, onRoot bool)

	// look is called before a decision if engine.looks. It reports whether there is to be none.
	look() (none bool)
	// ends is called when no task is left, or none can continue. It lets time pass, and reports whether nothing can
	// come any more.
	ends() bool
	// overdue returns the place of the task that has a turn by force, -1 if the strategy is to choose.
	overdue() int
	// stepPseudo makes the step of a pseudo-task.
	stepPseudo(t *task)
	// ready reports whether what t announced, which may have to wait, can be done now.
	ready(t *task) bool
	// timerPending reports whether a timer runs.
	timerPending() bool

	// repeatsPoll reports whether the poll that t has announced repeats what it has read.
	repeatsPoll(t *task) bool
	// runsAlone is called when t begins to run alone, runsOn when it has done so for as long as a loop may: whether
	// it goes on. readsTime is called when it is held back.
	runsAlone(t *task)
	runsOn(t *task) bool
	readsTime(t *task)

	// lasted is how long the execution has taken, in real time.
	lasted() time.Duration
	// letOthersRun is called now and then, between two steps.
	letOthersRun()
	// cut is called at the limit of steps, or of time. It reports whether it has found a better verdict.
	cut() bool
	// recurring reports whether an execution that is cut is a livelock; steps is for how many the states of all tasks
	// have come again, 0 if it is not known from that.
	recurring() (steps int, livelock bool)
	// isFailure reports whether it is one that no task can continue, leavesCoroutines whether it is one though no
	// task is left.
	isFailure() bool
	leavesCoroutines() bool
	// judges is called before the judges, and what it returns after them.
	judges() (done func())
	// interrupt is called by the watchdog when there was no step after that one for long. It reports whether
	// it has interrupted the running task.
	interrupt(step int) bool
	// stopBefore stops for a debugger when t, which is no pseudo-task, is about to make its step.
	stopBefore(t *task)
	// giveUp gives control away from t for good, which unwinds.
	giveUp(t *task)
	// nudge wakes t, a waiter of a condition, and reports whether it was one.
	nudge(t *task) bool

	// traceEvent completes an event with its place, and timeEvent with its time.
	traceEvent(t *task, kind strategy.Kind, o *object, event *Event)
	timeEvent(event *Event)
	// complete completes a result, conclude that of an execution that is over, and completeEnd what the strategy is told.
	// (By value: behind a pointer each would be allocated.)
	complete(r Result) Result
	conclude(r Result) Result
	completeEnd(r strategy.Result) strategy.Result
}
