package control

import (
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// mostAlone bounds the steps of a task that Nudge has woken.
const mostAlone = 100

// Nudge repeats an execution up to its n-th event, wakes the task of that path there, a
// waiter of a condition, and lets nobody else run from then on. It returns what the task
// does next: whether it goes on or waits again says whether that for which it waits was
// so by then. Nothing is returned if the task does not wait for a condition there. A
// task that cannot go on, as another holds a lock, say, does nothing any more.
func (e *Engine) Nudge(s strategy.Schedule, body func(), path string, n int) []Event {
	return e.in.nudge(s, body, path, n)
}

// A nudge is a strategy: a replay up to an event, and then one task alone.
type nudge struct {
	strategy.Replay
	engine *engine
	path   string
	after  int   // that event, counted from 1
	woken  *task // nil: it is not so far
	steps  int
}

func (e *engine) nudge(s strategy.Schedule, body func(), path string, n int) []Event {
	before, faults := e.strategy, e.faults
	defer func() { e.follow(before); e.faults = faults }()
	x := &nudge{Replay: strategy.Replay{Schedule: s.Deviations}, engine: e, path: path, after: n}
	e.follow(x)
	e.faults.repeat(s.Fires)
	defer e.beginTrace()()
	e.causes.nudge = x
	e.run(0, body)
	if x.woken == nil {
		return nil
	}
	var own []Event
	for _, event := range e.traced[n:] {
		if event.Task == path {
			own = append(own, event)
		}
	}
	return own
}

// recorded wakes the task after its event.
//
//go:norace
func (x *nudge) recorded(e *engine) {
	if x.woken != nil || len(e.traced) != x.after {
		return
	}
	for _, t := range e.tasks[:e.count] {
		if t.ended || t.Pseudo || t.path() != x.path {
			continue
		}
		for _, o := range e.objects.list[:e.objects.used] {
			if o.leave(t) {
				x.woken = t
				e.wake(t, o)
				return
			}
		}
	}
}

// Next chooses the task, once it is woken, or ends the execution.
//
//go:norace
func (x *nudge) Next(c *strategy.Choice) int {
	if x.woken == nil {
		return x.Replay.Next(c)
	}
	x.steps++
	if x.woken.place < 0 || x.steps > mostAlone {
		x.engine.fail(verdict.Timeout, "the task that was woken cannot go on", "")
		return c.Default
	}
	return x.woken.place
}

// Pick leaves the outcome of what the task does alone to the default.
//
//go:norace
func (x *nudge) Pick(c *strategy.Choice, n int) int {
	if x.woken != nil {
		return 0
	}
	return x.Replay.Pick(c, n)
}
