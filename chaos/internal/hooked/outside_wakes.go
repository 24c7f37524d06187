package hooked

import (
	"time"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/seam"
)

// An execution in which no task can continue is stuck unless something outside could wake one: a
// goroutine that is not a task, a timer of the standard library, or an operation on a channel
// that no hook has shown.

// waitForOutside gives what is outside the time to wake a task, and reports whether an outsider
// has passed a hook.
func (e *Tasks) waitForOutside() bool {
	if e.starts.unexpected() > 0 {
		e.recordUntracked(e.settleOutside(settling))
	}
	if e.outsiders.hasArrived() || e.findExternalWake() != nil || len(e.starts.untracked) > 0 || e.graceUsed {
		return e.outsiders.hasArrived()
	}
	for begin := time.Now(); time.Since(begin) < e.Grace; time.Sleep(settleStep) {
		if e.outsiders.hasArrived() {
			e.settleOutside(settling)
			return true
		}
		if e.findExternalWake() != nil {
			return false
		}
	}
	e.graceUsed = true
	return false
}

// An externalWake is a task that waits for something that the model does not know of.
type externalWake struct {
	task  *core.Task
	timer bool // a timer of the standard library wakes it
}

// findExternalWake returns the first task, by ID, that cannot continue and waits for a channel which
// something outside has made ready, or will; nil if there is none. It takes from that channel.
//
//go:norace
func (e *Tasks) findExternalWake() *externalWake {
	if e.externalWake != nil {
		return e.externalWake
	}
	for _, t := range e.Tasks[:e.NumTasks] {
		if t.Ended || t.Pseudo || t.Granted || t.IsEnabled() {
			continue
		}
		for i := range t.Cases {
			c := &t.Cases[i]
			if c.X == nil {
				continue
			}
			timer := !c.Send && isTimerChannel(c)
			if timer || e.caseReady(t, i) || !c.Send && canReceive(c) {
				e.externalWake = &externalWake{t, timer}
				return e.externalWake
			}
		}
	}
	return nil
}

// canReceive reports whether something can be received that the model does not know of: the channel
// has been closed, or a goroutine outside sends.
//
//go:norace
func canReceive(c *seam.Case) bool {
	r, ok := c.Chan.(interface{ TryReceive() bool })
	return ok && r.TryReceive()
}

// isTimerChannel reports whether the channel is that of a timer of the standard library: such a
// channel has a buffer of one value (the second word of a channel, in every version of Go), and
// reports none.
//
//go:norace
func isTimerChannel(c *seam.Case) bool {
	return c.Chan.Cap() == 0 && (*[2]uint)(c.X)[1] == 1
}

// reportExternalWake makes a wake from outside the verdict of an execution that seemed stuck. The
// tasks have been recorded.
func (e *Tasks) reportExternalWake() bool {
	if e.externalWake == nil {
		return false
	}
	o := &e.Outcome
	for _, s := range o.Tasks {
		if s.Path != e.externalWake.task.Path() {
			continue
		}
		what := "and something that no hook has shown has sent on that channel, received from it or closed it: " +
			"do that in a task, with package hooks/channel, or make the channel with hooks/time or hooks/context"
		if e.externalWake.timer {
			what = "for a timer of the standard library: make the timer with package hooks/time, or the context with hooks/context"
		}
		*o = core.Outcome{Verdict: verdict.Uncontrolled, Summary: "task " + s.Title() + " " + s.Doing() + " in " + s.Place() + ", " + what, Cut: o.Cut}
		return true
	}
	return false
}
