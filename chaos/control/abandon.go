package control

import (
	"runtime"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/racing"
)

// Abandoned tasks are unwound: each is resumed in the hook in which it stopped, which panics.
// Deferred calls run, and the hooks that they reach pass through, as far as they need not wait;
// then they panic, too. A program that recovers the panic and continues meets it again, and in
// the end a Goexit, which cannot be recovered.
const (
	maxPasses  = 100_000 // hooks that a task may pass while it unwinds
	maxUnwinds = 100     // panics that it may recover
)

// abandon ends the tasks that are left: where each of them is stopped is recorded if that is part of
// the verdict, and then it unwinds.
func (e *hookedTasks) abandon() {
	e.stopping = true
	v := e.outcome.verdict
	if v == verdict.Deadlock || v == verdict.Leak || v == verdict.Livelock || e.outcome.cut || len(e.starts.untracked) > 0 {
		arrived := e.waitForOutside()
		e.recordTasks()
		if !arrived && !e.reportExternalWake() && len(e.starts.untracked) == 0 {
			e.outcome.summary = summarize(e.outcome)
			if v != verdict.Timeout && !(e.outcome.cut && e.objects.areLocked()) {
				e.judge()
			}
		}
	} else if racing.Detector {
		e.recordTasks()
		e.outcome.tasks = nil
	}
	e.abandoning = true
	e.control.Quiet = false        // countPass has to be called
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
		e.control.SetRunning(noGoroutine)
	}
}

// recordTasks records the tasks that have not ended, what each waits for, and where. For the
// race detector, everything that was done comes before it, and all unwinding after: deferred
// calls run without the locks that they count on.
func (e *hookedTasks) recordTasks() {
	for _, t := range e.tasks[:e.count] {
		if t.ended || t.Pseudo {
			continue
		}
		s := TaskState{Path: t.path(), Name: t.name(), Kind: t.Op.Kind, Waits: t.describe(), moved: 2*t.moved >= e.Step}
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
type unwinding struct{}

func (unwinding) Error() string { return "the execution has been abandoned" }

//go:norace
func isUnwinding(v any) bool {
	_, ok := v.(unwinding)
	return ok
}

//go:norace
func (e *hookedTasks) unwind(t *task) {
	t.unwinds++
	e.edges.Add(1) // see recordTasks
	if t.unwinds > maxUnwinds {
		runtime.Goexit()
	}
	panic(unwinding{})
}

// countPass is called by the hooks that an unwinding task passes.
//
//go:norace
func (e *hookedTasks) countPass() {
	t := e.current()
	if t.passes++; t.passes > maxPasses {
		e.unwind(t)
	}
}

//go:norace
func (e *hookedTasks) Unwinding(v any) bool {
	if !e.onTask() {
		e.Outside()
	}
	return isUnwinding(v)
}
