package core

import "github.com/rouse-go/rouse/chaos/strategy"

// Most waiters of a lock wait for the same: all can take it, or none can. Once an object has many of them they are a
// group of Choice, which is enabled or disabled at once.

// LeastGroup is the number of tasks that wait for the same from which they are a group. It is a variable for tests.
var LeastGroup = 16

// AddWaiter adds t, which has announced an operation, to the tasks that may have to wait for o. If t becomes part of a
// group, t is enabled if the operation can be done now.
//
//go:norace
func (e *Engine) AddWaiter(o *Object, t *Task) {
	if e.HasMany() {
		e.addOfMany(o, t)
	} else {
		o.Waiters = append(o.Waiters, t)
	}
}

//go:norace
func (e *Engine) addOfMany(o *Object, t *Task) {
	for _, g := range o.Groups {
		if e.Front.WaitAlike(TaskOf(g.Tasks[0]), t) {
			e.join(t, g)
			e.switchGroup(g, e.Front.Ready(t))
			return
		}
	}
	o.Waiters = append(o.Waiters, t)
	if len(o.Waiters) >= LeastGroup {
		e.group(o, t)
	}
}

// group makes a group of the waiters of o that wait for the same as t, if there are enough.
//
//go:norace
func (e *Engine) group(o *Object, t *Task) {
	n := 0
	for _, w := range o.Waiters {
		if e.Front.WaitAlike(w, t) {
			n++
		}
	}
	if n < LeastGroup {
		return
	}
	g, rest := e.NewGroup(), 0
	for _, w := range o.Waiters {
		if e.Front.WaitAlike(w, t) {
			e.join(w, g)
		} else {
			o.Waiters[rest] = w
			rest++
		}
	}
	for i := rest; i < len(o.Waiters); i++ {
		o.Waiters[i] = nil
	}
	o.Waiters, o.Groups = o.Waiters[:rest], append(o.Groups, g)
	e.switchGroup(g, e.Front.Ready(t))
}

//go:norace
func (e *Engine) join(t *Task, g *strategy.Group) {
	e.Disable(t)
	e.Changes++
	e.Join(&t.Task, g)
}

//go:norace
func (e *Engine) switchGroup(g *strategy.Group, on bool) {
	if g.On == on {
		return
	}
	e.Changes++
	if on {
		g.Since = e.Step
	}
	e.Switch(g, on)
}

//go:norace
func (e *Engine) enableOfMany(t *Task) {
	switch {
	case t.Group != nil:
		e.switchGroup(t.Group, true)
	case t.Place < 0:
		e.Changes++
		t.Enabled = e.Step
		e.Add(&t.Task)
	}
}

//go:norace
func (e *Engine) disableOfMany(t *Task) {
	switch {
	case t.Group == nil && t.Place >= 0:
		e.Changes++
		e.Remove(&t.Task)
	case t.Group != nil && t.Group.On:
		e.leaveGroup(t)
	}
}

// RemoveWaiter removes t, which has been chosen to do its operation.
//
//go:norace
func (e *Engine) RemoveWaiter(o *Object, t *Task) {
	if t.Group == nil {
		Remove(&o.Waiters, t)
	} else {
		e.removeGrouped(t)
	}
}

//go:norace
func (e *Engine) removeGrouped(t *Task) {
	on := t.Group.On
	e.leaveGroup(t)
	if on {
		e.Add(&t.Task)
	}
}

// leaveGroup removes t from its group. Then it is not enabled.
//
//go:norace
func (e *Engine) leaveGroup(t *Task) {
	e.Changes++
	g := t.Group
	if len(g.Tasks) > 1 {
		e.Leave(&t.Task)
		return
	}
	o := t.Object
	for i, other := range o.Groups {
		if other == g {
			last := len(o.Groups) - 1
			o.Groups[i] = o.Groups[last]
			o.Groups[last] = nil
			o.Groups = o.Groups[:last]
			break
		}
	}
	e.Leave(&t.Task)
}

// ObjectChanged rechecks whether the tasks that wait for o are enabled.
//
//go:norace
func (e *Engine) ObjectChanged(o *Object) {
	if e.Tracing {
		e.traceChange(o)
	}
	if e.HasMany() {
		e.changedOfMany(o)
		return
	}
	for _, w := range o.Waiters {
		if e.Front.Ready(w) {
			if w.Place < 0 {
				e.enable(w)
			}
		} else if w.Place >= 0 {
			e.disable(w)
		}
	}
}

//go:norace
func (e *Engine) changedOfMany(o *Object) {
	for _, w := range o.Waiters {
		if e.Front.Ready(w) {
			e.enableOfMany(w)
		} else {
			e.disableOfMany(w)
		}
	}
	for _, g := range o.Groups {
		e.switchGroup(g, e.Front.Ready(TaskOf(g.Tasks[0])))
	}
}

// EnabledAt returns the step at which t was last enabled.
//
//go:norace
func (t *Task) EnabledAt() int {
	if t.Group != nil {
		return max(t.Enabled, t.Group.Since)
	}
	return t.Enabled
}
