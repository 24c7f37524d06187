package strategy

// An Aside is an operation before which no other task could be chosen, since it is not a point: in package testing,
// for example, which of two subtests of one name is the first. Where two of them interact, and nothing else orders
// them, the other order is not explored.
type Aside struct {
	Task int // ID
	// Line is the ID of the first of a group of tasks of which, in any schedule, at most one can continue: a test
	// and its subtests that do not run in parallel.
	Line int
	Step int // of the task, from 0, after which it was done
	// Tasks that have been started after it have this ID or a higher one.
	Tasks int
	// Object is as in Op, or a number below 0 if no Op has it. 0 means that the order in which it was done
	// matters whatever else is done.
	Object int
	Kind   Kind
}

// An AsideObserver is a Strategy that looks at Result.Asides.
type AsideObserver interface {
	// ObservesAsides reports whether it does.
	ObservesAsides() bool
}

// Looks reports whether it changes nothing: for a file, that it is used and not closed.
func (a Aside) Looks() bool { return a.Kind.reads() || a.Kind == RLock }

// interacts reports whether the order of two of them may matter.
func (a Aside) interacts(b Aside) bool {
	return a.Object == b.Object && a.Line != b.Line && !(a.Looks() && b.Looks())
}

// unordered reports whether some of the asides could have come in another order. ordered reports whether the order of
// two of them is the only one.
func unordered(asides []Aside, ordered func(first, then Aside) bool) bool {
	for i, then := range asides {
		if then.Object == 0 {
			return true
		}
		for _, first := range asides[:i] {
			if first.interacts(then) && !ordered(first, then) {
				return true
			}
		}
	}
	return false
}

// ObservesAsides implements AsideObserver.
func (*dfs) ObservesAsides() bool { return true }

// noteAsides notes whether something of the execution has an order that is not explored. What the tasks have done with
// an object is not kept; with a file, that is done aside, too.
func (d *dfs) noteAsides(asides []Aside) {
	for _, a := range asides {
		if a.Object > 0 && a.Tasks > 1 && a.Kind != Lock && a.Kind != RLock {
			d.leftOut.aside = true
		}
	}
	if unordered(asides, func(Aside, Aside) bool { return false }) {
		d.leftOut.aside = true
	}
}

// ObservesAsides implements AsideObserver.
func (*dpor) ObservesAsides() bool { return true }

// noteAsides notes whether something of the execution has an order that is not explored: an Aside, and what interacts
// with it and neither comes before it nor after it.
func (d *dpor) noteAsides(asides []Aside) {
	if unordered(asides, d.precedes) {
		d.leftOut.aside = true
		return
	}
	for _, a := range asides {
		if a.Object <= 0 || a.Object >= len(d.objects) {
			continue
		}
		for i := d.objects[a.Object]; i > 0; i = d.accesses[i-1].prev {
			if !d.ordersAside(a, d.accesses[i-1]) {
				d.leftOut.aside = true
				return
			}
		}
	}
}

// precedes reports whether an Aside comes before another one because of other operations.
func (d *dpor) precedes(first, then Aside) bool {
	return d.made(first) && d.made(then) && d.precedesStep(first, int32(then.Step))
}

// made reports whether an Aside is of the step that it names.
func (d *dpor) made(a Aside) bool {
	return a.Step >= 0 && a.Step < len(d.steps) && int(d.steps[a.Step].task) == a.Task
}

// precedesStep reports whether a comes before the end of a step of another task: the next step of a's task does, or a
// task was started after it.
func (d *dpor) precedesStep(a Aside, step int32) bool {
	clock := d.clockOf(step)
	if a.Task < len(clock) && clock[a.Task] > d.steps[a.Step].seq {
		return true
	}
	for t := d.tasks[d.steps[step].task].task; t != nil && t.Parent != nil; t = t.Parent {
		if t.Parent.ID == a.Task && t.ID >= a.Tasks {
			return true
		}
	}
	return false
}

// ordersAside reports whether the order of an Aside and an operation does not matter, or is the only one.
func (d *dpor) ordersAside(a Aside, b access) bool {
	s := &d.steps[b.step]
	switch {
	case int(s.task) == a.Task, a.Looks() && (b.kind.reads() || a.Kind == RLock):
		return true
	case a.Kind == Close && b.kind == Receive:
		return true // it gets no more than that
	case !d.made(a):
		return false
	}
	return d.happenedBefore(b.step, d.clockOf(int32(a.Step))) || d.precedesStep(a, b.step)
}
