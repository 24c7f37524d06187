package runtime

import (
	"internal/abi"
	"internal/goarch"
	"internal/runtime/atomic"
	"unsafe"
)

// A RouseSource is something that control does not reach: if an execution differs from its
// repetition, it is where to look.
type RouseSource struct {
	What   string
	Count  int
	Stacks [][]uintptr // of the first ones, for CallersFrames
}

const (
	rouseIterations = iota // of maps of which the order depends on addresses
	rouseSyscalls
	rousePointless // system calls that are no points
	rouseCollections
	rouseBackgrounds // timers that goroutines outside wait for
	rouseIDs         // numbers of processes that are read
	rouseMappings    // of memory that others see
	rouseSourceKinds
)

var rouseSourceNames = [rouseSourceKinds]string{"map iteration by addresses", "system call", "system call without a point", "garbage collection", "timer of a goroutine outside", "process id", "shared mapping"}

// rouseSources is about the execution that has begun last.
var rouseSources [rouseSourceKinds]struct {
	count  atomic.Uint32
	stacks [4][24]uintptr
}

// RouseSources returns what the execution that has ended last did out of control.
func RouseSources() []RouseSource {
	var list []RouseSource
	for kind := range rouseSources {
		s := &rouseSources[kind]
		n := int(s.count.Load())
		if n == 0 {
			continue
		}
		source := RouseSource{What: rouseSourceNames[kind], Count: n}
		for i := range min(n, len(s.stacks)) {
			pcs := s.stacks[i][:]
			for len(pcs) > 0 && pcs[len(pcs)-1] == 0 {
				pcs = pcs[:len(pcs)-1]
			}
			if len(pcs) > 0 {
				source.Stacks = append(source.Stacks, append([]uintptr(nil), pcs...))
			}
		}
		list = append(list, source)
	}
	return list
}

// RouseCountSources calls add for each kind that the execution that has ended last did out of control.
func RouseCountSources(add func(what string, times int)) {
	for kind := range rouseSources {
		if n := int(rouseSources[kind].count.Load()); n > 0 {
			add(rouseSourceNames[kind], n)
		}
	}
}

func rouseBeginSources() {
	rouseLacking = ""
	for kind := range rouseSources {
		rouseSources[kind].count.Store(0)
	}
	if rouseMapped.Load() > 0 {
		rouseSources[rouseMappings].count.Store(1)
	}
}

// rouseEnters is called when a task enters a system call, or C. fp is the frame pointer of the function that
// does.
//
//go:nosplit
func rouseEnters(fp uintptr) {
	t := getg().rouse
	if t == nil || t.quiet > 0 {
		return
	}
	kind := rousePointless
	if t.call == rouseIsPoint {
		kind = rouseSyscalls
	}
	if t.call != rouseHarmless {
		rouseSource(kind, fp)
	}
	t.call = 0
}

// rouseSource notes that a task does something out of control. fp is the frame pointer of the
// function that does it, 0 where there are none.
//
//go:nosplit
func rouseSource(kind int, fp uintptr) {
	gp := getg()
	if gp.rouse == nil || gp.bubble == nil {
		return
	}
	s := &rouseSources[kind]
	n := int(s.count.Add(1)) - 1
	if n >= len(s.stacks) {
		return
	}
	pcs := &s.stacks[n]
	for i := range pcs {
		pcs[i] = 0
		if fp != 0 {
			pcs[i] = *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
			fp = *(*uintptr)(unsafe.Pointer(fp))
		}
	}
}

// rouseReadsID notes that a task reads the number of its process, or of the one that has started that: no two
// processes have the same.
//
//go:linkname rouseReadsID os.rouseReadsID
func rouseReadsID() {
	if t := rouseCaller(); t != nil && t.quiet == 0 {
		rouseSource(rouseIDs, getfp())
	}
}

// rouseMapped counts how often memory that others see has been mapped outside of executions, which stays for all of
// them, but not by the driver.
var rouseMapped atomic.Int32

// RouseMaps is called when the driver is about to map such memory.
func RouseMaps() { rouseMapped.Add(-1) }

// rouseForeign: memory has been mapped, in which nobody knows what there is.
var rouseForeign atomic.Bool

// rouseMap notes that memory is mapped, perhaps for others to see.
//
//go:linkname rouseMap syscall.rouseMap
func rouseMap(shared bool) {
	t := rouseCaller()
	if t != nil || !shared {
		rouseForeign.Store(true)
	}
	if !shared {
		return
	}
	if t == nil {
		rouseMapped.Add(1)
	} else if t.quiet == 0 {
		rouseSource(rouseMappings, getfp())
	}
}

// rouseIteration notes the iteration of a map that has grown beyond its first group, if the
// addresses of objects decide on its order.
func rouseIteration(key *abi.Type, fp uintptr) {
	if rouseByAddress(key) {
		rouseSource(rouseIterations, fp)
	}
}

// rouseByAddress reports whether the hash of a value may depend on an address. That of an interface
// depends on what it holds; a uintptr may be an address.
func rouseByAddress(t *abi.Type) bool {
	switch t.Kind() {
	case abi.Pointer, abi.UnsafePointer, abi.Uintptr, abi.Chan, abi.Interface:
		return true
	case abi.Array:
		return rouseByAddress((*abi.ArrayType)(unsafe.Pointer(t)).Elem)
	case abi.Struct:
		for _, f := range (*abi.StructType)(unsafe.Pointer(t)).Fields {
			if rouseByAddress(f.Typ) {
				return true
			}
		}
	}
	return false
}

// rouseLacking is what the execution that has begun last has asked for first and cannot have; "" is nothing.
var (
	rouseLacking      string
	rouseLackingStack [24]uintptr
)

// RouseLack returns what the execution that has ended last has asked for and could not have, and the program
// counters of the call, up to the first 0.
func RouseLack() (what string, pcs []uintptr) { return rouseLacking, rouseLackingStack[:] }

// rouseLack notes that a task has asked for what an execution cannot have. What the standard library does in a
// quiet region is not the task's.
func rouseLack(what string) {
	if t := getg().rouse; t != nil && t != &t.c.self && !t.c.hook && t.quiet == 0 && rouseLacking == "" {
		rouseLacking = what
		clear(rouseLackingStack[:])
		callers(1, rouseLackingStack[:])
	}
}

//go:linkname rouseLackOfTesting testing.rouseLack
func rouseLackOfTesting(what string) { rouseLack(what) }
