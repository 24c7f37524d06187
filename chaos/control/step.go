package control

import (
	"unsafe"

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

// step announces an operation that never waits and returns when it is its turn.
//
//go:norace
func (e *Engine) step(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object) {
	t := e.current
	o := e.objects.at(x)
	t.object = o
	if p != nil {
		t.point = p
	}
	t.Op.Kind, t.Op.Object, t.Op.Name = kind, o.id, o.name
	e.arrive(t)
	return t, o
}

// await announces an operation that may have to wait and returns when it is its
// turn: when ready says that it can be done, and the strategy has chosen it.
//
//go:norace
func (e *Engine) await(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object) {
	t, o, _ := e.awaitGrant(kind, p, x)
	return t, o
}

// awaitGrant is await, and tells whether somebody else has done the operation for
// the task already.
//
//go:norace
func (e *Engine) awaitGrant(kind strategy.Kind, p *seam.Point, x unsafe.Pointer) (*task, *object, bool) {
	t := e.current
	o := e.objects.at(x)
	t.object = o
	if p != nil {
		t.point = p
	}
	t.Op.Kind, t.Op.Object, t.Op.Name = kind, o.id, o.name
	o.await(t)
	if !e.ready(t) {
		e.disable(t)
	}
	e.arrive(t)
	o.release(t)
	granted := t.granted
	t.granted = false
	return t, o, granted
}

// ready reports whether what t announced can be done now.
//
//go:norace
func (e *Engine) ready(t *task) bool {
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
		return o.counts && o.readers == 0
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
func (e *Engine) changed(o *object) {
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
func (e *Engine) arrive(t *task) {
	if t.Spinning {
		e.settle(t)
	}
	next := e.decide()
	if next != t {
		e.switchTo(t, next)
	}
}

// did records that t has done what it announced, of that kind.
//
//go:norace
func (e *Engine) did(t *task, o *object, kind strategy.Kind) {
	t.Ops++
	t.repeats = 0
	act := mix(t.Key, uint64(t.Ops))
	e.hash = (e.hash ^ (act + uint64(kind)<<8 + uint64(o.id)<<16)) * 0x9e3779b97f4a7c15
	e.hash ^= e.hash >> 29
	if kind == strategy.Load {
		o.since += act
		t.Spinning = t.spin.read(o)
	} else {
		o.order = mix(o.order+o.since, act)
		o.since = 0
		o.writes++
		t.spin.forget()
		t.Spinning = false
		if len(e.spinners) > 0 {
			e.stir()
		}
	}
	if e.observer != nil {
		e.happened(t, kind, o)
	}
}

// did0 is did for what is not about an object.
//
//go:norace
func (e *Engine) did0(t *task, kind strategy.Kind) {
	t.Ops++
	t.repeats = 0
	e.hash = (e.hash ^ (mix(t.Key, uint64(t.Ops)) + uint64(kind)<<8)) * 0x9e3779b97f4a7c15
	e.hash ^= e.hash >> 29
	if e.observer != nil {
		e.happened(t, kind, nil)
	}
}

// decide asks the strategy who goes on. It returns nil if the execution is over.
//
//go:norace
func (e *Engine) decide() *task {
	for {
		if e.stopping {
			return nil
		}
		if len(e.enabled) == 0 && !e.idleOut() {
			e.over()
			return nil
		}
		if e.steps >= e.maxSteps {
			e.cut()
			return nil
		}
		e.steps++
		c := &e.choice
		c.Enabled, c.Step = e.enabled, e.steps-1
		d := 0
		if len(e.enabled) == 1 {
			e.forced++
		} else {
			d = e.preferred()
		}
		c.Default = d
		i := e.ask(c)
		next := e.tasks[c.Enabled[i].ID]
		if i != d {
			e.deviate(next)
		}
		e.decided()
		if next.Pseudo {
			e.act(next)
			continue
		}
		if cur := e.current; cur != nil && next != cur && cur.place >= 0 && cur.Op.Kind != strategy.Yield {
			e.preemptions++
		}
		return next
	}
}

// preferred returns the place of the task that the canonical policy chooses: the
// current one if it can go on and does not yield, and else that of the lowest ID.
//
//go:norace
func (e *Engine) preferred() int {
	if t := e.current; t != nil && t.place >= 0 && t.Op.Kind != strategy.Yield {
		return t.place
	}
	best := -1
	for i, t := range e.enabled {
		switch {
		case e.current != nil && t == &e.current.Task: // it yields
		case best < 0, !t.Pseudo && (e.enabled[best].Pseudo || t.ID < e.enabled[best].ID):
			best = i
		}
	}
	return best
}

// ask lets the strategy choose, and checks what it says.
//
//go:norace
func (e *Engine) ask(c *strategy.Choice) int {
	if e.current != nil {
		c.Current = &e.current.Task
	} else {
		c.Current = nil
	}
	if !raceDetector { // else the root does it: see atRoot
		e.prepare()
	}
	i := e.chooser.Next(c)
	if i < 0 || i >= len(c.Enabled) {
		panic("control: strategy " + e.chooser.Name() + " chose task number " + itoa(i) + " of " + itoa(len(c.Enabled)))
	}
	return i
}

// prepare brings the strategy up to date.
//
//go:norace
func (e *Engine) prepare() {
	if e.naming {
		e.name()
	}
	if len(e.events) > 0 {
		e.tell()
	}
}

// pick lets the strategy choose among n outcomes of the current task's step.
//
//go:norace
func (e *Engine) pick(n int) int {
	if n < 2 {
		return 0
	}
	c := &e.choice
	c.Enabled, c.Step, c.Current, c.Default = e.enabled, e.steps, &e.current.Task, 0
	if !raceDetector {
		e.prepare()
	}
	i := e.chooser.Pick(c, n)
	if i < 0 || i >= n {
		panic("control: strategy " + e.chooser.Name() + " picked number " + itoa(i) + " of " + itoa(n))
	}
	if i != 0 {
		e.deviatePick(i)
	}
	e.decided()
	e.hash = mix(e.hash, uint64(i))
	return i
}

// switchTo gives the turn to next, or to the root if that is nil, and returns when
// t has it again.
//
//go:norace
func (e *Engine) switchTo(t, next *task) {
	e.hand(t.host, next)
	if e.abandoning {
		e.unwind(t)
	}
}

// hand gives control from a host to the task's.
//
//go:norace
func (e *Engine) hand(from *host, next *task) {
	to := e.root
	if next != nil {
		if next.host == nil {
			e.embody(next)
		}
		to = next.host
	}
	e.current = next
	e.mechanism.hand(from, to)
	// Back again: whoever handed over has said who is current.
	for from.asked {
		from.asked = false
		e.report(from)
	}
	e.control.SetRunning(from.g)
}
