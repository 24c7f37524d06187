package control

import (
	"fmt"
	"runtime/debug"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// A Judge says what a stuck execution came to, if it knows better than the engine:
// the verdict, and a summary in one line. A verdict of "" leaves the engine's, and so
// does a summary of "". stuck is the result as the engine has it.
type Judge func(stuck Result) (v verdict.Verdict, summary string)

// OnStuck has the judge asked, from inside an execution, in case that this one gets
// stuck: a deadlock, a leak or a livelock. The engine knows who waits, and the subject
// what for; a pool can tell work that nobody was woken for from a lost job. Of
// several judges the first that knows decides. A judge lasts as long as the execution.
//
// It is called when nobody can go on, before anything is unwound, by the goroutine
// that called Run: it may read the whole subject, whose drop-ins do no more there than
// the standard types would. It must not wait for anything that a task holds, nor call
// the Engine, nor runtime.Goexit (t.FailNow), and what it says must follow from the
// subject and from stuck alone, like everything else that an execution decides. Its
// panic is the execution's verdict.
func (e *Engine) OnStuck(j Judge) {
	if e.in.inside("OnStuck") {
		e.in.addJudge(j)
	}
}

//go:norace
func (e *engine) addJudge(j Judge) { e.judges = append(e.judges, j) }

// judge asks the judges of an execution that is stuck. To the race detector, what
// they read comes after all that was done, and before all unwinding.
func (e *engine) judge() {
	e.meeting.Add(1)
	e.outsiders.watch(false) // a judge may have goroutines of its own
	defer e.outsiders.watch(true)
	defer e.endJudging()
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

func (e *engine) endJudging() {
	if v := recover(); v != nil {
		o := &e.outcome
		o.verdict, o.summary, o.detail = verdict.Panicked, fmt.Sprintf("OnStuck: panic: %v", v), string(debug.Stack())
	}
	e.meeting.Add(1)
}
