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
	index   index
}

func (*urw) Name() string { return "urw" }

func (u *urw) Begin(x Execution) bool {
	u.source.Seed(x.Seed, stream)
	u.after.draw(x.Seed)
	u.known.reset()
	u.left.reset()
	u.index.reset()
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
	switch {
	case !u.started:
		i := intn(&u.source, c.Len())
		u.profile.add(c.At(i), &u.known)
		return i
	case c.HasMany():
		return u.nextOfMany(c)
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

// nextOfMany is Next for an execution with many tasks.
func (u *urw) nextOfMany(c *Choice) int {
	u.index.sync(c, u)
	t := u.index.weighed(int64(intn(&u.source, int(u.index.on.all().weight))))
	if t.Op.Kind != After {
		u.left.weights[t.ID]--
		u.index.update(t, u)
	}
	return c.Index(t)
}

// mark implements marker.
func (u *urw) mark(t *Task) mark {
	return mark{weight: int64(max(1, u.left.of(t, u.profile, u.totals)))}
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
	u.index.update(e.Child.Parent, u)
}

// OnlySpawns implements SpawnObserver.
func (*urw) OnlySpawns() bool { return true }

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

// further is the denominator of the chance that SURW adds one more interesting object,
// repeatedly. Few are best for a bug that is about one object, and some bugs are about two.
const further = 4

// SURW is URW for the accesses to a few objects, drawn for each execution, while all other
// steps are scheduled at random (Zhao et al., Selectively Uniform Concurrency Testing,
// ASPLOS 2025): the interleavings of those accesses are about equally likely, however many
// other steps there are. The objects are drawn from those that at least two tasks used, one
// of them not only to read, in the first execution, which is random. A task is held back
// for several times as many steps as that has: another may work for long before its
// interesting step.
func SURW() Strategy { return new(surw) }

type surw struct {
	source rand.PCG
	after
	profile *profile
	known   identities
	started bool // the profile is made
	left    remaining

	candidates  []int  // objects that may be interesting
	interesting []bool // by object
	totals      []int  // by task of the profile: interesting uses
	intended    *Task  // the task that makes the next interesting step; nil if none
	free        []int  // indices of the enabled tasks that are not held back
	patience    int    // for how many steps tasks are held back
	waited      int    // steps since the last interesting one; at patience, no task is held back any more
	many        surwMany
}

func (*surw) Name() string { return "surw" }

func (s *surw) Begin(x Execution) bool {
	s.source.Seed(x.Seed, stream)
	s.after.draw(x.Seed)
	s.known.reset()
	s.left.reset()
	s.intended, s.waited = nil, 0
	s.many.reset()
	if s.profile == nil {
		s.profile = newProfile()
		return true
	}
	if !s.started {
		s.start()
	}
	s.draw()
	return true
}

// start derives from the complete profile what later executions need.
func (s *surw) start() {
	s.started = true
	s.totals = make([]int, len(s.profile.tasks))
	s.interesting = make([]bool, len(s.profile.shared))
	s.patience = patienceFor(s.profile.steps())
	for i, o := range s.profile.shared {
		if o.written && len(o.by) > 1 {
			s.candidates = append(s.candidates, i)
		}
	}
}

// draw draws the interesting objects, and counts their uses.
func (s *surw) draw() {
	clear(s.interesting)
	clear(s.totals)
	for n := 0; n < len(s.candidates); n++ {
		if n > 0 && intn(&s.source, further) > 0 {
			break
		}
		// The first n are drawn already.
		i := n + intn(&s.source, len(s.candidates)-n)
		s.candidates[n], s.candidates[i] = s.candidates[i], s.candidates[n]
		object := s.candidates[n]
		s.interesting[object] = true
		for _, u := range s.profile.shared[object].by {
			s.totals[u.task] += u.times
		}
	}
	s.profile.weights(s.totals)
}

func (s *surw) Next(c *Choice) int {
	if !s.started {
		i := intn(&s.source, c.Len())
		s.profile.add(c.At(i), &s.known)
		return i
	}
	if c.HasMany() {
		return s.nextOfMany(c)
	}
	if s.intended == nil {
		s.intend(c)
	}
	if s.release(c); len(s.free) == 0 {
		s.intend(c) // the intended task is blocked, or has ended
		s.release(c)
	}
	i := s.free[intn(&s.source, len(s.free))]
	s.chose(c.Enabled[i])
	return i
}

// chose is called with the task that makes the next step.
func (s *surw) chose(t *Task) {
	if s.interested(t) {
		s.left.weights[t.ID]--
		s.intended = nil
		if s.waited < s.patience {
			s.waited = 0
		}
	} else if s.waited < s.patience {
		s.waited++
	}
}

// intend draws the task that is to make the next interesting step.
func (s *surw) intend(c *Choice) {
	s.intended = nil
	sum := 0
	for _, t := range c.Enabled {
		sum += s.weight(t)
	}
	if sum == 0 {
		return
	}
	r := intn(&s.source, sum)
	for _, t := range c.Enabled {
		if r -= s.weight(t); r < 0 {
			s.intended = t
			return
		}
	}
}

// weight returns the interesting steps that a task has left: at least the one that
// it is about to make.
func (s *surw) weight(t *Task) int {
	w := max(0, s.left.of(t, s.profile, s.totals))
	if w == 0 && s.interested(t) {
		return 1
	}
	return w
}

// release lists the tasks that are not held back: those that are about to do something else, and
// the intended one. The intended one may be in a loop which only tasks that are held back can
// end: after many steps none is held back.
func (s *surw) release(c *Choice) {
	s.free = s.free[:0]
	for i, t := range c.Enabled {
		if t == s.intended || s.waited == s.patience || !s.interested(t) {
			s.free = append(s.free, i)
		}
	}
}

// interested reports whether a task's next step is an interesting one.
func (s *surw) interested(t *Task) bool {
	if s.interestedIn(t, 0, t.Op.Object) {
		return true
	}
	for i, object := range t.Op.Others {
		if s.interestedIn(t, i+1, object) {
			return true
		}
	}
	return false
}

func (s *surw) interestedIn(t *Task, slot, number int) bool {
	if number == 0 {
		return false
	}
	object := s.known.look(s.profile, t, slot, number)
	return object >= 0 && s.interesting[object]
}

func (s *surw) Pick(c *Choice, n int) int { return answer(&s.source, c, n) }

// Happened moves a child's weight from its parent to itself, and with it perhaps
// the intention.
func (s *surw) Happened(e Event) {
	if e.Op.Kind != Spawn {
		return
	}
	if !s.started {
		s.profile.task(e.Child)
		return
	}
	parent, child := s.left.spawned(e.Child, s.profile, s.totals)
	s.many.index.update(e.Child.Parent, s)
	if e.Task == s.intended && parent > 0 && intn(&s.source, parent) < child {
		s.intended = e.Child
	}
}

// OnlySpawns implements SpawnObserver.
func (*surw) OnlySpawns() bool { return true }

func (*surw) End(Result) {}
