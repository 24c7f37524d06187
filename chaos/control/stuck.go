package control

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
//
//go:norace
func (e *Engine) OnStuck(j Judge) {
	if e.in.inside("OnStuck") {
		e.in.judges = append(e.in.judges, j)
	}
}

// endStuck is called when no task is enabled: the execution has ended, or is stuck.
//
//go:norace
func (e *engine) endStuck() {
	e.stopping = true
	if e.outcome.verdict != "" {
		return
	}
	if e.alive == 0 {
		if e.front.leavesCoroutines() {
			e.outcome.verdict = verdict.Leak
		}
		return
	}
	if !e.front.isFailure() {
		return
	}
	e.outcome.verdict = verdict.Deadlock
	if e.tasks[0].ended {
		e.outcome.verdict = verdict.Leak
	}
}

// judge asks the judges of an execution that is stuck. For the race detector, what they read
// comes after everything that was done, and before all unwinding.
func (e *engine) judge() {
	e.edges.Add(1)
	defer e.front.judges()()
	defer e.recoverJudge()
	for _, j := range e.judges {
		v, summary := j(e.result())
		if v == "" {
			continue
		}
		e.outcome.verdict = v
		if summary != "" {
			e.outcome.summary = summary
		}
		return
	}
}

func (e *engine) recoverJudge() {
	if v := recover(); v != nil {
		o := &e.outcome
		o.verdict, o.summary, o.detail = verdict.Panicked, fmt.Sprintf("OnStuck: panic: %v", v), string(debug.Stack())
	}
	e.edges.Add(1)
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
		parts[i] += verb + strings.Join(paths, ", ")
	}
	return parts
}

// summarize describes in one line which tasks are stuck, and where.
func summarize(o outcome) string {
	if o.cut {
		return summarizeCut(o)
	}
	what := strings.Join(waitsOf(o.tasks), "; ")
	switch o.verdict {
	case verdict.Leak:
		if o.test {
			return "the test has ended, but " + what
		}
		return "the body has returned, but " + what
	case verdict.Deadlock:
		if o.partial {
			return "others can continue, but not these: " + what
		}
		return "no task can continue: " + what
	}
	return what
}
