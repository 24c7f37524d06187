package strategy

import "math/rand/v2"

// POS gives every operation that is about to be done a random priority, runs the one with
// the highest, and draws new priorities for those that race with it (Yuan et al., Partial
// Order Aware Concurrency Sampling, CAV 2018). It samples partial orders more evenly than
// Random does, and needs no profile.
func POS() Strategy { return new(pos) }

type pos struct {
	source rand.PCG
	after
	priorities []uint64 // by task ID
	drawn      []int    // by task ID: for which operation the priority was drawn; 0 for none
	many       posMany
}

func (*pos) Name() string { return "pos" }

func (p *pos) Begin(x Execution) bool {
	p.source.Seed(x.Seed, stream)
	p.after.draw(x.Seed)
	clear(p.drawn)
	p.many.reset(&p.source)
	return true
}

func (p *pos) Next(c *Choice) int {
	if c.HasMany() {
		return c.Index(p.many.next(c))
	}
	best, highest := 0, uint64(0)
	for i, t := range c.Enabled {
		if priority := p.priority(t); i == 0 || priority > highest {
			best, highest = i, priority
		}
	}
	op := &c.Enabled[best].Op
	for i, t := range c.Enabled {
		if i != best && t.Op.races(*op) {
			p.drawn[t.ID] = 0 // draw again
		}
	}
	return best
}

func (p *pos) priority(t *Task) uint64 {
	if t.ID >= len(p.drawn) {
		p.drawn, p.priorities = grow(p.drawn, t.ID), grow(p.priorities, t.ID)
	}
	at := operationOf(t)
	if p.drawn[t.ID] != at {
		p.drawn[t.ID] = at
		p.priorities[t.ID] = p.source.Uint64()
	}
	return p.priorities[t.ID]
}

func (p *pos) Pick(c *Choice, n int) int { return answer(&p.source, c, n) }

func (*pos) SkipsForced() bool { return true }

func (*pos) End(Result) {}
