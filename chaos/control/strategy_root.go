package control

import "github.com/rouse-go/rouse/chaos/strategy"

// atRoot asks a strategy on the root's goroutine: strategies are ordinary code, in
// whose state the race detector would find races between the tasks that asked.
type atRoot struct {
	strategy.Strategy
	engine *engine

	asker  *host // that asks; nil if nobody does
	c      *strategy.Choice
	n      int // of a Pick; 0 is a Next
	answer int
}

//go:norace
func (r *atRoot) Next(c *strategy.Choice) int { return r.ask(c, 0) }

//go:norace
func (r *atRoot) Pick(c *strategy.Choice, n int) int { return r.ask(c, n) }

// ask has the root answer.
//
//go:norace
func (r *atRoot) ask(c *strategy.Choice, n int) int {
	e := r.engine
	r.c, r.n = c, n
	if e.current() == nil { // this is the root
		r.now()
		return r.answer
	}
	h := e.current().host
	r.asker = h
	e.mechanism.swap(h, e.root)
	e.control.SetRunning(h.g)
	return r.answer
}

// serve answers until control comes back to the root for another reason.
func (r *atRoot) serve() {
	for r.asker != nil {
		h := r.asker
		r.asker = nil
		r.now()
		r.engine.mechanism.swap(r.engine.root, h)
		r.engine.control.SetRunning(nobody)
	}
}

// now answers.
//
//go:norace
func (r *atRoot) now() {
	defer r.diverged()
	r.engine.prepare()
	if r.n > 0 {
		r.answer = r.Strategy.Pick(r.c, r.n)
	} else {
		r.answer = r.Strategy.Next(r.c)
	}
}

// diverged catches a strategy's panic that belongs to the execution.
func (r *atRoot) diverged() {
	if v := recover(); v != nil {
		r.engine.strategyFailed(v)
		r.answer = 0
	}
}
