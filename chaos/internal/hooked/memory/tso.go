package memory

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

// tso is total store order (Sewell et al., x86-TSO, CACM 2010). Whether a store goes to memory at
// once or into the buffer of its task is a pick; what is in a buffer reaches memory, the eldest
// first, by steps of a pseudo-task. A store behind others in the buffer can't overtake them. The
// variable itself holds what is in memory.
type tso struct {
	*Base
	buffers []*buffer // by task ID; nil if the task has none so far
	spare   []*buffered
	// flushed is whether the value of an object, by its number, has come out of a buffer.
	flushed []bool
}

// A buffer holds the stores of a task that have not reached memory.
type buffer struct {
	pseudo *core.Task
	stores []*buffered // the eldest first
	// overtaken: the task has loaded since. Until then the buffer is equivalent to a slow task, and
	// its flush is not a choice.
	overtaken bool
}

type buffered struct {
	value
	Variable
	object *core.Object
	event  int32
}

//go:norace
func (m *tso) Reset() {
	for i, b := range m.buffers {
		if b != nil {
			m.spare = appendAll(m.spare, b.stores)
		}
		m.buffers[i] = nil
	}
	m.buffers = m.buffers[:0]
	m.flushed = m.flushed[:0]
}

// holds records whether the value of an object has come out of a buffer.
//
//go:norace
func (m *tso) holds(o *core.Object, flushed bool) {
	for len(m.flushed) <= o.ID {
		m.flushed = append(m.flushed, false)
	}
	m.flushed[o.ID] = flushed
}

// reads gives the race detector the edge to a task that reads what o holds, if that has come out of
// a buffer: then the real operation does not.
//
//go:norace
func (m *tso) reads(o *core.Object) {
	if o.ID < len(m.flushed) && m.flushed[o.ID] {
		racing.Acquire(unsafe.Pointer(o))
	}
}

// appendAll is append without the race detector, which would see the builtin.
//
//go:norace
func appendAll[T any](to, from []T) []T {
	for i := 0; i < len(from); i++ {
		to = append(to, from[i])
	}
	return to
}

func (m *tso) Spawned(parent, child *core.Task) {}

func (m *tso) Acquire(*core.Task, *core.Object) {}

func (m *tso) Release(*core.Task, *core.Object) {}

//go:norace
func (m *tso) of(t *core.Task) *buffer {
	if t.ID < len(m.buffers) {
		return m.buffers[t.ID]
	}
	return nil
}

// Load reads the task's own youngest store, or memory.
//
//go:norace
func (m *tso) Load(v Variable, _ seam.Order) unsafe.Pointer {
	t, o := m.meet(strategy.Load, v)
	m.reads(o)
	from, at := m.History.newest(o), v.X
	if b := m.of(t); b != nil {
		for i := len(b.stores) - 1; i >= 0; i-- {
			if s := b.stores[i]; s.object == o {
				from, at = s.event, s.at(v.Access)
				break
			}
		}
	}
	m.History.add(t, o, from, false)
	m.Did(t, o, strategy.Load)
	if b := m.of(t); b != nil && len(b.stores) > 0 && !b.overtaken {
		b.overtaken = true
		m.updateFlush(t, b)
	}
	return at
}

//go:norace
func (m *tso) Store(v Variable, order seam.Order) unsafe.Pointer {
	if order == seam.SeqCst {
		m.Drain()
	}
	t, o := m.meet(strategy.Store, v)
	b := m.of(t)
	if order == seam.SeqCst || (b == nil || len(b.stores) == 0) && m.PickAmong(2) == 0 {
		m.History.wrote(m.History.add(t, o, unread, true), o)
		m.holds(o, false)
		m.Did(t, o, strategy.Store)
		return v.X
	}
	if b == nil {
		b = m.open(t)
	}
	s := reused(&m.spare)
	s.Variable, s.object = v, o
	racing.ReleaseMerge(unsafe.Pointer(o)) // the real store is made on another task's stack
	s.event = m.History.add(t, o, unread, true)
	m.History.deviates(s.event)
	b.stores = append(b.stores, s)
	m.Did(t, o, strategy.Store)
	m.noted("into the store buffer")
	m.updateFlush(t, b)
	return s.at(v.Access)
}

//go:norace
func (m *tso) open(t *core.Task) *buffer {
	for len(m.buffers) <= t.ID {
		m.buffers = append(m.buffers, nil)
	}
	p := m.NewPseudoTask(strategy.BufferKey(t.Key), "store buffer")
	p.Starter, p.Parent = t, &t.Task
	b := &buffer{pseudo: p}
	m.buffers[t.ID] = b
	m.QueueSpawn(t, p)
	return b
}

// meet is Machine.Step, for an operation on a variable.
//
//go:norace
func (m *tso) meet(kind strategy.Kind, v Variable) (*core.Task, *core.Object) {
	m.prepare(kind, v)
	return m.Machine.Step(kind, v)
}

// prepare sets the operation of the current task before it is announced, since that may make a
// flush a choice.
//
//go:norace
func (m *tso) prepare(kind strategy.Kind, v Variable) {
	t := m.Running()
	t.Op.Kind, t.Op.Object = kind, m.Objects.At(v.X).ID
	for id, b := range m.buffers {
		if b != nil && b.overtaken && id != t.ID {
			m.updateFlush(m.Tasks[id], b)
		}
	}
}

// updateFlush enables the flush of a task's buffer if another task can observe it: if that task
// is about to use a variable that has a store in the buffer. Until then the flush may as well be
// later.
//
//go:norace
func (m *tso) updateFlush(owner *core.Task, b *buffer) {
	if len(b.stores) == 0 {
		b.overtaken = false
		b.pseudo.Op = strategy.Op{}
		m.Disable(b.pseudo)
		return
	}
	b.pseudo.Op = strategy.Op{Kind: strategy.Flush, Object: b.stores[0].object.ID}
	if b.overtaken && m.observable(owner, b) {
		m.Enable(b.pseudo)
	} else {
		m.Disable(b.pseudo)
	}
}

//go:norace
func (m *tso) observable(owner *core.Task, b *buffer) bool {
	for _, t := range m.Tasks[:m.NumTasks] {
		if t == owner || t.Ended || t.Pseudo {
			continue
		}
		switch t.Op.Kind {
		case strategy.Load, strategy.Store, strategy.CAS:
			for _, s := range b.stores {
				if s.object.ID == t.Op.Object {
					return true
				}
			}
		}
	}
	return false
}

// Idle enables all flushes, and reports whether there are any.
//
//go:norace
func (m *tso) Idle() bool {
	any := false
	for _, b := range m.buffers {
		if b != nil && len(b.stores) > 0 {
			m.Enable(b.pseudo)
			any = true
		}
	}
	return any
}

// Flush lets the eldest store of a buffer reach memory, as a step of the pseudo-task.
//
//go:norace
func (m *tso) Flush(p *core.Task) {
	b := m.of(p.Starter)
	m.move(b, p)
	m.updateFlush(p.Starter, b)
}

// move moves the eldest store of b to memory, as a step of t or part of one.
//
//go:norace
func (m *tso) move(b *buffer, t *core.Task) {
	s := m.toMemory(b)
	m.Did(t, s.object, strategy.Flush)
	s.pointer, s.X = nil, nil // not to be kept alive
	m.spare = append(m.spare, s)
}

//go:norace
func (m *tso) toMemory(b *buffer) *buffered {
	s := b.stores[0]
	last := len(b.stores) - 1
	for i := range last {
		b.stores[i] = b.stores[i+1]
	}
	b.stores[last] = nil
	b.stores = b.stores[:last]
	copyWord(s.X, s.at(s.Access), s.Access)
	m.History.wrote(s.event, s.object)
	m.holds(s.object, true)
	return s
}

//go:norace
func (m *tso) Update(v Variable, _ seam.Order) {
	m.Drain()
	m.prepare(strategy.CAS, v)
	m.Machine.Access(v)
	m.reads(m.Objects.At(v.X))
	if v.Access&seam.Kinds != seam.CAS {
		m.updated(m.Running(), m.Objects.At(v.X))
	}
}

//go:norace
func (m *tso) Swapped(v Variable, ok bool, _, _ seam.Order) {
	t, o := m.Running(), m.Objects.At(v.X)
	if ok {
		m.updated(t, o)
		return
	}
	m.History.add(t, o, m.History.newest(o), false)
}

// updated records an operation that has loaded the newest store and stored.
//
//go:norace
func (m *tso) updated(t *core.Task, o *core.Object) {
	m.History.wrote(m.History.add(t, o, m.History.newest(o), true), o)
	m.holds(o, false)
}

//go:norace
func (m *tso) Fence(order seam.Order) {
	if order == seam.SeqCst {
		m.Drain()
	}
}

// Drain empties the current task's buffer. That is a step of its own, before the operation that
// needs it: other tasks can run before that.
//
//go:norace
func (m *tso) Drain() {
	t := m.Running()
	b := m.of(t)
	if b == nil || len(b.stores) == 0 {
		return
	}
	overtaken := b.overtaken
	if overtaken {
		m.updateFlush(t, b)
		m.Machine.ArriveAlone(t, strategy.Fence)
	}
	for len(b.stores) > 0 {
		m.move(b, t)
	}
	m.updateFlush(t, b)
	if overtaken {
		m.DidAlone(t, strategy.Fence)
	}
}

//go:norace
func (m *tso) Ended(t *core.Task) {
	b := m.of(t)
	switch {
	case b == nil:
	case b.overtaken:
		m.updateFlush(t, b)
	default:
		for len(b.stores) > 0 {
			m.move(b, t)
		}
	}
}

//go:norace
func (m *tso) FlushAll() {
	for _, b := range m.buffers {
		for b != nil && len(b.stores) > 0 {
			m.spare = append(m.spare, m.toMemory(b))
		}
	}
}
