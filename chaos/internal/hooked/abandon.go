package hooked

import (
	"runtime"

	"github.com/rouse-go/rouse/chaos/internal/core"
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
func (e *Tasks) abandon() {
	e.Stopping = true
	v := e.Outcome.Verdict
	if v == verdict.Deadlock || v == verdict.Leak || v == verdict.Livelock || e.Outcome.Cut || len(e.starts.untracked) > 0 {
		arrived := e.waitForOutside()
		e.recordTasks()
		if !arrived && !e.reportExternalWake() && len(e.starts.untracked) == 0 {
			e.Outcome.Summary = core.Summarize(e.Outcome)
			if v != verdict.Timeout && !(e.Outcome.Cut && e.Objects.AreLocked()) {
				e.Judge()
			}
		}
	} else if racing.Detector {
		e.recordTasks()
		e.Outcome.Tasks = nil
	}
	e.Abandoning = true
	e.Control.Quiet = false           // countPass has to be called
	for i := 0; i < e.NumTasks; i++ { // tasks may start tasks while they unwind
		t := e.Tasks[i]
		if t.Ended || t.Pseudo {
			continue
		}
		if of(t).host == nil || !e.pooled && of(t).host.g == 0 { // never begun
			t.Ended = true
			t.Body = nil
			e.Alive--
			if of(t).host != nil {
				of(t).host.dying = true
				e.mechanism.release(of(t).host)
			}
			continue
		}
		e.SetCurrent(t)
		e.mechanism.swap(e.root, of(t).host)
		e.Control.SetRunning(noGoroutine)
	}
}

// recordTasks records the tasks that have not ended, what each waits for, and where. For the
// race detector, everything that was done comes before it, and all unwinding after: deferred
// calls run without the locks that they count on.
func (e *Tasks) recordTasks() {
	for _, t := range e.Tasks[:e.NumTasks] {
		if t.Ended || t.Pseudo {
			continue
		}
		s := core.TaskState{Path: t.Path(), Name: t.Name(), Kind: t.Op.Kind, Waits: t.Describe(), Moved: 2*t.Moved >= e.Step}
		if t.Op.Kind.Waits() && t.Object != nil {
			s.Object = t.Object.ID
			s.Cases = e.CasesOf(t.Cases)
		}
		if of(t).host != nil && of(t).host.g != 0 {
			of(t).host.stackWanted = true
			e.mechanism.swap(e.root, of(t).host)
			s.Stack = core.SubjectFrames(t.Stack)
		}
		e.Outcome.Tasks = append(e.Outcome.Tasks, s)
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
func (e *Tasks) unwind(t *core.Task) {
	t.Unwinds++
	e.Edges.Add(1) // see recordTasks
	if t.Unwinds > maxUnwinds {
		runtime.Goexit()
	}
	panic(unwinding{})
}

// countPass is called by the hooks that an unwinding task passes.
//
//go:norace
func (e *Tasks) countPass() {
	t := e.Running()
	if t.Passes++; t.Passes > maxPasses {
		e.unwind(t)
	}
}

//go:norace
func (e *Tasks) Unwinding(v any) bool {
	if !e.onTask() {
		e.Outside()
	}
	return isUnwinding(v)
}
