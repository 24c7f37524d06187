package runtime

import (
	"internal/abi"
	"internal/goarch"
	"internal/rouse"
	"internal/runtime/sys"
	"internal/stringslite"
	"unsafe"
)

const (
	rouseStackCost    = 1 << 5 // words that take as much time as a stack does besides its own
	rouseObjectCost   = 1 << 3 // likewise of an object
	rouseStateObjects = 64     // objects that a state takes in
	rouseStateWords   = 4096   // words of the stack, and of all objects
	rouseObjectWords  = 512    // of one object
	rouseYear         = 365 * 24 * 3600e9
)

// A rouseState is a state in the making.
type rouseState struct {
	hash    uint64
	words   int
	group   *RouseGroup
	stack   stack
	objects [rouseStateObjects]uintptr // those found so far, eldest first
	found   int
	from    uintptr                // where the frames begin
	live    rouseWords             // which of their words are pointers that may be used next
	whole   *RousePackageVariables // numbers the objects instead, and takes in all
	often   rouseWords             // for that: which are pointers that may be used next, anywhere in their functions
	slept   uintptr                // and the end of the last sleep
}

// rouseWords has a bit for each word of a stack, from where the frames begin.
type rouseWords [rouseStateWords / 8]uint8

func (w *rouseWords) add(i uintptr) {
	if i < rouseStateWords {
		w[i/8] |= 1 << (i % 8)
	}
}

func (w *rouseWords) has(i uintptr) bool { return i < rouseStateWords && w[i/8]>>(i%8)&1 != 0 }

// State returns a hash of what the task that calls it can use next: its frames, from the innermost one of
// neither the runtime nor the engine, the objects that these point to, and those that they point to. An
// address counts by the order in which it is found, and a time of the execution as any other: a frame has
// slots that are not in use, where the last sleep has left its end. No pointer in such a slot is followed: it
// may be one to what the engine counts by. What is beyond the bounds above, global variables, and the
// runtime's own objects do not count: the latter change with real time.
func (c *RouseGroup) State() uint64 {
	s, gp := c.newState(), getg()
	pc, sp := sys.GetCallerPC(), sys.GetCallerSP()
	systemstack(func() {
		var u unwinder
		u.initAt(pc, sp, 0, gp, unwindSilentErrors)
		s.addStack(&u, gp)
		direct := s.found
		for i := 0; i < s.found; i++ {
			s.addObject(s.objects[i], i < direct)
		}
	})
	return s.hash
}

// Whole returns a hash of all that the tasks can use: their frames, what the package-level variables hold, and all objects
// that pointers in these lead to, if that takes no more time than so many words. left is how many there could have been
// besides: 0 if there are too many, or if it is not known what there is. What other processes and files hold does not count.
//
// A word of a frame counts as it is, also if the frame does not use it next, unless it is certain to be left over: from a
// pointer, or from the last sleep.
func (c *RouseGroup) Whole(most int) (hash uint64, left int) {
	if c.unknowable() {
		return 0, 0
	}
	v, self := c.Variables, getg()
	v.whole = true
	pc, sp := sys.GetCallerPC(), sys.GetCallerSP()
	for v.short = true; v.short; {
		v.begin(most)
		s := c.newState()
		collecting := false
		systemstack(func() {
			if collecting = gcphase != _GCoff; collecting { // it may move stacks
				return
			}
			c.eachOwn(func(p unsafe.Pointer) bool {
				if span := spanOfHeap(uintptr(p)); span != nil {
					v.number(rouseObjectAt(span, uintptr(p)))
				}
				return true
			})
			v.opaque = len(v.found)
			for _, t := range c.tasks {
				gp := t.g
				if gp == nil {
					continue
				}
				*s = rouseState{group: c, whole: v, slept: uintptr(gp.sleepWhen)}
				var u unwinder
				if gp == self {
					u.initAt(pc, sp, 0, gp, unwindSilentErrors)
				} else {
					u.initAt(^uintptr(0), ^uintptr(0), 0, gp, unwindSilentErrors)
				}
				s.addStack(&u, gp)
				v.hash = rouseMix(v.hash ^ s.hash)
				v.addGoroutine(gp)
				if v.left -= s.words + rouseStackCost; s.words == rouseStateWords {
					v.left = 0
				}
				if v.left <= 0 {
					break
				}
			}
			v.addAll()
			v.hash = rouseMix(v.hash ^ uint64(NumCgoCall())) // which may have changed what nobody sees
		})
		if collecting {
			v.short = true
			Gosched() // no point, as the engine calls this
		}
	}
	v.whole = false
	return v.hash, max(v.left-rouseObjectCost*len(v.found), 0)
}

// unknowable reports whether there is something in this execution of which nobody knows what it is, or when it changes.
func (c *RouseGroup) unknowable() bool {
	switch {
	case c.Variables == nil, len(c.strays) > 0, rouseLacking != "":
	case c.collectable, rouseGC.collectable: // by the collector
	case rouseForeign.Load(), rouseMapped.Load() > 0: // in memory that is not the runtime's
	default:
		return false
	}
	return true
}

// addGoroutine adds what a goroutine has outside of its frames: calls that are deferred, and labels of profiles.
func (v *RousePackageVariables) addGoroutine(gp *g) {
	add := func(w uintptr) { v.hash = rouseMix(v.hash ^ uint64(v.pointer(w))) }
	for d := gp._defer; d != nil && v.left > 0; d = d.link {
		add(uintptr(unsafe.Pointer(d)))
		add(*(*uintptr)(unsafe.Pointer(&d.fn)))
		v.left--
	}
	add(uintptr(gp.labels))
}

func (c *RouseGroup) newState() *rouseState {
	if c.state == nil {
		c.state = new(rouseState)
	}
	*c.state = rouseState{group: c}
	return c.state
}

// addStack adds the frames of gp, from u on but for those of the runtime and the engine that come first, and those of
// package testing in which an execution begins.
func (s *rouseState) addStack(u *unwinder, gp *g) {
	for s.stack = gp.stack; u.valid() && rouseOfEngine(funcname(u.frame.fn)); u.next() {
	}
	if !u.valid() {
		return
	}
	s.hash = uint64(u.frame.pc)
	s.from = u.frame.sp
	end := s.stack.hi
	for v := *u; v.valid() && v.frame.sp < s.from+rouseStateWords*goarch.PtrSize; v.next() {
		if stringslite.HasPrefix(funcname(v.frame.fn), "testing.(*rouseExecution)") {
			end = v.frame.sp
			break
		}
		s.addFrame(&v.frame)
	}
	s.add(s.from, (end-s.from)/goarch.PtrSize, true)
}

func rouseOfEngine(function string) bool {
	return stringslite.HasPrefix(function, "runtime.") || stringslite.HasPrefix(function, "internal/rouse")
}

// addFrame notes which words of a frame are pointers that may be used next, and those of objects on the stack,
// of which the runtime knows no more than that these might be.
func (s *rouseState) addFrame(f *stkframe) {
	locals, args, objects := f.getStackMap(false)
	s.addPointers(f.varp-uintptr(locals.n)*goarch.PtrSize, locals)
	s.addPointers(f.argp, args)
	if s.whole != nil {
		s.addOften(f, abi.FUNCDATA_LocalsPointerMaps)
		s.addOften(f, abi.FUNCDATA_ArgsPointerMaps)
	}
	for i := range objects {
		at := f.varp
		if objects[i].off >= 0 {
			at = f.argp
		}
		size, mask := objects[i].gcdata()
		s.addPointers(at+uintptr(objects[i].off), bitvector{int32(size / goarch.PtrSize), mask})
	}
}

func (s *rouseState) addPointers(p uintptr, which bitvector) {
	for i := range uintptr(which.n) {
		if which.ptrbit(i) != 0 {
			s.addPointer(p + i*goarch.PtrSize)
		}
	}
}

func (s *rouseState) addPointer(p uintptr) { s.live.add((p - s.from) / goarch.PtrSize) }

// addOften notes which words of a frame are pointers that may be used next somewhere in its function.
func (s *rouseState) addOften(f *stkframe, maps uint8) {
	m := (*stackmap)(funcdata(f.fn, maps))
	if m == nil || m.nbit <= 0 {
		return
	}
	at := f.argp
	if maps == abi.FUNCDATA_LocalsPointerMaps {
		at = f.varp - uintptr(m.nbit)*goarch.PtrSize
	}
	for n := range m.n {
		for i, which := uintptr(0), stackmapdata(m, n); i < uintptr(which.n); i++ {
			if which.ptrbit(i) != 0 {
				s.often.add((at-s.from)/goarch.PtrSize + i)
			}
		}
	}
}

// leads reports whether the word at p is a pointer that is followed, if it is one.
func (s *rouseState) leads(p uintptr) bool {
	return p < s.stack.lo || s.stack.hi <= p || s.live.has((p-s.from)/goarch.PtrSize)
}

func (s *rouseState) addObject(base uintptr, follow bool) {
	span := spanOfHeap(base)
	if span == nil {
		return
	}
	s.add(base, min(span.elemsize/goarch.PtrSize, rouseObjectWords), follow && !span.spanclass.noscan())
}

// add adds n words from p on. follow: objects that they point to are to be added.
func (s *rouseState) add(p, n uintptr, follow bool) {
	for ; n > 0 && s.words < rouseStateWords; n-- {
		if w := *(*uintptr)(unsafe.Pointer(p)); s.whole != nil {
			s.hash = rouseMix(s.hash ^ s.wholeValue(w, (p-s.from)/goarch.PtrSize))
		} else {
			s.hash = rouseMix(s.hash ^ s.value(w, follow && s.leads(p)))
		}
		s.words++
		p += goarch.PtrSize
	}
}

// value is what a word counts as.
func (s *rouseState) value(w uintptr, follow bool) uint64 {
	if s.stack.lo <= w && w < s.stack.hi {
		return uint64(s.stack.hi-w) | 1<<63
	}
	if uint64(w)-uint64(s.group.start) < uint64(s.group.bubble.now-s.group.start)+rouseYear {
		return 1 << 60
	}
	span := spanOfHeap(w)
	if span == nil {
		return uint64(w)
	}
	base := rouseObjectAt(span, w)
	for i, known := range s.objects[:s.found] {
		if known == base {
			return uint64(i)<<32 | uint64(w-base) | 1<<62
		}
	}
	if follow && s.found < len(s.objects) && !s.group.owns(base) {
		s.objects[s.found] = base
		s.found++
		return uint64(s.found-1)<<32 | uint64(w-base) | 1<<62
	}
	return 1 << 61
}

// wholeValue is what a word of the stack counts as in a whole, the i-th from where the frames begin.
func (s *rouseState) wholeValue(w, i uintptr) uint64 {
	switch {
	case s.stack.lo <= w && w < s.stack.hi:
		return uint64(s.stack.hi-w) | 1<<63
	case s.live.has(i):
		if span := spanOfHeap(w); span != nil && span.isFree(span.objIndex(w)) { // of an object that is not in use
			return 1 << 61
		}
		return uint64(s.whole.pointer(w))
	case w == s.slept:
		return 1 << 60
	case s.often.has(i) && spanOfHeap(w) != nil:
		return 1 << 61
	}
	return uint64(w)
}

// rouseObjectAt returns the address of the object of a span that p points into.
func rouseObjectAt(span *mspan, p uintptr) uintptr {
	return span.base() + (p-span.base())/span.elemsize*span.elemsize
}

// owns reports whether an object is of the engine: one of those that eachOwn passes.
func (c *RouseGroup) owns(base uintptr) bool {
	switch base {
	case uintptr(unsafe.Pointer(c)), uintptr(unsafe.Pointer(c.root)), uintptr(unsafe.Pointer(c.bubble)), uintptr(rouse.Execution):
		return true
	}
	return c.taskAt(base) != nil || c.ownsG(base) || c.ownsTimer(base)
}

// taskAt returns the task that begins at an address, or nil. There may be anything else.
func (c *RouseGroup) taskAt(base uintptr) *rouseTask {
	if !rouseHolds(base, unsafe.Sizeof(rouseTask{})) {
		return nil
	}
	id := (*rouseTask)(unsafe.Pointer(base)).id
	if id < 0 || int(id) >= len(c.tasks) || uintptr(unsafe.Pointer(c.tasks[id])) != base {
		return nil
	}
	return c.tasks[id]
}

func (c *RouseGroup) ownsG(base uintptr) bool {
	if !rouseHolds(base, unsafe.Sizeof(g{})) {
		return false
	}
	t := c.taskAt(*(*uintptr)(unsafe.Pointer(base + unsafe.Offsetof(g{}.rouse))))
	return t != nil && uintptr(unsafe.Pointer(t.g)) == base
}

// ownsTimer reports whether it is the timer of the sleeps of a task. Its argument is the goroutine.
func (c *RouseGroup) ownsTimer(base uintptr) bool {
	if !rouseHolds(base, unsafe.Sizeof(timer{})) {
		return false
	}
	gp := *(*uintptr)(unsafe.Pointer(base + unsafe.Offsetof(timer{}.arg) + goarch.PtrSize))
	return c.ownsG(gp) && uintptr(unsafe.Pointer((*g)(unsafe.Pointer(gp)).timer)) == base
}

// rouseHolds reports whether an object of the heap begins at an address, and has at least so many bytes.
func rouseHolds(base, size uintptr) bool {
	span := spanOfHeap(base)
	return span != nil && span.elemsize >= size && rouseObjectAt(span, base) == base
}

// eachOwn calls f with the objects to which tasks lead and that are the engine's, until it returns false: the group, its
// tasks with the timers of their sleeps, and what package testing keeps of the execution.
func (c *RouseGroup) eachOwn(f func(unsafe.Pointer) bool) {
	if !f(unsafe.Pointer(c)) || !f(unsafe.Pointer(c.root)) || !f(unsafe.Pointer(c.bubble)) || !f(rouse.Execution) {
		return
	}
	for _, t := range c.tasks {
		if !f(unsafe.Pointer(t)) || t.g != nil && (!f(unsafe.Pointer(t.g)) || !f(unsafe.Pointer(t.g.timer))) {
			return
		}
	}
}
