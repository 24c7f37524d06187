package control

import (
	"fmt"
	"runtime/debug"

	"github.com/rouse-go/rouse/chaos/internal/racing"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// A Result is how an execution ended.
type Result struct {
	Seed    uint64
	Verdict verdict.Verdict
	// Effect is what the execution came to: the verdict, or what would be the verdict
	// if that were not relies-on-sc.
	Effect verdict.Verdict
	// Cause says what the memory did that a sequentially consistent one does not, with
	// file and line, if the verdict is relies-on-sc.
	Cause string
	// Summary says in one line what the verdict is about; "" if it is a pass.
	Summary string
	// Detail is what a panic's stack or a failed check adds.
	Detail string
	// Tasks are those that had not ended, if that is part of the verdict.
	Tasks []TaskState

	Steps       int // decisions, of which Forced had a single task to choose
	Forced      int
	Timers      int    // that the subject armed
	Sleeps      int    // of its tasks, until a time
	Preemptions int    // decisions against a task that could go on
	Hash        uint64 // of the trace: what was done, by whom, in which order
	Order       uint64 // of the partial order: equal for schedules that differ only in what commutes
	// Schedule is what repeats the execution. It is overwritten by the next Run.
	Schedule strategy.Schedule
	// Faults counts the plan's faults, in its order. It is overwritten, too.
	Faults []FaultCount
}

// An outcome is a result as it comes about: the first verdict stays.
type outcome struct {
	verdict verdict.Verdict
	summary string
	detail  string
	tasks   []TaskState
	cut     bool
	expired bool // by the wall clock
	steps   int  // when it was cut
}

// fail ends the execution with a verdict, unless it has one.
//
//go:norace
func (e *engine) fail(v verdict.Verdict, summary, detail string) {
	if e.outcome.verdict == "" {
		e.outcome.verdict, e.outcome.summary, e.outcome.detail = v, summary, detail
	}
	e.stopping = true
}

// over is called when nobody is enabled: the execution has ended, or is stuck.
//
//go:norace
func (e *engine) endStuck() {
	e.stopping = true
	if e.alive == 0 || e.outcome.verdict != "" {
		return
	}
	if e.tasks[0].ended {
		e.outcome.verdict = verdict.Leak
	} else {
		e.outcome.verdict = verdict.Deadlock
	}
}

// panicked is called on the task's stack by its deferred call.
//
//go:norace
func (e *engine) panicked(t *task, v any) {
	if d, ok := v.(*strategy.DivergenceError); ok {
		e.fail(verdict.Nondeterminism, d.Error(), "")
		return
	}
	stack := string(debug.Stack())
	e.fail(verdict.Panicked, fmt.Sprintf("task %s: panic: %v", t.title(), v), stack)
}

// goexited is called when a task leaves by runtime.Goexit. That ends a task like
// any other, and if it is the first, the execution: t.FailNow does so.
//
//go:norace
func (e *engine) goexited(t *task) {
	if t.parent == nil && !e.abandoning {
		e.stopping = true
	}
}

// title is how people call the task.
func (t *task) title() string {
	return Title(t.path(), t.label)
}

// abandon ends the tasks that are left: where each of them stands is written down
// if it is part of the verdict, and then it unwinds.
func (e *engine) abandon() {
	e.stopping = true
	v := e.outcome.verdict
	if v == verdict.Deadlock || v == verdict.Leak || v == verdict.Livelock || e.outcome.cut || len(e.starts.untracked) > 0 {
		arrived := e.waitForOutside()
		e.survey()
		if !arrived && !e.reportExternalWake() && len(e.starts.untracked) == 0 {
			e.outcome.summary = summarize(e.outcome)
			if v != verdict.Timeout && !(e.outcome.cut && e.objects.areLocked()) {
				e.judge()
			}
		}
	} else if racing.Detector {
		e.survey()
		e.outcome.tasks = nil
	}
	e.abandoning = true
	e.control.Quiet = false        // what is passed while unwinding counts
	for i := 0; i < e.count; i++ { // tasks may start tasks while they unwind
		t := e.tasks[i]
		if t.ended || t.Pseudo {
			continue
		}
		if t.host == nil || !e.pooled && t.host.g == 0 { // never begun
			t.ended = true
			t.body = nil
			e.alive--
			if t.host != nil {
				t.host.dying = true
				e.mechanism.release(t.host)
			}
			continue
		}
		e.setCurrent(t)
		e.mechanism.swap(e.root, t.host)
		e.control.SetRunning(nobody)
	}
}

// survey writes down who has not ended, what it waits for, and where. To the race
// detector, all that was done comes before it, and all unwinding after: deferred
// calls run without the locks that they count on.
func (e *engine) survey() {
	for _, t := range e.tasks[:e.count] {
		if t.ended || t.Pseudo {
			continue
		}
		s := TaskState{Path: t.path(), Name: t.label, Kind: t.Op.Kind, Waits: t.describe(), moved: 2*t.moved >= e.Step}
		if t.Op.Kind.Waits() && t.object != nil {
			s.Object = t.object.id
			s.Cases = e.casesOf(t.cases)
		}
		if t.host != nil && t.host.g != 0 {
			t.host.stackWanted = true
			e.mechanism.swap(e.root, t.host)
			s.Stack = subjectFrames(t.stack)
		}
		e.outcome.tasks = append(e.outcome.tasks, s)
	}
}

// unwinding is the panic by which abandoned tasks end.
type unwinding struct{ task *task }

func (unwinding) Error() string { return "the execution has been abandoned" }

//go:norace
func isUnwinding(v any) bool {
	_, ok := v.(unwinding)
	return ok
}

// order is the hash of the partial order: what was done to each object, in which
// order, by which operation of whom. Objects have no names here, so the sum.
//
//go:norace
func (e *engine) order() uint64 {
	var sum uint64
	for _, o := range e.objects.list[:e.objects.used] {
		sum += splitmix.Mix(o.order+o.since, 1)
	}
	return sum
}

// result is what Run returns.
func (e *engine) result() Result {
	o := &e.outcome
	if o.verdict == "" {
		o.verdict = verdict.Pass
	}
	return Result{
		Seed: e.seed, Verdict: o.verdict, Effect: o.verdict, Summary: o.summary, Detail: o.detail, Tasks: o.tasks,
		Steps: e.Step, Forced: e.forced, Timers: e.timers.armed, Sleeps: e.timers.slept, Preemptions: e.preemptions, Hash: e.hash, Order: e.order(),
		Schedule: strategy.Schedule{Deviations: e.deviations, Fires: e.faults.fires}, Faults: e.faults.counts,
	}
}

// path is Path.
func (e *engine) path(key uint64) string {
	for _, t := range e.tasks[:e.count] {
		if t.Key == key {
			return t.path()
		}
	}
	return ""
}

// happened queues an event for the observer.
//
//go:norace
func (e *engine) queueEvent(t *task, kind strategy.Kind, o *object) {
	if e.Step <= e.known {
		return
	}
	op := t.Op
	op.Kind = kind
	if o != nil {
		op.Object = o.id
	} else {
		op.Object, op.Others = 0, nil
	}
	e.events = append(e.events, strategy.Event{Task: &t.Task, Op: op})
}

// tell passes the queued events on.
func (e *engine) flushEvents() {
	for i := range e.events {
		e.observer.Happened(e.events[i])
	}
	e.events = e.events[:0]
}
