package strategy

// everything is the object of an access that interacts with every step.
const everything = 0

// An access is what an event does to one object.
type access struct {
	object int32
	prev   int32 // the access before to the same object, plus 1
	write  int32 // the last one up to this that does more than read it, plus 1
	step   int32
	kind   Kind
	first  bool // of the operation that was chosen, not of what followed without a choice
}

// interactsWithEverything reports whether an operation may interact with any other. A
// clock's timers become due by what others do, or do not do; a fence orders accesses to
// objects that it does not name; and an operation that should have an object and has none
// may interact with anything.
func (o Op) interactsWithEverything() bool {
	switch o.Kind {
	case Clock, Fence:
		return true
	case Begin, Spawn, End, Point, Yield, Sleep, Resume:
		return false
	}
	return o.Object == 0 && len(o.Others) == 0
}

// interacts reports whether the order of two accesses may matter.
func (a access) interacts(b access) bool {
	if a.object == everything || b.object == everything {
		return true
	}
	return a.object == b.object && !(a.kind.reads() && b.kind.reads())
}

// Happened records what a step does.
func (d *dpor) Happened(e Event) {
	switch e.Op.Kind {
	case Spawn:
		d.know(e.Child).spawn = int32(d.now + 1)
	case End:
		d.know(e.Task).ended = int32(d.now + 1)
	}
	if d.now < d.fresh && d.fresh > 0 {
		return
	}
	d.highest = max(d.highest, e.Op.Object)
	if !d.recording() {
		return
	}
	first := len(d.accesses) == int(d.steps[d.now].accesses)
	if e.Op.interactsWithEverything() {
		d.access(everything, e.Op.Kind, first)
	} else if e.Op.Object != 0 {
		d.access(e.Op.Object, e.Op.Kind, first)
	}
	for _, object := range e.Op.Others {
		d.highest = max(d.highest, object)
		d.access(object, e.Op.Kind, first)
	}
	for _, t := range e.Wakes {
		woken := d.know(t)
		d.wakes = append(d.wakes, wake{step: int32(d.now), task: int32(t.ID), prev: woken.woken})
		woken.woken = int32(len(d.wakes))
	}
}

// recording reports whether the step that is being made is a new one.
func (d *dpor) recording() bool {
	return !d.redundant && d.now >= d.fresh && d.now < len(d.steps)
}

func (d *dpor) access(object int, kind Kind, first bool) {
	head := d.head(int32(object))
	a := access{object: int32(object), prev: *head, write: int32(len(d.accesses) + 1), step: int32(d.now), kind: kind, first: first}
	if kind.reads() {
		a.write = d.interacting(a, a.prev)
	}
	d.accesses = append(d.accesses, a)
	*head = int32(len(d.accesses))
}

// interacting returns the access to a's object, plus 1, that may interact with a, and is i or the last before it.
func (d *dpor) interacting(a access, i int32) int32 {
	if i > 0 && a.kind.reads() { // a loop may have read it very often
		return d.accesses[i-1].write
	}
	return i
}

// head returns where the last access to an object is kept.
func (d *dpor) head(object int32) *int32 {
	if object == everything {
		return &d.globals
	}
	if int(object) >= len(d.objects) {
		d.objects = grow(d.objects, int(object))
	}
	return &d.objects[object]
}

// clockOf returns the vector clock of a step that has been made: for each task, by
// ID, the number of its steps that happened before or are this one.
func (d *dpor) clockOf(step int32) []int32 {
	s := &d.steps[step]
	return d.clocks[s.clock : s.clock+s.tasks]
}

// happenedBefore reports whether step e is before the event that has the clock.
func (d *dpor) happenedBefore(e int32, clock []int32) bool {
	s := &d.steps[e]
	return int(s.task) < len(clock) && clock[s.task] >= s.seq
}

// join raises into to the least clock that is at least both; no clock is longer than into.
func join(into, clock []int32) {
	for i, n := range clock {
		into[i] = max(into[i], n)
	}
}

// startClock sets d.own to the clock of a task by its own steps and its spawn, and d.clock to the
// same joined with the clocks of the steps that woke it.
func (d *dpor) startClock(id, prev int32) {
	t := &d.tasks[id]
	d.own = grow(d.own, len(d.tasks)-1)
	d.clock = grow(d.clock, len(d.tasks)-1)
	clear(d.own)
	if prev > 0 {
		join(d.own, d.clockOf(prev-1))
	} else if t.spawn > 0 {
		join(d.own, d.clockOf(t.spawn-1))
	}
	copy(d.clock, d.own)
	for w := t.woken; w > 0 && d.wakes[w-1].step >= prev; w = d.wakes[w-1].prev {
		join(d.clock, d.clockOf(d.wakes[w-1].step))
	}
}

// joinAccess joins to d.clock the clocks of the steps that access a comes after, except
// accesses of step now itself.
func (d *dpor) joinAccess(a access, now int32) {
	if a.object == everything {
		for i := range d.tasks {
			if last := d.tasks[i].last; last > 0 && last-1 != now {
				join(d.clock, d.clockOf(last-1))
			}
		}
		return
	}
	for i := d.interacting(a, a.prev); i > 0; {
		b := d.accesses[i-1]
		if b.step != now && b.interacts(a) {
			join(d.clock, d.clockOf(b.step))
			if !b.kind.reads() {
				return // its clock includes what was before it
			}
		}
		i = d.interacting(a, b.prev)
	}
}

// joinGlobals joins to d.clock the clock of the last step that interacts with everything.
func (d *dpor) joinGlobals(now int32) {
	for i := d.globals; i > 0; i = d.accesses[i-1].prev {
		if step := d.accesses[i-1].step; step != now {
			join(d.clock, d.clockOf(step))
			return
		}
	}
}

// settle ends the step that was being made: its clock, and its races with those
// before it.
func (d *dpor) settle() {
	if d.now < 0 || !d.recording() || d.steps[d.now].tasks > 0 {
		return
	}
	now := int32(d.now)
	s := &d.steps[now]
	d.startClock(s.task, s.prev)
	accesses := d.accesses[s.accesses:]
	for _, a := range accesses {
		d.joinAccess(a, now)
	}
	d.joinGlobals(now)
	d.clock[s.task] = s.seq
	s.clock, s.tasks = int32(len(d.clocks)), int32(len(d.tasks))
	d.clocks = append(d.clocks, d.clock[:len(d.tasks)]...)

	r := racer{step: now, task: s.task, prev: s.prev, kind: s.kind, clock: d.clock}
	for _, a := range accesses {
		d.racesOf(&r, a)
	}
	d.racesWithGlobals(&r)
}

// leaveFootprint adds what the step at the top of the stack did to the footprint of its
// option.
func (d *dpor) leaveFootprint(s *dporStep) {
	o := &d.options[s.options+s.chosen]
	if o.feet == 0 {
		o.foot = int32(len(d.feet))
	}
	for _, a := range d.accesses[s.accesses:] {
		// An object that was not known before the step may have another number when
		// other tasks come first.
		if a.object > s.highest {
			a.object = everything
		}
		d.feet = append(d.feet, a)
	}
	o.feet = int32(len(d.feet)) - o.foot
}

// inheritSleep sets the options of a new step asleep that slept or were explored at the
// step before, and do not interact with what that step did.
func (d *dpor) inheritSleep(s *dporStep) {
	if len(d.steps) == 0 {
		return
	}
	before := &d.steps[len(d.steps)-1]
	done := d.accesses[before.accesses:]
	for _, o := range d.options[before.options : before.options+before.width] {
		if o.state != explored && o.state != asleep || d.wakesUp(o, done) {
			continue
		}
		for i := s.options; i < int32(len(d.options)); i++ {
			if d.options[i].task == o.task {
				o.state = asleep
				d.options[i] = o
			}
		}
	}
}

// wakesUp reports whether accesses interact with what an option does.
func (d *dpor) wakesUp(o option, done []access) bool {
	for _, f := range d.feet[o.foot : o.foot+o.feet] {
		if f.object == everything {
			return true
		}
		for _, a := range done {
			if a.interacts(f) {
				return true
			}
		}
	}
	for _, a := range done {
		if a.object == everything {
			return true
		}
	}
	return false
}
