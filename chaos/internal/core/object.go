package core

import (
	"slices"
	"unsafe"
	weakref "weak"

	"github.com/rouse-go/rouse/chaos/strategy"
)

// An Object is the target of an operation: a variable, a lock, a channel. It is identified by its
// address, which is kept alive while the execution lasts, and numbered from 1 in the order of
// first use.
type Object struct {
	ID int
	X  uintptr // its address

	Writes uint64 // how often it was written, for tasks that spin
	Order  uint64 // hash of its operations in their order, for partial orders
	Since  uint64 // sum over the reads since the last write

	Waiters []*Task // tasks whose pending operation may have to wait for it, but those in Groups

	// A lock is Locked; one with readers counts them in Readers, and Announced keeps new readers out. A wait group's
	// counter is Readers, too. A once is Locked while it runs, then Done.
	Locked, Announced, Done bool
	Closed                  bool // a channel
	Counts                  bool // it is a wait group
	Readers                 int
	// Of a Runtime: Owner has locked it, Queue holds the readers that have, and Handed is set once
	// a task that does not own it has unlocked it.
	Owner  *Task
	Handed bool
	Queue  []*Task // waiters of a condition, eldest first
	Free   []any   // of a sync.Pool
	Timer  any     // of a timer, what package hooked has of it

	// Of a trace: the event, counted from 1, that wrote it last, and the events that put
	// what a channel's buffer holds.
	writer int
	puts   []int

	Groups []*strategy.Group // waiters: see AddWaiter
}

// objects finds the object at an address: a hash table with open addressing. An entry of an
// earlier epoch is empty, so that a new execution clears nothing.
type objects struct {
	slots []slot
	Epoch uintptr
	List  []*Object // by ID-1; those beyond Used are of earlier executions
	Used  int
	kept  []unsafe.Pointer // pointers that keep the objects of List[kept0:] alive; nil if freed
	kept0 int

	collecting int                     // tasks for which the garbage collector runs
	weakly     []weakref.Pointer[byte] // kept, meanwhile
}

// freed is the address in the slot of an object that has been freed. No object is at it.
const freed = 1

type slot struct {
	x      uintptr
	Object *Object
	Epoch  uintptr
}

//go:norace
func (s *objects) reset() {
	s.Epoch++
	s.Used, s.collecting = 0, 0
	s.Forget()
	if s.Epoch == 0 || s.slots == nil { // wrapped around
		s.slots = make([]slot, max(len(s.slots), 64))
		s.Epoch = 1
	}
}

// Forget lets the objects be freed. Another object may then be at the same address.
//
//go:norace
func (s *objects) Forget() {
	for i := range s.kept { // not by clear, which the race detector would see
		s.kept[i] = nil
	}
	s.kept, s.kept0 = s.kept[:0], s.Used
}

// KeepWeakly lets the garbage collector free the objects without other references, until
// KeepAgain.
//
//go:norace
func (s *objects) KeepWeakly() {
	if s.collecting++; s.collecting > 1 {
		return
	}
	s.weakly = s.weakly[:0]
	for i, x := range s.kept {
		s.weakly = append(s.weakly, weakref.Make((*byte)(x)))
		s.kept[i] = nil
	}
}

// KeepAgain keeps the objects that have not been freed. Another object may be at the address of a
// freed one.
//
//go:norace
func (s *objects) KeepAgain() {
	if s.collecting--; s.collecting > 0 {
		return
	}
	for i := range s.weakly {
		x := unsafe.Pointer(s.weakly[i].Value())
		s.weakly[i] = weakref.Pointer[byte]{}
		s.kept[i] = x
		if o := s.List[s.kept0+i]; x == nil && o.X != freed {
			s.SlotOf(o.X).x = freed
			o.X = freed
		}
	}
}

// SlotOf returns the slot of an address, or the empty one where it would be.
//
//go:norace
func (s *objects) SlotOf(x uintptr) *slot {
	mask := uint64(len(s.slots) - 1)
	i := slotIndex(x)
	for s.slots[i&mask].Epoch == s.Epoch && s.slots[i&mask].x != x {
		i++
	}
	return &s.slots[i&mask]
}

// At returns the object at x.
//
//go:norace
func (s *objects) At(x unsafe.Pointer) *Object {
	mask := uint64(len(s.slots) - 1)
	for i := slotIndex(uintptr(x)); ; i++ {
		switch sl := &s.slots[i&mask]; {
		case sl.Epoch != s.Epoch:
			return s.insert(sl, x)
		case sl.x == uintptr(x):
			return sl.Object
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
func (s *objects) find(x unsafe.Pointer) *Object {
	if sl := s.SlotOf(uintptr(x)); sl.Epoch == s.Epoch {
		return sl.Object
	}
	return nil
}

// insert makes the object at x, in an empty slot.
//
//go:norace
func (s *objects) insert(sl *slot, x unsafe.Pointer) *Object {
	var o *Object
	if s.Used < len(s.List) {
		o = s.List[s.Used]
		*o = Object{Waiters: o.Waiters[:0], Groups: o.Groups[:0], Queue: o.Queue[:0], Free: o.Free[:0]}
	} else {
		o = new(Object)
		s.List = append(s.List, o)
	}
	s.Used++
	o.ID, o.X = s.Used, uintptr(x)
	*sl = slot{uintptr(x), o, s.Epoch}
	s.kept = append(s.kept, x)
	if s.Used*2 > len(s.slots) {
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
		if old[j].Epoch != s.Epoch || old[j].x == freed {
			continue
		}
		i := slotIndex(old[j].x) & mask
		for s.slots[i].Epoch == s.Epoch {
			i = (i + 1) & mask
		}
		s.slots[i] = old[j]
	}
}

// Remove takes t out of a queue, whose order it keeps, and reports whether it was in it. (Not
// by package slices, which the race detector would see.)
//
//go:norace
func Remove(queue *[]*Task, t *Task) bool {
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

// AreLocked reports whether a task holds a lock. A judge could block on it forever: a task that
// is cut inside its critical section unlocks only by a deferred call.
func (s *objects) AreLocked() bool {
	return slices.ContainsFunc(s.List[:s.Used], func(o *Object) bool { return o.Locked || o.Readers > 0 && !o.Counts })
}
