package core

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// A Judge returns the verdict on a stuck execution and a one-line summary, if it knows better
// than the engine. An empty verdict leaves the engine's verdict, an empty summary its summary.
// stuck is the engine's own result.
type Judge func(stuck Result) (v verdict.Verdict, summary string)

// OnStuck implements control.Engine.OnStuck.
//
//go:norace
func (e *Engine) OnStuck(j Judge) {
	if e.Inside("OnStuck") {
		e.judges = append(e.judges, j)
	}
}

// endStuck is called when no task is enabled: the execution has ended, or is stuck.
//
//go:norace
func (e *Engine) endStuck() {
	e.Stopping = true
	if e.Outcome.Verdict != "" {
		return
	}
	if e.Alive == 0 {
		if e.Front.LeavesCoroutines() {
			e.Outcome.Verdict = verdict.Leak
		}
		return
	}
	if !e.Front.IsFailure() {
		return
	}
	e.Outcome.Verdict = verdict.Deadlock
	if e.Tasks[0].Ended {
		e.Outcome.Verdict = verdict.Leak
	}
}

// Judge asks the judges of an execution that is stuck. For the race detector, what they read
// comes after everything that was done, and before all unwinding.
func (e *Engine) Judge() {
	e.Edges.Add(1)
	defer e.Front.Judges()()
	defer e.recoverJudge()
	for _, j := range e.judges {
		v, summary := j(e.result())
		if v == "" {
			continue
		}
		e.Outcome.Verdict = v
		if summary != "" {
			e.Outcome.Summary = summary
		}
		return
	}
}

func (e *Engine) recoverJudge() {
	if v := recover(); v != nil {
		o := &e.Outcome
		o.Verdict, o.Summary, o.Detail = verdict.Panicked, fmt.Sprintf("OnStuck: panic: %v", v), string(debug.Stack())
	}
	e.Edges.Add(1)
}

// waitsOf describes where each task is stopped, tasks at the same place together.
func waitsOf(tasks []TaskState) (parts []string) {
	at := map[string]int{}
	others := map[int][]string{}
	for _, s := range tasks {
		stands := s.Waits + " in " + s.Place()
		if i, known := at[stands]; known {
			others[i] = append(others[i], s.Path)
			continue
		}
		at[stands] = len(parts)
		parts = append(parts, s.Path+" "+stands)
	}
	for i, paths := range others {
		verb := ", and so do "
		if len(paths) == 1 {
			verb = ", and so does "
		}
		parts[i] += verb + Paths(paths)
	}
	return parts
}

// MostNamed bounds the tasks that a text names of those that do the same; of more, it names the first FewNamed.
const MostNamed, FewNamed = 12, 3

// Paths lists the paths of tasks that do the same: if there are many, the first few, and how many more.
func Paths(paths []string) string {
	if len(paths) <= MostNamed {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:FewNamed], ", "), len(paths)-FewNamed)
}

// Summarize describes in one line which tasks are stuck, and where.
func Summarize(o Outcome) string {
	if o.Cut {
		return summarizeCut(o)
	}
	what := strings.Join(waitsOf(o.Tasks), "; ")
	switch o.Verdict {
	case verdict.Leak:
		if o.Test {
			return "the test has ended, but " + what
		}
		return "the body has returned, but " + what
	case verdict.Deadlock:
		if o.Partial {
			return "others can continue, but not these: " + what
		}
		return "no task can continue: " + what
	}
	return what
}
