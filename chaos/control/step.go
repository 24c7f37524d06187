package control

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/racing"
	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/seam"
)

// A step is made in three parts, on the stack of the task that makes it:
//
//	announce  the task says what it is about to do; it is enabled if that can be done
//	arrive    the strategy chooses; the task returns from here when it was chosen
//	did       the operation has been done: who waits for that is enabled
//
// Between arrive and did nobody else runs, so that a model (mutex.go, cond.go ...)
// changes its object between the two as if it were alone.

// announce says that the current task is about to do that to x.
//
//go:norace
func (e *engine) announce(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object) {
	t := e.current()
	o := e.objects.at(x)
	t.object = o
	if p != nil {
		e.control.Passed = p
	} else if e.tracing {
		t.causes.noPoint = true
	}
	t.Op.Kind, t.Op.Object = kind, o.id
	return t, o
}

// step announces an operation that never waits and returns when it is its turn.
//
//go:norace
func (e *engine) step(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object) {
	e.drainStores()
	t, o := e.announce(kind, p, x)
	if next := e.decide(); next != t { // arrive: a frame less to return through
		e.turn(t, next)
	}
	return t, o
}

// await announces an operation that may have to wait and returns when it is its
// turn: when ready says that it can be done, and the strategy has chosen it.
//
//go:norace
func (e *engine) await(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object) {
	t, o, _ := e.awaitGrant(kind, p, x)
	return t, o
}

// awaitGrant is await, and tells whether somebody else has done the operation for
// the task already.
//
//go:norace
func (e *engine) awaitGrant(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object, bool) {
	e.drainStores()
	t, o := e.announce(kind, p, x)
	o.addWaiter(t)
	if !e.ready(t) {
		e.disable(t)
		if e.tracing {
			e.traceWait(t, o)
		}
		if kind == strategy.RLock {
			e.queueSignal(t, o) // the writer who leaves lets in those who wait
		}
	}
	if next := e.decide(); next != t {
		e.turn(t, next)
	}
	o.removeWaiter(t)
	granted := t.granted
	t.granted = false
	return t, o, granted
}

// ready reports whether what t announced can be done now.
//
//go:norace
func (e *engine) ready(t *task) bool {
	if t.granted {
		return true
	}
	o := t.object
	switch t.Op.Kind {
	case strategy.Lock:
		return !o.locked && !o.announced
	case strategy.RLock:
		return !o.announced
	case strategy.Drain:
		return o.readers == 0
	case strategy.Once:
		return !o.locked
	case strategy.Wait:
		return t.signalled || o.counts && o.readers == 0
	case strategy.Sleep:
		return false
	case strategy.Send, strategy.Receive, strategy.Select:
		return e.canCommunicate(t)
	}
	return true
}

// changed looks again at those who wait for o.
//
//go:norace
func (e *engine) changed(o *object) {
	if e.tracing {
		e.traceChange(o)
	}
	for _, w := range o.waiters {
		if e.ready(w) {
			e.enable(w)
		} else {
			e.disable(w)
		}
	}
}

// arrive is the decision. It returns when t is to go on.
//
//go:norace
func (e *engine) arrive(t *task) {
	if next := e.decide(); next != t {
		e.turn(t, next)
	}
}

// did records that t has done what it announced, of that kind.
//
//go:norace
func (e *engine) did(t *task, o *object, kind strategy.Kind) {
	t.Ops++
	t.repeats = 0
	t.moved = e.Step
	act := splitmix.Mix(t.Key, uint64(t.Ops))
	e.hash = (e.hash ^ (act + uint64(kind)<<8 + uint64(o.id)<<16)) * 0x9e3779b97f4a7c15
	e.hash ^= e.hash >> 29
	if kind == strategy.Load {
		o.since += act
		t.repeating = t.spin.read(o, t.Op.Kind != strategy.Load)
	} else {
		o.order = splitmix.Mix(o.order+o.since, act)
		o.since = 0
		o.writes++
		t.spin.forget()
		t.repeating = false
		e.spins = 0
		if !changesNothing[kind] && o.timer == nil {
			e.progress = e.Step
		}
		if len(e.spinners) > 0 {
			e.recheckSpinners()
		}
	}
	if e.observer != nil && (!t.solo || kind != strategy.Load) {
		e.queueEvent(t, kind, o)
	}
	if e.tracing {
		e.trace(t, kind, o)
	}
}

// announced tells the observer that others can see what t is about to do: that is
// part of its last step, as there was no choice since.
//
//go:norace
func (e *engine) queueSignal(t *task, o *object) {
	if e.observer != nil {
		e.queueEvent(t, strategy.Signal, o)
	}
}

// did0 is did for what is not about an object.
//
//go:norace
func (e *engine) did0(t *task, kind strategy.Kind) {
	t.Ops++
	t.repeats = 0
	t.moved = e.Step
	if !changesNothing[kind] {
		e.progress = e.Step
	}
	e.hash = (e.hash ^ (splitmix.Mix(t.Key, uint64(t.Ops)) + uint64(kind)<<8)) * 0x9e3779b97f4a7c15
	e.hash ^= e.hash >> 29
	if e.observer != nil {
		e.queueEvent(t, kind, nil)
	}
	if e.tracing {
		e.trace(t, kind, nil)
	}
}

// decide asks the strategy who goes on. It returns nil if the execution is over.
//
//go:norace
func (e *engine) decide() *task {
	if t := e.current(); t != nil && t.repeating && t.Op.Kind != strategy.After {
		if t.solo = e.settleSpinner(t); t.solo {
			e.soloSteps++
			e.Step++
			t.spin.steps++
			e.countDecision()
			return t
		}
	}
	for {
		if e.outsiders.arrived || e.starts.closely {
			e.checkStarts()
		}
		if e.stopping {
			return nil
		}
		for len(e.touched) > 0 {
			last := len(e.touched) - 1
			o := e.touched[last]
			e.touched = e.touched[:last]
			e.changed(o)
		}
		if (e.alive == 0 || len(e.Enabled) == 0 && !e.advanceTime()) && !e.flushes() {
			e.endStuck()
			return nil
		}
		if e.Step-e.soloSteps >= e.maxSteps || e.Step%wallSteps == wallSteps-1 && e.pastDeadline() {
			e.cut()
			return nil
		}
		i := 0
		if len(e.Enabled) == 1 {
			e.forced++
		}
		if len(e.Enabled) > 1 || !e.unforced {
			i = e.ask()
		}
		e.Step++
		next := of(e.Enabled[i])
		e.countDecision()
		if next.Pseudo { // its step is made here, on whatever stack
			if next == e.clock {
				next.Ops++
				e.fireNext()
			} else {
				e.weak.model.flush(next)
			}
			continue
		}
		return next
	}
}

// ask has the strategy choose, and records what is not the canonical choice.
//
//go:norace
func (e *engine) ask() int {
	cur, d := e.current(), 0
	stays := cur != nil && cur.place >= 0 && cur.Op.Kind != strategy.Yield
	if stays {
		d = cur.place
	} else if len(e.Enabled) > 1 {
		d = e.lowest()
	}
	e.Default = d
	if !racing.Detector { // else the root does it: see atRoot
		e.prepare()
	}
	i := e.chooser.Next(&e.Choice)
	if uint(i) >= uint(len(e.Enabled)) {
		e.illegal("chose task", i, len(e.Enabled))
	}
	if i != d {
		e.deviate(of(e.Enabled[i]))
		if stays {
			e.preemptions++
		}
	}
	return i
}

// of returns the task that strategies see as s.
//
//go:norace
func of(s *strategy.Task) *task { return (*task)(unsafe.Pointer(s)) } // its first field

// lowest returns the place of the enabled task that the canonical policy chooses
// when the current one can't go on, or yields: that of the lowest ID.
//
//go:norace
func (e *engine) lowest() int {
	best := -1
	for i, t := range e.Enabled {
		switch {
		case t == e.Current: // it yields
		case best < 0, !t.Pseudo && (e.Enabled[best].Pseudo || t.ID < e.Enabled[best].ID):
			best = i
		}
	}
	return best
}

// illegal is a strategy that says what it cannot say.
//
//go:norace
func (e *engine) illegal(does string, i, n int) {
	panic("control: strategy " + e.chooser.Name() + " " + does + " number " + itoa(i) + " of " + itoa(n))
}

// prepare brings the strategy up to date.
//
//go:norace
func (e *engine) prepare() {
	if len(e.events) > 0 {
		e.flushEvents()
	}
}

// pick lets the strategy choose among n outcomes of the current task's step.
//
//go:norace
func (e *engine) pick(n int) int {
	if n < 2 {
		return 0
	}
	if !racing.Detector {
		e.prepare()
	}
	i := e.chooser.Pick(&e.Choice, n)
	if uint(i) >= uint(n) {
		e.illegal("picked", i, n)
	}
	if i != 0 {
		e.deviatePick(i)
	}
	e.countDecision()
	e.hash = splitmix.Mix(e.hash, uint64(i))
	return i
}
