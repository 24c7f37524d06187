package scale

import (
	"iter"
	"time"
)

// Time is virtual, in picoseconds: from the beginning of a run, or a span.
type Time int64

const (
	nanosecond  Time = 1e3
	microsecond      = 1e3 * nanosecond
	millisecond      = 1e3 * microsecond
	second           = 1e3 * millisecond
	never       Time = 1<<63 - 1
)

// nanoseconds converts a measured cost.
func nanoseconds(ns float64) Time { return Time(ns*1e3 + 0.5) }

// Nanoseconds returns t as a number of them.
func (t Time) Nanoseconds() float64 { return float64(t) / 1e3 }

// Duration returns t rounded to nanoseconds.
func (t Time) Duration() time.Duration { return time.Duration(t / nanosecond) }

// A clock resumes actors in the order of their times, and of their appointments where
// times are the same: nothing else decides, so a run can be repeated.
type clock struct {
	now    Time
	events []event // a binary heap
	made   uint64
	actors []*actor
}

type event struct {
	at     Time
	number uint64
	actor  *actor
	epoch  uint64
}

func (e *event) before(o *event) bool {
	return e.at < o.at || e.at == o.at && e.number < o.number
}

// An actor is a coroutine that lives in virtual time: it acts at once, and waits.
type actor struct {
	clock  *clock
	resume func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool
	epoch  uint64 // appointments of an earlier one are off
	awaits Time   // when it is to be resumed; never, if nobody has said
}

// stopped unwinds an actor whose run is over.
type stopped struct{}

// start makes an actor that begins now.
func (c *clock) start(body func(a *actor)) *actor {
	a := &actor{clock: c}
	a.resume, a.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if v := recover(); v != nil {
				if _, ok := v.(stopped); !ok {
					panic(v)
				}
			}
		}()
		a.yield = yield
		body(a)
	})
	c.actors = append(c.actors, a)
	a.at(c.now)
	return a
}

// at says when the actor is to be resumed, in place of what was said before.
func (a *actor) at(t Time) {
	a.epoch++
	a.awaits = t
	if t == never {
		return
	}
	c := a.clock
	c.made++
	c.push(event{t, c.made, a, a.epoch})
}

// park waits until somebody has said when.
func (a *actor) park() {
	if !a.yield(struct{}{}) {
		panic(stopped{})
	}
}

// wait lets d pass.
func (a *actor) wait(d Time) { a.until(a.clock.now + d) }

// until waits for that time, unless it is past.
func (a *actor) until(t Time) {
	c := a.clock
	switch {
	case t <= c.now:
	case len(c.events) == 0 || c.events[0].at > t: // nobody acts before
		c.now = t
	default:
		a.at(t)
		a.park()
	}
}

// run resumes actors until none has an appointment, or until a time; it reports whether
// none has.
func (c *clock) run(until Time) bool {
	for len(c.events) > 0 {
		if c.events[0].at > until {
			return false
		}
		e := c.pop()
		if e.epoch != e.actor.epoch {
			continue
		}
		c.now = e.at
		e.actor.epoch++
		e.actor.awaits = never
		e.actor.resume()
	}
	return true
}

// end ends all actors.
func (c *clock) end() {
	for _, a := range c.actors {
		a.stop()
	}
}

func (c *clock) push(e event) {
	h := append(c.events, e)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(&h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
	c.events = h
}

func (c *clock) pop() event {
	h := c.events
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	for i := 0; len(h) > 0; {
		down := 2*i + 1
		if down+1 < len(h) && h[down+1].before(&h[down]) {
			down++
		}
		if down >= len(h) || !h[down].before(&last) {
			h[i] = last
			break
		}
		h[i] = h[down]
		i = down
	}
	c.events = h
	return top
}
