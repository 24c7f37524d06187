package control

import (
	"slices"
	"unsafe"
	weakref "weak"
)

// An object is the target of an operation: a variable, a lock, a channel. It is identified by its
// address, which is kept alive while the execution lasts, and numbered from 1 in the order of
// first use.
type object struct {
	id int
	x  uintptr // its address

	writes uint64 // how often it was written, for tasks that spin
	order  uint64 // hash of its operations in their order, for partial orders
	since  uint64 // sum over the reads since the last write

	waiters []*task // tasks whose pending operation may have to wait for it

	// A lock is locked; one with readers counts them, and announced keeps new readers out.
	// A wait group's counter is readers, too. A once is locked while it runs, then done.
	locked, announced, done bool
	closed                  bool // a channel
	counts                  bool // it is a wait group
	readers                 int
	// Of a Runtime: owner has locked it, queue holds the readers that have, and handed is set once
	// a task that does not own it has unlocked it.
	owner  *task
	handed bool
	queue  []*task // waiters of a condition, eldest first
	free   []any   // of a sync.Pool
	timer  *timer

	// Of a trace: the event, counted from 1, that wrote it last, and the events that put
	// what a channel's buffer holds.
	writer int
	puts   []int
}

// objects finds the object at an address: a hash table with open addressing. An entry of an
// earlier epoch is empty, so that a new execution clears nothing.
type objects struct {
	slots []slot
	epoch uintptr
	list  []*object // by id-1; those beyond used are of earlier executions
	used  int
	kept  []unsafe.Pointer // pointers that keep the objects of list[kept0:] alive; nil if freed
	kept0 int

	collecting int                     // tasks for which the garbage collector runs
	weakly     []weakref.Pointer[byte] // kept, meanwhile
}

// freed is the address in the slot of an object that has been freed. No object is at it.
const freed = 1

type slot struct {
	x      uintptr
	object *object
	epoch  uintptr
}

//go:norace
func (s *objects) reset() {
	s.epoch++
	s.used, s.collecting = 0, 0
	s.forget()
	if s.epoch == 0 || s.slots == nil { // wrapped around
		s.slots = make([]slot, max(len(s.slots), 64))
		s.epoch = 1
	}
}

// forget lets the objects be freed. Another object may then be at the same address.
//
//go:norace
func (s *objects) forget() {
	for i := range s.kept { // not by clear, which the race detector would see
		s.kept[i] = nil
	}
	s.kept, s.kept0 = s.kept[:0], s.used
}

// keepWeakly lets the garbage collector free the objects without other references, until
// keepAgain.
//
//go:norace
func (s *objects) keepWeakly() {
	if s.collecting++; s.collecting > 1 {
		return
	}
	s.weakly = s.weakly[:0]
	for i, x := range s.kept {
		s.weakly = append(s.weakly, weakref.Make((*byte)(x)))
		s.kept[i] = nil
	}
}

// keepAgain keeps the objects that have not been freed. Another object may be at the address of a
// freed one.
//
//go:norace
func (s *objects) keepAgain() {
	if s.collecting--; s.collecting > 0 {
		return
	}
	for i := range s.weakly {
		x := unsafe.Pointer(s.weakly[i].Value())
		s.weakly[i] = weakref.Pointer[byte]{}
		s.kept[i] = x
		if o := s.list[s.kept0+i]; x == nil && o.x != freed {
			s.slotOf(o.x).x = freed
			o.x = freed
		}
	}
}

// slotOf returns the slot of an address, or the empty one where it would be.
//
//go:norace
func (s *objects) slotOf(x uintptr) *slot {
	mask := uint64(len(s.slots) - 1)
	i := slotIndex(x)
	for s.slots[i&mask].epoch == s.epoch && s.slots[i&mask].x != x {
		i++
	}
	return &s.slots[i&mask]
}

// at returns the object at x.
//
//go:norace
func (s *objects) at(x unsafe.Pointer) *object {
	mask := uint64(len(s.slots) - 1)
	for i := slotIndex(uintptr(x)); ; i++ {
		switch sl := &s.slots[i&mask]; {
		case sl.epoch != s.epoch:
			return s.insert(sl, x)
		case sl.x == uintptr(x):
			return sl.object
		}
	}
}

// slotIndex returns where the search for x begins.
//
//go:norace
func slotIndex(x uintptr) uint64 { return uint64(x) * 0x9e3779b97f4a7c15 >> 20 }

// find returns the object at x, or nil if it has not been used.
//
//go:norace
func (s *objects) find(x unsafe.Pointer) *object {
	if sl := s.slotOf(uintptr(x)); sl.epoch == s.epoch {
		return sl.object
	}
	return nil
}

// insert makes the object at x, in an empty slot.
//
//go:norace
func (s *objects) insert(sl *slot, x unsafe.Pointer) *object {
	var o *object
	if s.used < len(s.list) {
		o = s.list[s.used]
		*o = object{waiters: o.waiters[:0], queue: o.queue[:0], free: o.free[:0]}
	} else {
		o = new(object)
		s.list = append(s.list, o)
	}
	s.used++
	o.id, o.x = s.used, uintptr(x)
	*sl = slot{uintptr(x), o, s.epoch}
	s.kept = append(s.kept, x)
	if s.used*2 > len(s.slots) {
		s.grow()
	}
	return o
}

//go:norace
func (s *objects) grow() {
	old := s.slots
	s.slots = make([]slot, 2*len(old))
	mask := uint64(len(s.slots) - 1)
	for j := range old {
		if old[j].epoch != s.epoch || old[j].x == freed {
			continue
		}
		i := slotIndex(old[j].x) & mask
		for s.slots[i].epoch == s.epoch {
			i = (i + 1) & mask
		}
		s.slots[i] = old[j]
	}
}

//go:norace
func (o *object) addWaiter(t *task) { o.waiters = append(o.waiters, t) }

//go:norace
func (o *object) removeWaiter(t *task) { remove(&o.waiters, t) }

// remove takes t out of a queue, whose order it keeps, and reports whether it was in it. (Not
// by package slices, which the race detector would see.)
//
//go:norace
func remove(queue *[]*task, t *task) bool {
	all := *queue
	for i, w := range all {
		if w == t {
			last := len(all) - 1
			for ; i < last; i++ {
				all[i] = all[i+1]
			}
			all[last] = nil
			*queue = all[:last]
			return true
		}
	}
	return false
}

// areLocked reports whether a task holds a lock. A judge could block on it forever: a task that
// is cut inside its critical section unlocks only by a deferred call.
func (s *objects) areLocked() bool {
	return slices.ContainsFunc(s.list[:s.used], func(o *object) bool { return o.locked || o.readers > 0 && !o.counts })
}
