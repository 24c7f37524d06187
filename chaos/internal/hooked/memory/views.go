package memory

import (
	"unsafe"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

// views is the view machine of the promising semantics without its promises (Kang et al., POPL
// 2017), with the fences and the sequentially consistent accesses of RC11 (Lahav et al., PLDI
// 2017), as C++20 has them. Which store a load reads is a pick; 0 is the newest. The variable
// itself holds the newest store, and older values are kept here.
type views struct {
	*Base
	locations []location   // by object number
	known     []*taskViews // by task ID
	global    view         // what sequentially consistent fences have seen, and such accesses per location
	spare     []*stored
}

// A view has for each object the oldest store that can still be read, by its number among the
// object's stores.
type view []int32

// A location is a variable: the stores that can still be read, the newest last.
type location struct {
	stores []*stored
	first  int32 // number of the first of them
	sync   view  // what was released to an object that is not a variable
}

// A stored is a store. Its value is kept when another one follows.
type stored struct {
	value
	message view // what a load that acquires learns
	event   int32
}

type taskViews struct {
	current  view // what its loads respect
	pending  view // what an acquire fence adds to it: the messages of relaxed loads
	released view // what a relaxed store passes on: current, as of the last release fence
	stale    []uint8
}

const (
	// maxStores is how many stores of a variable are kept: older ones can't be read.
	maxStores = 8
	// maxStale is how many loads in a row of one variable may read a store that is not
	// the newest: a loop that waits for a change must end.
	maxStale = 2
)

//go:norace
func (m *views) Reset() {
	for i := range m.locations {
		p := &m.locations[i]
		for _, s := range p.stores {
			s.pointer = nil // not to be kept alive
		}
		m.spare = appendAll(m.spare, p.stores)
		p.stores, p.first, p.sync = p.stores[:0], 0, p.sync[:0]
	}
	for _, k := range m.known {
		k.forget()
	}
	m.global = m.global[:0]
}

//go:norace
func (k *taskViews) forget() {
	k.current, k.pending, k.released, k.stale = k.current[:0], k.pending[:0], k.released[:0], k.stale[:0]
}

// at returns the number of the oldest store of an object that can be read.
//
//go:norace
func (v view) at(object int) int32 {
	if object < len(v) {
		return v[object]
	}
	return 0
}

// raise makes that number at least n.
//
//go:norace
func (v *view) raise(object int, n int32) {
	for len(*v) <= object {
		*v = append(*v, 0)
	}
	(*v)[object] = max((*v)[object], n)
}

// join makes v include o.
//
//go:norace
func (v *view) join(o view) {
	for i, n := range o {
		if n > 0 {
			v.raise(i, n)
		}
	}
}

//go:norace
func (v *view) become(o view) { *v = appendAll((*v)[:0], o) }

//go:norace
func (m *views) of(t *core.Task) *taskViews {
	for len(m.known) <= t.ID {
		m.known = append(m.known, new(taskViews))
	}
	return m.known[t.ID]
}

//go:norace
func (m *views) Spawned(parent, child *core.Task) {
	k := m.of(child)
	k.forget()
	k.current.become(m.of(parent).current)
}

//go:norace
func (m *views) object(o *core.Object) *location {
	for len(m.locations) <= o.ID {
		m.locations = append(m.locations, location{})
	}
	return &m.locations[o.ID]
}

// location returns the location of a variable. Its first store is what it holds when it is first
// used.
//
//go:norace
func (m *views) location(o *core.Object) *location {
	p := m.object(o)
	if len(p.stores) == 0 {
		s := m.entry()
		s.event = initially
		p.stores = append(p.stores, s)
	}
	return p
}

//go:norace
func (m *views) entry() *stored {
	s := reused(&m.spare)
	s.message = s.message[:0]
	return s
}

//go:norace
func (p *location) newest() (s *stored, number int32) {
	last := len(p.stores) - 1
	return p.stores[last], p.first + int32(last)
}

//go:norace
func (m *views) Load(v Variable, order seam.Order) unsafe.Pointer {
	t, o := m.Machine.Step(strategy.Load, v)
	p, k := m.location(o), m.of(t)
	_, newest := p.newest()
	before := k.current.at(o.ID)
	oldest := max(p.first, before)
	if order == seam.SeqCst {
		oldest = max(oldest, m.global.at(o.ID))
	}
	for len(k.stale) <= o.ID {
		k.stale = append(k.stale, 0)
	}
	if k.stale[o.ID] >= maxStale {
		oldest = newest
	}
	age := m.PickAmong(int(newest-oldest) + 1)
	number := newest - int32(age)
	s := p.stores[number-p.first]
	event := m.History.add(t, o, s.event, false)
	m.learn(k, o, s, number, order.Acquires())
	kind := strategy.Load
	if order == seam.SeqCst && m.global.at(o.ID) < number {
		m.global.raise(o.ID, number) // others must not read older ones any more: that is more than a load
		kind = strategy.CAS
	}
	m.Did(t, o, kind)
	if age > 0 || number != before { // it has learnt something, or can the next time
		t.Spin.Forget()
		t.Repeating = false
	}
	if age == 0 {
		k.stale[o.ID] = 0
		return v.X
	}
	k.stale[o.ID]++
	m.History.deviates(event)
	m.noted("reads an older store")
	racing.Acquire(unsafe.Pointer(o))
	return s.at(v.Access)
}

// learn updates the task's views after a load.
//
//go:norace
func (m *views) learn(k *taskViews, o *core.Object, s *stored, number int32, acquires bool) {
	k.current.raise(o.ID, number)
	if acquires {
		k.current.join(s.message)
	} else {
		k.pending.join(s.message)
	}
}

//go:norace
func (m *views) Store(v Variable, order seam.Order) unsafe.Pointer {
	t, o := m.Machine.Step(strategy.Store, v)
	m.keep(m.location(o), v)
	m.append(t, o, order, nil)
	m.Did(t, o, strategy.Store)
	return v.X
}

// append adds a store to a variable's history. If read is not nil, the store is that of an update
// that has read it. The value of the newest store has been kept.
//
//go:norace
func (m *views) append(t *core.Task, o *core.Object, order seam.Order, read *stored) {
	p, k := m.location(o), m.of(t)
	racing.ReleaseMerge(unsafe.Pointer(o)) // for a task that reads it when the variable holds another
	_, number := p.newest()
	number++
	s := m.entry()
	k.current.raise(o.ID, number)
	if order.Releases() {
		s.message.become(k.current)
	} else {
		s.message.become(k.released)
		s.message.raise(o.ID, number)
	}
	from := int32(unread)
	if read != nil {
		s.message.join(read.message) // the release sequence continues
		from = read.event
	}
	s.event = m.History.add(t, o, from, true)
	m.History.wrote(s.event, o)
	p.stores = append(p.stores, s)
	if order == seam.SeqCst {
		m.global.raise(o.ID, number)
	}
	if len(p.stores) > maxStores {
		m.spare = append(m.spare, p.stores[0])
		for i := range maxStores {
			p.stores[i] = p.stores[i+1]
		}
		p.stores = p.stores[:maxStores]
		p.first++
	}
}

// keep keeps the value of the newest store, before another overwrites it.
//
//go:norace
func (m *views) keep(p *location, v Variable) {
	s, _ := p.newest()
	copyWord(s.at(v.Access), v.X, v.Access)
}

//go:norace
func (m *views) Update(v Variable, order seam.Order) {
	m.Machine.Access(v)
	o := m.Objects.At(v.X)
	m.keep(m.location(o), v)
	if v.Access&seam.Kinds != seam.CAS {
		m.updated(o, order)
	}
}

// updated records an operation that loads the newest store and stores.
//
//go:norace
func (m *views) updated(o *core.Object, order seam.Order) {
	t := m.Running()
	read, number := m.location(o).newest()
	m.learn(m.of(t), o, read, number, order.Acquires())
	m.append(t, o, order, read)
}

//go:norace
func (m *views) Swapped(v Variable, ok bool, order, failure seam.Order) {
	t, o := m.Running(), m.Objects.At(v.X)
	if ok {
		m.updated(o, order)
		return
	}
	s, number := m.location(o).newest()
	m.History.add(t, o, s.event, false)
	m.learn(m.of(t), o, s, number, failure.Acquires())
	if failure == seam.SeqCst {
		m.global.raise(o.ID, number)
	}
}

//go:norace
func (m *views) Fence(order seam.Order) {
	t := m.Running()
	k := m.of(t)
	if order == seam.SeqCst {
		m.Machine.ArriveAlone(t, strategy.Fence)
	}
	if order.Acquires() {
		k.current.join(k.pending)
	}
	if order == seam.SeqCst {
		k.current.join(m.global)
		m.global.join(k.current)
		m.DidAlone(t, strategy.Fence)
	}
	if order.Releases() {
		k.released.become(k.current)
	}
}

func (m *views) Drain() {}

func (m *views) Ended(*core.Task) {}

//go:norace
func (m *views) Acquire(t *core.Task, o *core.Object) { m.of(t).current.join(m.object(o).sync) }

//go:norace
func (m *views) Release(t *core.Task, o *core.Object) { m.object(o).sync.join(m.of(t).current) }

func (m *views) Idle() bool { return false }

func (m *views) Flush(*core.Task) {}

func (m *views) FlushAll() {}
