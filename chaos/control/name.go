package control

// name gives the object of the current task's pending operation a name that holds
// in other executions: that of the first (task, number of operation) that ever
// used it. Later executions in which another one is first find it by their own
// entry, as long as each task's operations are the same.
func (e *engine) name() {
	t := e.current
	if t == nil || t.object == nil || t.Op.Object == 0 {
		return
	}
	o, at := t.object, mix(t.Key, uint64(t.Ops))
	known, ok := e.names[at]
	switch {
	case o.name == 0 && ok:
		o.name = known
	case o.name == 0:
		o.name = at
		e.names[at] = at
	case !ok && len(e.names) < mostNames:
		e.names[at] = o.name
	}
	t.Op.Name = o.name
}

// mostNames bounds the memory of names.
const mostNames = 1 << 20
