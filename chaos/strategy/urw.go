package strategy

import "math/rand/v2"

// URW is a uniform random walk: each enabled task is chosen with a probability proportional
// to the steps that it and the tasks it will spawn have left, so that all interleavings are
// about equally likely (Zhao et al., Selectively Uniform Concurrency Testing, ASPLOS 2025).
// The first execution is random, and counts the steps; a task that was not in it counts as
// having one step left.
func URW() Strategy { return new(urw) }

type urw struct {
	source rand.PCG
	after
	profile *profile
	known   identities
	started bool // the profile is made
	totals  []int
	left    remaining
}

func (*urw) Name() string { return "urw" }

func (u *urw) Begin(x Execution) bool {
	u.source.Seed(x.Seed, stream)
	u.after.draw(x.Seed)
	u.known.reset()
	u.left.reset()
	switch {
	case u.profile == nil:
		u.profile = newProfile()
	case !u.started:
		u.started = true
		u.totals = make([]int, len(u.profile.tasks))
		for i := range u.totals {
			u.totals[i] = u.profile.tasks[i].steps
		}
		u.profile.weights(u.totals)
	}
	return true
}

func (u *urw) Next(c *Choice) int {
	if !u.started {
		i := intn(&u.source, len(c.Enabled))
		u.profile.add(c.Enabled[i], &u.known)
		return i
	}
	sum := 0
	for _, t := range c.Enabled {
		sum += max(1, u.left.of(t, u.profile, u.totals))
	}
	r := intn(&u.source, sum)
	for i, t := range c.Enabled {
		if r -= max(1, u.left.weights[t.ID]); r < 0 {
			if t.Op.Kind != After {
				u.left.weights[t.ID]--
			}
			return i
		}
	}
	panic("unreachable: the weights have a sum above r")
}

func (u *urw) Pick(c *Choice, n int) int { return answer(&u.source, c, n) }

// Happened moves a child's weight from its parent to itself.
func (u *urw) Happened(e Event) {
	if e.Op.Kind != Spawn {
		return
	}
	if !u.started {
		u.profile.task(e.Child)
		return
	}
	u.left.spawned(e.Child, u.profile, u.totals)
}

func (*urw) End(Result) {}

// remaining counts the steps that tasks have left, including those of descendants that do not
// exist yet.
type remaining struct {
	weights []int // by task ID
	known   []bool
}

func (r *remaining) reset() { clear(r.known) }

// of returns a task's weight: at first that of the profile.
func (r *remaining) of(t *Task, p *profile, totals []int) int {
	if t.ID >= len(r.known) {
		r.weights, r.known = grow(r.weights, t.ID), grow(r.known, t.ID)
	}
	if !r.known[t.ID] {
		r.known[t.ID] = true
		r.weights[t.ID] = 0
		if i, ok := p.byKey[t.Key]; ok {
			r.weights[t.ID] = totals[i]
		}
	}
	return r.weights[t.ID]
}

// spawned moves a child's weight from its parent to itself. It returns both weights, the
// parent's as it was.
func (r *remaining) spawned(t *Task, p *profile, totals []int) (parent, child int) {
	parent, child = r.of(t.Parent, p, totals), r.of(t, p, totals)
	r.weights[t.Parent.ID] = max(0, parent-child)
	return parent, child
}
