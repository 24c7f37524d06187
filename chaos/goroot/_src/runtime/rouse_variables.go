package runtime

import (
	"internal/goarch"
	"internal/rouse"
	"unsafe"
)

// rouseMostVariables bounds the words that count, of variables and of what they lead to.
const rouseMostVariables = 1 << 18

// RousePackageVariables are variables of this program: see package wire.
type RousePackageVariables struct {
	Named, Unnamed []RouseExtent
}

// A RouseExtent is a part of memory, in bytes.
type RouseExtent struct{ At, Size uintptr }

// rouseVariables is a hash of variables in the making.
type rouseVariables struct {
	*RousePackageVariables
	hash  uint64
	words uintptr
	found []uintptr // objects and unnamed parts, in the order in which they were found
	table []uint32  // for each of them one more than its index, by hash; at most half full. A map would draw a seed
}

// Hash returns a hash of what the variables hold, and of all that they lead to. As with [RouseGroup.State], an object counts
// by the order in which it is found. complete is false if there is more than is looked at. Goroutines that run meanwhile
// may change what is read.
func (r *RousePackageVariables) Hash() (hash uint64, complete bool) {
	v := rouseVariables{RousePackageVariables: r, table: make([]uint32, 64)}
	for _, e := range r.Named {
		if !rouseIsData(e.At, e.Size) {
			return 0, false
		}
		v.add(e.At, e.Size)
	}
	for i := 0; i < len(v.found); i++ {
		base := v.found[i]
		if e := v.unnamed(base); e != nil {
			v.add(e.At, e.Size)
		} else if span := spanOfHeap(base); span != nil && span.spanclass != tinySpanClass { // in which others have a part
			v.add(base, span.elemsize)
		}
	}
	return v.hash, v.words < rouseMostVariables
}

// unnamed returns the unnamed part that an address is in, nil if it is in none.
func (v *rouseVariables) unnamed(at uintptr) *RouseExtent {
	all := v.Unnamed
	for len(all) > 0 {
		e := &all[len(all)/2]
		switch {
		case at < e.At:
			all = all[:len(all)/2]
		case at-e.At >= e.Size:
			all = all[len(all)/2+1:]
		case rouseIsData(e.At, e.Size):
			return e
		default:
			return nil
		}
	}
	return nil
}

// rouseIsData reports whether all of a variable is where the variables of this program are.
func rouseIsData(at, size uintptr) bool {
	for m := &firstmoduledata; m != nil; m = m.next {
		for _, section := range [][2]uintptr{{m.noptrdata, m.enoptrdata}, {m.data, m.edata}, {m.bss, m.ebss}, {m.noptrbss, m.enoptrbss}} {
			if section[0] <= at && at <= section[1] && size <= section[1]-at {
				return true
			}
		}
	}
	return false
}

// add adds what is at p, of that size in bytes.
func (v *rouseVariables) add(p, size uintptr) {
	skip := 0 // words that are the same in each execution
	for end := p + size; p < end && v.words < rouseMostVariables; v.words++ {
		var word uintptr
		if p%goarch.PtrSize == 0 && end-p >= goarch.PtrSize {
			word = *(*uintptr)(unsafe.Pointer(p))
			p += goarch.PtrSize
			if skip > 0 || word == rouse.PoolMark {
				if skip--; word == rouse.PoolMark {
					skip = rouse.PoolWords - 1
				}
				word = 0
			}
		} else {
			word = uintptr(*(*uint8)(unsafe.Pointer(p)))
			p++
		}
		v.hash = rouseMix(v.hash ^ v.value(word))
	}
}

// value is what a word counts as.
func (v *rouseVariables) value(word uintptr) uint64 {
	span := spanOfHeap(word)
	if span == nil || word >= span.limit {
		if e := v.unnamed(word); e != nil {
			v.number(e.At)
		}
		return uint64(word)
	}
	base := span.base() + (word-span.base())/span.elemsize*span.elemsize
	value := 1<<62 | uint64(v.number(base))<<32 | uint64(word-base)
	if span.spanclass == tinySpanClass {
		value = rouseMix(value) ^ uint64(*(*uint8)(unsafe.Pointer(word)))
	}
	return value
}

// number returns the number of an object, or of an unnamed part.
func (v *rouseVariables) number(base uintptr) uint32 {
	at := v.place(base)
	if v.table[at] == 0 {
		if 2*len(v.found) >= len(v.table) {
			v.table = make([]uint32, 2*len(v.table))
			for i, known := range v.found {
				v.table[v.place(known)] = uint32(i) + 1
			}
			at = v.place(base)
		}
		v.found = append(v.found, base)
		v.table[at] = uint32(len(v.found))
	}
	return v.table[at]
}

// place returns the index of an object in the table, or that of the free entry that it would get.
func (v *rouseVariables) place(base uintptr) int {
	mask := len(v.table) - 1
	at := int(rouseMix(uint64(base))) & mask
	for v.table[at] != 0 && v.found[v.table[at]-1] != base {
		at = (at + 1) & mask
	}
	return at
}
