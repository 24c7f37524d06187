package hooked

import "github.com/rouse-go/rouse/chaos/strategy"

// atRoot asks a strategy on the root's goroutine. Strategies are ordinary code, and the race
// detector would find races in their state between the tasks that ask.
type atRoot struct {
	strategy.Strategy
	tasks *Tasks

	asker  *host // the host whose task asks; nil if none does
	choice *strategy.Choice
	n      int // of a Pick; 0 for a Next
	answer int
}

//go:norace
func (r *atRoot) Next(c *strategy.Choice) int { return r.ask(c, 0) }

//go:norace
func (r *atRoot) Pick(c *strategy.Choice, n int) int { return r.ask(c, n) }

//go:norace
func (r *atRoot) ask(c *strategy.Choice, n int) int {
	e := r.tasks
	r.choice, r.n = c, n
	if e.Running() == nil { // this is the root
		r.respond()
		return r.answer
	}
	h := of(e.Running()).host
	r.asker = h
	e.mechanism.swap(h, e.root)
	e.Control.SetRunning(h.g)
	return r.answer
}

// serve answers until control comes back to the root for another reason.
func (r *atRoot) serve() {
	for r.asker != nil {
		h := r.asker
		r.asker = nil
		r.respond()
		r.tasks.mechanism.swap(r.tasks.root, h)
		r.tasks.Control.SetRunning(noGoroutine)
	}
}

//go:norace
func (r *atRoot) respond() {
	defer r.recoverStrategy()
	r.tasks.FlushEvents()
	if r.n > 0 {
		r.answer = r.Strategy.Pick(r.choice, r.n)
	} else {
		r.answer = r.Strategy.Next(r.choice)
	}
}

func (r *atRoot) recoverStrategy() {
	if v := recover(); v != nil {
		r.tasks.StrategyFailed(v)
		r.answer = 0
	}
}
