package strategy

import "math/bits"

// The set of the tasks that can make a step. An engine keeps it up to date, and strategies look at it. While an
// execution has few tasks, it is the slice Choice.Enabled. Once it has many,
//
//   - many waiters of one lock are a Group, which is enabled or not as a whole;
//   - the lowest ID is found without a look at each task;
//   - the changes between two calls of Next are kept, for strategies that keep the tasks in an order of their own.
//
// All of that takes a time per change that is at most logarithmic in the number of tasks. The methods run on the tasks
// of the subject: the race detector must not see them.

// Many is the number of tasks from which an execution has many. With fewer, to look at all of them is faster.
const Many = 33

// A Group is a number of tasks that wait for the same: they can all make their next step, or none can.
type Group struct {
	// Tasks are its members: a heap, the lowest ID first.
	Tasks []*Task
	// ID is its index in Choice.Groups.
	ID int
	// On: they can make their next step. Since is the step at which that became so.
	On    bool
	Since int
}

// groups is the part of a Choice for many tasks.
type groups struct {
	list     []*Group // by ID
	free     []int    // IDs of groups without tasks
	flat     []*Task  // what All returned
	on       tree     // by ID of the groups that are on: their numbers of tasks, and lowest IDs, negated
	ids      bitset   // of the tasks in Enabled, without pseudo-tasks
	moved    []*Task  // since the last call of Next, tasks that became enabled, or not, or changed group
	switched []int    // likewise, groups that were switched on or off, or lost or got tasks while on
	asked    int      // calls of Next, and of what was dropped of moved
}

// Len returns the number of tasks that can make a step, at least one when Next is called.
//
//go:norace
func (c *Choice) Len() int { return len(c.Enabled) + c.grouped }

// At returns the i-th of them, i below Len.
//
//go:norace
func (c *Choice) At(i int) *Task {
	if i < len(c.Enabled) {
		return c.Enabled[i]
	}
	return c.atMany(i)
}

//go:noinline
//go:norace
func (c *Choice) atMany(i int) *Task {
	id, within := c.groups.on.counted(int64(i - len(c.Enabled)))
	return c.groups.list[id].Tasks[within]
}

// All returns all of them, in a slice that is overwritten by the next call. That takes time for each task in a group:
// it is for strategies that have to look at all tasks.
//
//go:norace
func (c *Choice) All() []*Task {
	if c.grouped == 0 {
		return c.Enabled
	}
	return c.groups.all(c.Enabled)
}

//go:norace
func (g *groups) all(enabled []*Task) []*Task {
	g.flat = g.flat[:0]
	//lint:ignore S1011 the race detector would see append with all of them
	for _, t := range enabled {
		g.flat = append(g.flat, t)
	}
	for _, group := range g.list {
		if group.On {
			//lint:ignore S1011 likewise
			for _, t := range group.Tasks {
				g.flat = append(g.flat, t)
			}
		}
	}
	return g.flat
}

// Index returns the i for which At returns t; -1 if t can't make a step.
//
//go:norace
func (c *Choice) Index(t *Task) int {
	switch {
	case t.Group == nil:
		return t.Place
	case !t.Group.On:
		return -1
	}
	return len(c.Enabled) + int(c.groups.on.before(t.Group.ID)) + t.Place
}

// IsEnabled reports whether the task can make a step.
//
//go:norace
func (t *Task) IsEnabled() bool { return t.Place >= 0 && (t.Group == nil || t.Group.On) }

// Renew empties the set for another execution.
//
//go:norace
func (c *Choice) Renew() {
	*c = Choice{Enabled: c.Enabled[:0], groups: c.groups, keys: c.keys}
	c.keys.reset()
	if c.groups != nil {
		c.groups.reset()
	}
}

//go:norace
func (g *groups) reset() {
	for _, group := range g.list {
		group.Tasks, group.On, group.Since = group.Tasks[:0], false, 0
	}
	g.list, g.free, g.flat, g.moved, g.switched, g.asked = g.list[:0], g.free[:0], g.flat[:0], g.moved[:0], g.switched[:0], 0
	g.on.reset()
	g.ids.reset()
}

// HasMany reports whether the execution has many tasks.
//
//go:norace
func (c *Choice) HasMany() bool { return c.many }

// BecomeMany is called once, when the execution has many tasks.
//
//go:norace
func (c *Choice) BecomeMany() {
	if c.groups == nil {
		c.groups = new(groups)
	}
	g := c.groups
	c.many = true
	g.asked++
	for _, t := range c.Enabled {
		if !t.Pseudo {
			g.ids.set(t.ID)
		}
	}
}

// Add adds a task to Enabled, and Remove removes it, by moving the last one to its place.
//
//go:norace
func (c *Choice) Add(t *Task) {
	t.Place = len(c.Enabled)
	c.Enabled = append(c.Enabled, t)
	if c.many {
		c.groups.added(t)
	}
}

//go:norace
func (c *Choice) Remove(t *Task) {
	last := len(c.Enabled) - 1
	moved := c.Enabled[last]
	c.Enabled[t.Place] = moved
	moved.Place = t.Place
	c.Enabled[last] = nil
	c.Enabled = c.Enabled[:last]
	t.Place = -1
	if c.many {
		c.groups.removed(t)
	}
}

//go:norace
func (g *groups) added(t *Task) {
	if !t.Pseudo {
		g.ids.set(t.ID)
	}
	g.note(t)
}

//go:norace
func (g *groups) removed(t *Task) {
	g.ids.clear(t.ID)
	g.note(t)
}

// mostMoved bounds what is kept for a strategy that is not asked for long, or does not look at it: then it has to look
// at all tasks, of which there are not many more.
const mostMoved = 1 << 12

//go:norace
func (g *groups) note(t *Task) {
	if len(g.moved) == mostMoved {
		g.drop()
	}
	g.moved = append(g.moved, t)
}

//go:norace
func (g *groups) noteSwitch(id int) {
	if len(g.switched) == mostMoved {
		g.drop()
	}
	g.switched = append(g.switched, id)
}

// Announced is called when a task other than Current may have announced another operation, or Current has and Next is
// not called.
//
//go:norace
func (c *Choice) Announced(t *Task) {
	if c.many && t != nil {
		c.groups.note(t)
	}
}

// Asked is called after each call of Next.
//
//go:norace
func (c *Choice) Asked() {
	if c.many {
		c.groups.drop()
	}
}

// drop forgets the changes so far.
//
//go:norace
func (g *groups) drop() {
	g.moved, g.switched = g.moved[:0], g.switched[:0]
	g.asked++
}

// NewGroup makes a group, which is off and has no tasks.
//
//go:norace
func (c *Choice) NewGroup() *Group {
	s := c.groups
	if n := len(s.free); n > 0 {
		g := s.list[s.free[n-1]]
		s.free = s.free[:n-1]
		return g
	}
	n := len(s.list)
	if n < cap(s.list) {
		s.list = s.list[:n+1]
	} else {
		s.list = append(s.list, nil)
	}
	if s.list[n] == nil {
		s.list[n] = &Group{ID: n}
	}
	return s.list[n]
}

// Join adds a task, which is in no group and not in Enabled, to a group.
//
//go:norace
func (c *Choice) Join(t *Task, g *Group) {
	t.Group = g
	g.Tasks = append(g.Tasks, t)
	g.up(t, len(g.Tasks)-1)
	c.groups.note(t)
	if g.On {
		c.recount(g, 1)
	}
}

// Leave removes a task from its group. A group without tasks is given back: it is another one next.
//
//go:norace
func (c *Choice) Leave(t *Task) {
	g := t.Group
	last := len(g.Tasks) - 1
	moved := g.Tasks[last]
	g.Tasks[last] = nil
	g.Tasks = g.Tasks[:last]
	if moved != t {
		if i := t.Place; i > 0 && moved.ID < g.Tasks[(i-1)/2].ID {
			g.up(moved, i)
		} else {
			g.down(moved, i)
		}
	}
	t.Group, t.Place = nil, -1
	c.groups.note(t)
	if g.On {
		c.recount(g, -1)
	}
	if last == 0 {
		c.Switch(g, false)
		c.groups.free = append(c.groups.free, g.ID)
	}
}

// Switch says whether the tasks of a group can make their next step.
//
//go:norace
func (c *Choice) Switch(g *Group, on bool) {
	if g.On == on {
		return
	}
	n := len(g.Tasks)
	if g.On = on; !on {
		n = -n
	}
	c.recount(g, n)
}

// recount is called when n more tasks of a group are enabled.
//
//go:norace
func (c *Choice) recount(g *Group, n int) {
	c.grouped += n
	s := c.groups
	m := nothing
	if g.On && len(g.Tasks) > 0 {
		m = mark{top: -int64(g.Tasks[0].ID), count: int64(len(g.Tasks))}
	}
	s.on.set(g.ID, m)
	s.noteSwitch(g.ID)
}

// up and down move t, whose place is to be i, to where it belongs in the heap.
//
//go:norace
func (g *Group) up(t *Task, i int) {
	for i > 0 {
		parent := g.Tasks[(i-1)/2]
		if parent.ID < t.ID {
			break
		}
		g.Tasks[i], parent.Place = parent, i
		i = (i - 1) / 2
	}
	g.Tasks[i], t.Place = t, i
}

//go:norace
func (g *Group) down(t *Task, i int) {
	for {
		j := 2*i + 1
		if j >= len(g.Tasks) {
			break
		}
		if j+1 < len(g.Tasks) && g.Tasks[j+1].ID < g.Tasks[j].ID {
			j++
		}
		child := g.Tasks[j]
		if t.ID < child.ID {
			break
		}
		g.Tasks[i], child.Place = child, i
		i = j
	}
	g.Tasks[i], t.Place = t, i
}

// Lowest returns the lowest ID of a task that can make a step, neither a pseudo-task nor the one with the ID except; -1
// if there is none. The execution has many tasks.
//
//go:norace
func (c *Choice) Lowest(except int) int {
	s := c.groups
	id := s.ids.first(except)
	if top := s.on.all().top; top != nothing.top && (id < 0 || int(-top) < id) {
		id = int(-top)
	}
	return id
}

// Following returns the task that can make a step and has the lowest ID above an ID or, if there is none, the lowest
// of all; nil if no task can make a step. Pseudo-tasks do not count. The engine has called Created for all tasks.
//
//go:norace
func (c *Choice) Following(id int) *Task {
	next := c.above(id)
	if next == nil {
		next = c.above(-1)
	}
	return next
}

// fewGrouped is a number of tasks in groups of which to look at each takes little time. If there are more, the next one
// of them is not far.
const fewGrouped = 32

//go:norace
func (c *Choice) above(id int) *Task {
	var best *Task
	if !c.many {
		for _, t := range c.Enabled {
			if t.isNearer(id, best) {
				best = t
			}
		}
		return best
	}
	tasks, end := c.keys.tasks, len(c.keys.tasks)
	if i := c.groups.ids.next(id + 1); i >= 0 {
		best, end = tasks[i], i
	}
	if c.grouped > fewGrouped {
		for _, t := range tasks[id+1 : end] {
			if t.Group != nil && t.Group.On {
				return t
			}
		}
	} else if c.grouped > 0 {
		for _, g := range c.groups.list {
			if g.On {
				for _, t := range g.Tasks {
					if t.isNearer(id, best) {
						best = t
					}
				}
			}
		}
	}
	return best
}

//go:norace
func (t *Task) isNearer(id int, than *Task) bool {
	return !t.Pseudo && t.ID > id && (than == nil || t.ID < than.ID)
}

// A bitset is a set of small numbers, in three levels: a bit of one says that a word of the level below is not 0.
type bitset struct{ levels [3][]uint64 }

//go:norace
func (b *bitset) reset() {
	for i := range b.levels {
		b.levels[i] = b.levels[i][:0]
	}
}

//go:norace
func (b *bitset) set(n int) {
	for i := range b.levels {
		l := &b.levels[i]
		for n>>6 >= len(*l) {
			*l = append(*l, 0)
		}
		(*l)[n>>6] |= 1 << (n & 63)
		n >>= 6
	}
}

//go:norace
func (b *bitset) clear(n int) {
	for i := range b.levels {
		l := b.levels[i]
		if n>>6 >= len(l) {
			return
		}
		if l[n>>6] &^= 1 << (n & 63); l[n>>6] != 0 {
			return
		}
		n >>= 6
	}
}

// first returns the lowest number in the set other than except, -1 if there is none.
//
//go:norace
func (b *bitset) first(except int) int {
	has := except >= 0 && except>>6 < len(b.levels[0]) && b.levels[0][except>>6]>>(except&63)&1 == 1
	if has {
		b.clear(except)
	}
	n := -1
	for i, w := range b.levels[2] {
		if w != 0 {
			n = i<<6 | bits.TrailingZeros64(w)
			n = n<<6 | bits.TrailingZeros64(b.levels[1][n])
			n = n<<6 | bits.TrailingZeros64(b.levels[0][n])
			break
		}
	}
	if has {
		b.set(except)
	}
	return n
}

// next returns the lowest number in the set that is n or above, -1 if there is none.
//
//go:norace
func (b *bitset) next(n int) int {
	for i := range b.levels {
		at := n >> 6
		if at >= len(b.levels[i]) {
			return -1
		}
		w := b.levels[i][at] >> (n & 63) << (n & 63)
		if i == len(b.levels)-1 {
			for at++; w == 0 && at < len(b.levels[i]); at++ {
				w = b.levels[i][at]
			}
			at--
		}
		if w != 0 {
			for n = at<<6 | bits.TrailingZeros64(w); i > 0; i-- {
				n = n<<6 | bits.TrailingZeros64(b.levels[i-1][n])
			}
			return n
		}
		n = at + 1
	}
	return -1
}
