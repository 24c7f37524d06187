package strategy

// A racer is a step, or the operation that a blocked task is about to do, whose races with
// the steps before it are being looked for.
type racer struct {
	step  int32 // its number, or the number of all steps if it is pending
	task  int32 // ID
	prev  int32 // the task's step before, plus 1
	kind  Kind  // of its operation
	clock []int32
}

// waits reports whether the racer may have to wait for others.
func (r *racer) waits() bool { return r.kind.Waits() || r.kind == Clock }

// irreversible reports whether operation b, of a step, cannot come after a, which waits for
// it.
func irreversible(b, a Kind) bool {
	switch b {
	case Unlock:
		return a == Lock || a == RLock || a == Drain
	case RUnlock:
		return a == Lock || a == Drain
	}
	return false
}

// racesOf looks for the steps that access a of the racer races with: they interact, and
// neither the task's own earlier steps, in d.own, nor steps between order them.
//
// A racer that waits is ordered only by what it waited for: a lock that it takes after
// another task comes after all that this task did with the lock, and yet could have come
// first. So steps between do not count for it, and neither do wakes.
func (d *dpor) racesOf(r *racer, a access) {
	if a.object == everything {
		d.racesWithAll(r)
		return
	}
	d.ordered = append(d.ordered[:0], d.own...)
	races := 0
	for i := d.interacting(a, a.prev); i > 0; i = d.interacting(a, d.accesses[i-1].prev) {
		b := d.accesses[i-1]
		if d.plant == stopAtOwn && b.step < r.step && d.steps[b.step].task == r.task {
			return
		}
		if b.step == r.step || !b.interacts(a) {
			continue
		}
		if d.happenedBefore(b.step, d.ordered) {
			if !b.kind.reads() {
				return // and so is all before it
			}
			continue
		}
		if !irreversible(b.kind, a.kind) {
			d.reverse(r, b.step)
		}
		if !a.first || !r.waits() {
			join(d.ordered, d.clockOf(b.step))
			continue
		}
		if races++; races == mostRaces {
			d.leftOut.races = true
			return
		}
	}
}

// mostRaces bounds the races of a step that may have to wait, to those with the last steps: in a loop that locks
// it would race with all rounds, and all of them would be compared with all.
const mostRaces = 256

// racesWithAll is racesOf for an access that interacts with everything.
func (d *dpor) racesWithAll(r *racer) {
	d.ordered = append(d.ordered[:0], d.own...)
	for e := r.step - 1; e >= 0; e-- {
		if d.happenedBefore(e, d.ordered) {
			continue
		}
		d.reverse(r, e)
		if !r.waits() {
			join(d.ordered, d.clockOf(e))
		}
	}
}

// racesWithGlobals looks for races with steps that interact with everything.
func (d *dpor) racesWithGlobals(r *racer) {
	d.ordered = append(d.ordered[:0], d.own...)
	for i := d.globals; i > 0; i = d.accesses[i-1].prev {
		e := d.accesses[i-1].step
		if e == r.step {
			continue
		}
		if d.happenedBefore(e, d.ordered) {
			return
		}
		d.reverse(r, e)
		if !r.waits() {
			join(d.ordered, d.clockOf(e))
		}
	}
}

// racePending looks for the races of what the blocked tasks are about to do, which no step
// shows.
func (d *dpor) racePending(enabled []*Task) {
	d.blocked = grow(d.blocked, len(d.tasks)-1)
	for id := range d.tasks {
		t := &d.tasks[id]
		d.blocked[id] = t.task != nil && t.ended == 0 && t.task.Op.Kind != End
	}
	for _, t := range enabled {
		d.blocked[t.ID] = false
	}
	for id := range d.tasks {
		if !d.blocked[id] {
			continue
		}
		t := &d.tasks[id]
		op := t.task.Op
		d.startClock(int32(id), t.last)
		r := racer{step: int32(len(d.steps)), task: int32(id), prev: t.last, kind: op.Kind, clock: d.clock}
		var objects [1]int
		objects[0] = op.Object
		if op.interactsWithEverything() || op.Object != 0 {
			d.racePendingAt(&r, objects[:])
		}
		d.racePendingAt(&r, op.Others)
		d.joinGlobals(r.step)
		d.racesWithGlobals(&r)
	}
}

func (d *dpor) racePendingAt(r *racer, objects []int) {
	for _, object := range objects {
		a := access{object: int32(object), prev: *d.head(int32(object)), step: r.step, kind: r.kind, first: true}
		d.joinAccess(a, r.step)
		d.racesOf(r, a)
	}
}

// abort marks every option of the last step as wanted: a failure or the limit of steps kept the
// other tasks from running, and they could have run before it.
func (d *dpor) abort() {
	s := &d.steps[len(d.steps)-1]
	for i := s.options; i < s.options+s.width; i++ {
		d.want(i)
	}
}

// initials are the tasks that can begin a continuation: those whose first step in it
// comes after no other step of it.
type initials struct {
	firsts []int32 // by task ID: seq of the first step; 0 if it has none
	seen   []int32 // the tasks that have one
}

func (n *initials) reset(tasks int) {
	n.firsts = grow(n.firsts, tasks-1)
	for _, id := range n.seen {
		n.firsts[id] = 0
	}
	n.seen = n.seen[:0]
}

// add enters a step of a task with its clock, and reports whether the task is an
// initial by it.
func (n *initials) add(task, seq int32, clock []int32) bool {
	if n.firsts[task] > 0 {
		return false
	}
	initial := true
	for _, id := range n.seen {
		if int(id) < len(clock) && clock[id] >= n.firsts[id] {
			initial = false
			break
		}
	}
	n.firsts[task] = seq
	n.seen = append(n.seen, task)
	return initial
}

// reverse makes the search explore a schedule in which the racer comes before step e: one of the
// initials of what came after e, but not because of it, and ends with the racer, must be explored
// instead of e.
func (d *dpor) reverse(r *racer, e int32) {
	if d.plant == addRacing {
		if i := d.option(e, r.task); i >= 0 {
			d.want(i)
		}
		return
	}
	d.initials.reset(len(d.tasks))
	candidate := int32(-1)
	for j := e + 1; j < r.step; j++ {
		s := &d.steps[j]
		clock := d.clockOf(j)
		if d.happenedBefore(e, clock) || !d.initials.add(s.task, s.seq, clock) {
			continue
		}
		if i := d.option(e, s.task); i >= 0 {
			if d.options[i].state != unwanted {
				return // it is explored already, or will be
			}
			if candidate < 0 {
				candidate = i
			}
		}
	}
	if d.initials.add(r.task, 1<<30, r.clock) {
		if i := d.option(e, r.task); i >= 0 {
			d.want(i)
			return
		}
		if candidate < 0 && r.prev <= e && r.waits() && len(d.initials.seen) == 1 {
			return // it was blocked before e: there is nothing to reverse
		}
	}
	if candidate >= 0 {
		d.want(candidate)
		return
	}
	s := &d.steps[e]
	for i := s.options; i < s.options+s.width; i++ {
		d.want(i)
	}
}

// option returns the index of a task among the options of a step, or -1.
func (d *dpor) option(step, task int32) int32 {
	s := &d.steps[step]
	for i := s.options; i < s.options+s.width; i++ {
		if d.options[i].task == task {
			return i
		}
	}
	return -1
}

func (d *dpor) want(i int32) {
	if d.options[i].state == unwanted {
		d.options[i].state = wanted
	}
}
