package runtime

import (
	"internal/goarch"
	"internal/rouse"
	"unsafe"
)

// RousePackageVariables are variables of this program: see package wire.
type RousePackageVariables struct {
	Named, Unnamed []RouseExtent

	found  []uintptr // objects and unnamed parts, in the order in which they were found
	table  []uint32  // for each of them one more than its index, by hash; at most half full
	hash   uint64
	left   int  // words that still count
	short  bool // found has no room
	sealed bool
	whole  bool // it is for RouseGroup.Whole
	opaque int  // as many of found, the first, are the engine's, and do not count

	real  [16]uintptr // the addresses of when timers outside fire, in real time: no execution sees it
	reals int
}

// A RouseExtent is a part of memory, in bytes.
type RouseExtent struct{ At, Size uintptr }

// Hash returns a hash of what the variables hold, and of all that pointers in them lead to, of so many words at most. As
// with [RouseGroup.State], an object counts by the order in which it is found. complete is false if there are more words.
// The world stands still meanwhile.
func (v *RousePackageVariables) Hash(most int) (hash uint64, complete bool) {
	for v.short = true; v.short; {
		v.begin(most)
		world := stopTheWorld(stwForTestReadMetricsSlow)
		if !v.sealed {
			v.sealed = true
			rouseSealTiny()
		}
		v.findReal()
		v.addAll()
		startTheWorld(world)
	}
	return v.hash, v.left > 0
}

// begin begins a hash, with more room if the last one had too little.
func (v *RousePackageVariables) begin(most int) {
	if v.hash, v.left, v.short = 0, most, false; cap(v.found) == 0 {
		v.found, v.table = make([]uintptr, 0, 1<<9), make([]uint32, 1<<10)
	} else if len(v.found) == cap(v.found) {
		v.found, v.table = make([]uintptr, 0, 4*cap(v.found)), make([]uint32, 4*len(v.table))
	}
	v.found, v.opaque, v.reals = v.found[:0], 0, 0
	clear(v.table)
}

// rouseSealTiny makes small objects without pointers come into new blocks: those that there are do not change by them.
func rouseSealTiny() {
	for _, p := range allp {
		if c := p.mcache; c != nil {
			c.tiny, c.tinyoffset = 0, 0
		}
	}
}

// findReal finds the times at which timers outside fire. An execution sees how long after its beginning that is. Times
// for which real has no room count.
func (v *RousePackageVariables) findReal() {
	for _, pp := range allp {
		for i := range pp.timers.heap {
			if t := pp.timers.heap[i].timer; v.reals < len(v.real) && rouseBackground(t) && t.rouseDue == 0 {
				v.real[v.reals] = uintptr(unsafe.Pointer(&t.when))
				v.reals++
			}
		}
	}
}

func (v *RousePackageVariables) isReal(at uintptr) bool {
	for _, t := range v.real[:v.reals] {
		if t == at {
			return true
		}
	}
	return false
}

func (v *RousePackageVariables) addAll() {
	for _, e := range v.Named {
		v.addData(e)
	}
	for i := v.opaque; i < len(v.found) && v.left > 0 && !v.short; i++ {
		base := v.found[i]
		if e := v.unnamed(base); e != nil {
			v.addData(*e)
			continue
		}
		span := spanOfHeap(base)
		if span == nil {
			continue
		}
		end := base + span.elemsize
		if span.spanclass.noscan() {
			v.addWords(base, end)
			continue
		}
		pointers := span.typePointersOfUnchecked(base)
		pointers, next := pointers.next(end)
		v.add(base, end, func(at uintptr) bool {
			for next != 0 && next < at {
				pointers, next = pointers.next(end)
			}
			return next == at
		})
	}
}

// addData adds a part of a section of variables. What is not Go's is left out: with cgo there is more in such sections.
func (v *RousePackageVariables) addData(e RouseExtent) {
	for m := &firstmoduledata; m != nil; m = m.next {
		for _, s := range [...]struct {
			from, to uintptr
			mask     *bitvector
		}{{m.noptrdata, m.enoptrdata, nil}, {m.data, m.edata, &m.gcdatamask}, {m.bss, m.ebss, &m.gcbssmask}, {m.noptrbss, m.enoptrbss, nil}} {
			if s.from <= e.At && e.At < s.to && e.Size <= s.to-e.At {
				v.add(e.At, e.At+e.Size, func(at uintptr) bool {
					i := (at - s.from) / goarch.PtrSize
					return s.mask != nil && i < uintptr(s.mask.n) && s.mask.ptrbit(i) != 0
				})
				return
			}
		}
	}
}

// addWords adds what is from p to end, where there are whole words and no pointers.
func (v *RousePackageVariables) addWords(p, end uintptr) {
	n := min(int(end-p)/goarch.PtrSize, max(v.left, 0))
	for _, word := range unsafe.Slice((*uintptr)(unsafe.Pointer(p)), n) {
		v.hash = rouseMix(v.hash ^ uint64(word))
	}
	v.left -= n
}

// add adds what is from p to end. isPointer reports whether there is a pointer at an address; it is asked in ascending order.
func (v *RousePackageVariables) add(p, end uintptr, isPointer func(at uintptr) bool) {
	skip := 0 // words that say what a pool holds
	for ; p < end && v.left > 0; v.left-- {
		if p%goarch.PtrSize != 0 || end-p < goarch.PtrSize {
			v.hash = rouseMix(v.hash ^ uint64(*(*uint8)(unsafe.Pointer(p))))
			p++
			continue
		}
		word := *(*uintptr)(unsafe.Pointer(p))
		switch {
		case word == rouse.PoolMark && !v.whole: // within an execution, that shows
			skip, word = rouse.PoolWords-1, 0
		case skip > 0:
			skip--
			word = 0
		case isPointer(p):
			word = v.pointer(word)
		case v.isReal(p):
			word = 0
		}
		v.hash = rouseMix(v.hash ^ uint64(word))
		p += goarch.PtrSize
	}
}

// pointer is what a pointer counts as.
func (v *RousePackageVariables) pointer(to uintptr) uintptr {
	if span := spanOfHeap(to); span != nil && to < span.limit {
		base := rouseObjectAt(span, to)
		if span.elemsize >= unsafe.Sizeof(p{}) && rouseIsProcessor(base, span.elemsize) {
			return 0
		}
		return 1<<62 | uintptr(v.number(base))<<32 | (to - base)
	}
	if e := v.unnamed(to); e != nil {
		v.number(e.At)
	} else if v.whole && to != 0 && !rouseIsKnown(to) {
		v.left = 0
	}
	return to
}

// rouseIsProcessor reports whether an object of that size is a P. An armed timer points to one, and so much else can be
// reached from it: it is the runtime's, and changes all the time.
func rouseIsProcessor(base, size uintptr) bool {
	for _, pp := range allp {
		if uintptr(unsafe.Pointer(pp))-base < size { // an object of that size can begin with a header
			return true
		}
	}
	return false
}

// rouseIsKnown reports whether an address that is not of the heap is of the program's text or data, of a stack, or of the
// arguments, which the kernel puts above its first stack: what is elsewhere nobody knows.
func rouseIsKnown(p uintptr) bool {
	if p >= uintptr(unsafe.Pointer(argv)) {
		return true
	}
	for m := &firstmoduledata; m != nil; m = m.next {
		if m.text <= p && p < m.end || m.types <= p && p < m.etypes {
			return true
		}
	}
	s := spanOf(p)
	return s != nil && s.state.get() == mSpanManual
}

// unnamed returns the unnamed part that an address is in, nil if it is in none.
func (v *RousePackageVariables) unnamed(at uintptr) *RouseExtent {
	all := v.Unnamed
	for len(all) > 0 {
		e := &all[len(all)/2]
		switch {
		case at < e.At:
			all = all[:len(all)/2]
		case at-e.At >= e.Size:
			all = all[len(all)/2+1:]
		default:
			return e
		}
	}
	return nil
}

// number returns the number of an object, or of an unnamed part.
func (v *RousePackageVariables) number(base uintptr) uint32 {
	mask := len(v.table) - 1
	at := int(rouseMix(uint64(base))) & mask
	for v.table[at] != 0 && v.found[v.table[at]-1] != base {
		at = (at + 1) & mask
	}
	if v.table[at] == 0 {
		if v.short = len(v.found) == cap(v.found); v.short {
			return 0
		}
		v.found = append(v.found, base)
		v.table[at] = uint32(len(v.found))
	}
	return v.table[at]
}
