package strategy

// An index finds the highest task, or draws one, among many that can make a step, without a look at all of them: it
// follows the changes that a Choice keeps. A group that is switched on or off keeps its own tree meanwhile.
type index struct {
	on    tree  // of the bags that can make a step
	bags  []bag // 0 has the tasks in Choice.Enabled, and ID+1 those of a group
	where []where
	asked int  // as of Choice when it was in step
	valid bool // it was in step in this execution
}

// A bag holds the tasks of Enabled, or of a group.
type bag struct {
	tree
	tasks []*Task // by slot
	on    bool
}

// where is where a task is: in slot of bag-1; bag 0 is none.
type where struct{ bag, slot int32 }

// A marker is a strategy that has an index.
type marker interface {
	// mark returns what the strategy knows of a task, which can make a step or waits in a group.
	mark(t *Task) mark
}

func (x *index) reset() { x.valid = false }

// sync brings the index in step with c.
func (x *index) sync(c *Choice, by marker) {
	s := c.groups
	if !x.valid || x.asked != s.asked {
		x.rebuild(c, by)
	} else {
		for _, t := range s.moved {
			x.place(t, by)
		}
		if c.Current != nil {
			x.place(c.Current, by)
		}
		for _, id := range s.switched {
			x.turn(id+1, s.list[id].On)
		}
	}
	x.asked, x.valid = s.asked+1, true
}

func (x *index) rebuild(c *Choice, by marker) {
	x.on.reset()
	clear(x.where)
	for i := range x.bags {
		b := &x.bags[i]
		b.tree.reset()
		b.tasks, b.on = b.tasks[:0], false
	}
	x.turn(0, true)
	for _, t := range c.Enabled {
		x.place(t, by)
	}
	for _, g := range c.groups.list {
		x.turn(g.ID+1, g.On)
		for _, t := range g.Tasks {
			x.place(t, by)
		}
	}
}

// place puts a task where it belongs, with its mark.
func (x *index) place(t *Task, by marker) {
	if t.ID >= len(x.where) {
		x.where = grow(x.where, t.ID)
	}
	to := int32(0)
	if t.Group != nil {
		to = int32(t.Group.ID) + 2
	} else if t.Place >= 0 {
		to = 1
	}
	at := &x.where[t.ID]
	if at.bag != to {
		if at.bag > 0 {
			x.take(*at)
		}
		if at.bag = to; to > 0 {
			at.slot = x.put(int(to)-1, t)
		}
	}
	if to > 0 {
		x.set(int(to)-1, int(at.slot), by.mark(t))
	}
}

// update changes the mark of a task that is in the index.
func (x *index) update(t *Task, by marker) {
	if x.valid && t.ID < len(x.where) && x.where[t.ID].bag > 0 {
		at := x.where[t.ID]
		x.set(int(at.bag)-1, int(at.slot), by.mark(t))
	}
}

func (x *index) bag(i int) *bag {
	for i >= len(x.bags) {
		x.bags = append(x.bags, bag{})
	}
	return &x.bags[i]
}

// put adds a task to a bag, and returns its slot.
func (x *index) put(i int, t *Task) int32 {
	b := x.bag(i)
	b.tasks = append(b.tasks, t)
	return int32(len(b.tasks)) - 1
}

// take removes a task: the last one of its bag gets its slot.
func (x *index) take(at where) {
	b := &x.bags[at.bag-1]
	last := len(b.tasks) - 1
	if slot := int(at.slot); slot != last {
		moved := b.tasks[last]
		b.tasks[slot] = moved
		x.where[moved.ID].slot = at.slot
		x.set(int(at.bag)-1, slot, b.of(last))
	}
	b.tasks[last] = nil
	b.tasks = b.tasks[:last]
	x.set(int(at.bag)-1, last, nothing)
}

func (x *index) set(i, slot int, m mark) {
	b := &x.bags[i]
	if b.tree.set(slot, m); b.on {
		x.on.set(i, b.all())
	}
}

// turn says whether the tasks of a bag can make a step.
func (x *index) turn(i int, on bool) {
	b := x.bag(i)
	if b.on = on; on {
		x.on.set(i, b.all())
	} else {
		x.on.set(i, nothing)
	}
}

// highest returns the task with the highest mark.
func (x *index) highest() *Task {
	b := &x.bags[x.on.highest()]
	return b.tasks[b.tree.highest()]
}

// counted returns number n of the tasks that are counted.
func (x *index) counted(n int64) *Task {
	i, n := x.on.counted(n)
	slot, _ := x.bags[i].counted(n)
	return x.bags[i].tasks[slot]
}

// weighed returns the task at n, by weight.
func (x *index) weighed(n int64) *Task {
	i, n := x.on.weighed(n)
	slot, _ := x.bags[i].weighed(n)
	return x.bags[i].tasks[slot]
}
