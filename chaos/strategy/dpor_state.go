package strategy

import "math"

// AppendBinary implements Resumable. The state is the stack: as large as an execution is
// long.
func (d *dpor) AppendBinary(b []byte) ([]byte, error) { return appendWhole(b, d.Name(), d.code) }

// UnmarshalBinary implements Resumable.
func (d *dpor) UnmarshalBinary(data []byte) error {
	read := &dpor{plant: d.plant}
	err := readWhole(data, d.Name(), func(c *coder) bool {
		read.code(c)
		return !c.bad && read.sound()
	})
	if err == nil {
		*d = *read
	}
	return err
}

// code codes what outlives an execution. All numbers that lead from one array to another
// are of steps, accesses and so on that are there: see sound for the others.
func (d *dpor) code(c *coder) {
	c.count(&d.schedules)
	c.count(&d.wasted)
	c.flag(&d.begun)
	c.flag(&d.exhausted)
	d.leftOut.code(c)
	list(c, &d.tasks, func(_ int, t *dporTask) {
		for _, n := range []*int32{&t.spawn, &t.last, &t.woken, &t.ended} {
			index(c, n, math.MaxInt32)
		}
	})
	list(c, &d.objects, func(_ int, head *int32) { index(c, head, math.MaxInt32) })
	index(c, &d.globals, math.MaxInt32)
	list(c, &d.steps, func(i int, s *dporStep) { s.code(c, i, len(d.tasks)) })
	list(c, &d.options, func(_ int, o *option) {
		index(c, &o.task, len(d.tasks))
		number(c, &o.state, 0, int64(asleep)+1)
		index(c, &o.foot, math.MaxInt32)
		index(c, &o.feet, math.MaxInt32)
	})
	list(c, &d.picks, func(_ int, p *dporPick) {
		index(c, &p.step, len(d.steps))
		index(c, &p.n, math.MaxInt32)
		index(c, &p.alt, int(p.n))
	})
	list(c, &d.accesses, func(i int, a *access) {
		a.code(c)
		if int(a.object) >= max(1, len(d.objects)) || int(a.prev) > i || int(a.step) >= len(d.steps) {
			c.bad = c.reading
		}
	})
	list(c, &d.wakes, func(i int, w *wake) {
		index(c, &w.step, len(d.steps))
		index(c, &w.task, len(d.tasks))
		index(c, &w.prev, i+1)
	})
	list(c, &d.clocks, func(_ int, n *int32) { index(c, n, math.MaxInt32) })
	list(c, &d.feet, func(_ int, a *access) { a.code(c) })
}

// index codes a number below bound.
func index(c *coder, n *int32, bound int) { number(c, n, 0, int64(bound)) }

func (s *dporStep) code(c *coder, i, tasks int) {
	number(c, &s.hash, 0, 1<<32)
	index(c, &s.highest, math.MaxInt32)
	index(c, &s.task, tasks)
	index(c, &s.prev, i+1)
	index(c, &s.seq, math.MaxInt32)
	index(c, &s.chosen, math.MaxInt32)
	number(c, &s.kind, 0, int64(lastKind))
	for _, n := range []*int32{&s.options, &s.width, &s.picks, &s.accesses, &s.wakes, &s.feet, &s.clock, &s.tasks} {
		index(c, n, math.MaxInt32)
	}
}

func (a *access) code(c *coder) {
	index(c, &a.object, math.MaxInt32)
	index(c, &a.prev, math.MaxInt32)
	index(c, &a.step, math.MaxInt32)
	number(c, &a.kind, 0, int64(lastKind))
	c.flag(&a.first)
}

// sound reports whether whatever leads into an array leads to what is there.
func (d *dpor) sound() bool {
	in := func(n int32, length int) bool { return int(n) <= length }
	within := func(from, n int32, length int) bool { return int64(from)+int64(n) <= int64(length) }
	ok := in(d.globals, len(d.accesses))
	for _, head := range d.objects {
		ok = ok && in(head, len(d.accesses))
	}
	for _, t := range d.tasks {
		// A step after the stack, of a redundant execution, may have spawned or ended it.
		ok = ok && in(t.last, len(d.steps)) && in(t.woken, len(d.wakes))
	}
	for _, o := range d.options {
		ok = ok && within(o.foot, o.feet, len(d.feet))
	}
	for i := range d.steps {
		s := &d.steps[i]
		ok = ok && s.chosen < s.width && within(s.options, s.width, len(d.options)) && in(s.picks, len(d.picks)) &&
			in(s.accesses, len(d.accesses)) && in(s.wakes, len(d.wakes)) && in(s.feet, len(d.feet)) && within(s.clock, s.tasks, len(d.clocks))
	}
	return ok
}
