package runtime

import (
	"internal/goarch"
	"internal/runtime/atomic"
	"internal/stringslite"
	"unsafe"
)

// rouseRand draws from the stream of the execution, or of the process in a worker.
//
//go:nosplit
func rouseRand() (uint64, bool) {
	if b := getg().bubble; b != nil {
		if b.ctl != nil {
			return b.ctl.rand(), true
		}
		if b.within != nil {
			return b.within.rand(), true
		}
	}
	if rouseWorker.on {
		return rouseMix(atomic.Xadd64(&rouseWorker.draws, -0x61c8864680b583eb)), true
	}
	return 0, false
}

// rouseDrew notes that a task has drawn what it sees, unlike the seed of a map.
//
//go:linkname rouseDrew internal/rouse.Drew
//go:nosplit
func rouseDrew() {
	if t := getg().rouse; t != nil && t.quiet == 0 {
		t.c.draws++
	}
}

//go:linkname rouseDraw internal/rouse.Draw
func rouseDraw() uint64 {
	if t := getg().rouse; t != nil && t.quiet <= 1 { // the caller is quiet itself
		t.c.draws++
	}
	return rand()
}

// rouseIterates is called when an iteration of a map with so many entries begins.
func rouseIterates(entries uint64) {
	if entries > 1 {
		rouseDrew()
	}
}

// rouseDraws is called when rand has drawn; fp is its frame pointer. It also draws the seeds of maps, and for the
// runtime itself.
func rouseDraws(fp uintptr) {
	if t := getg().rouse; t == nil || t.quiet > 0 || fp == 0 {
		return
	}
	pc := *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize)) - 1
	f := findfunc(pc)
	if !f.valid() {
		return
	}
	u, frame := newInlineUnwinder(f, pc)
	if name := u.srcFunc(frame).name(); stringslite.HasPrefix(name, "math/rand.") || stringslite.HasPrefix(name, "math/rand/v2.") ||
		stringslite.HasPrefix(name, "hash/maphash.") {
		rouseDrew()
	}
}

// rousePoolNoted, in place of the task that has used a pool, means: what a task has got from it is a matter of chance,
// which has been noted.
const rousePoolNoted = -1

// rousePooled is called when the current task uses a sync.Pool, and has got what is in it or not. It might have got
// something else if another task uses the pool, too, and also if the pool had dropped what it has. The standard
// library keeps in its own what it clears before use.
//
//go:linkname rousePooled internal/rouse.Pooled
func rousePooled(by *int32, got bool) {
	t := getg().rouse
	if t == nil || t.quiet > 0 || *by == rousePoolNoted {
		return
	}
	if !got && (*by == 0 || *by == t.id+1) {
		*by = t.id + 1
		return
	}
	*by = rousePoolNoted
	name, _ := rouseOuter(func(name string) bool {
		return stringslite.HasPrefix(name, "sync.") || stringslite.HasPrefix(name, "internal/rouse.")
	})
	if !rouseIsStandard(name) {
		t.c.dumps++
	}
}

// rouseIsStandard reports whether a function is of a package of the standard library that has a sync.Pool, or of
// one below it.
func rouseIsStandard(name string) bool {
	for i := range len(name) {
		if name[i] == '/' || name[i] == '.' {
			switch name[:i] {
			case "archive", "compress", "crypto", "encoding", "fmt", "go", "internal", "io", "log", "math", "net", "os", "reflect", "regexp", "syscall", "testing", "text", "vendor":
				return true
			}
			return false
		}
	}
	return false
}

// Chance counts what tasks have drawn at random, and how often they have looked at the other goroutines, or got what is
// in a pool, in this execution.
func (c *RouseGroup) Chance() (draws, dumps int) { return c.draws, c.dumps }

// rouseMix is the output function of SplitMix64 (Steele, Lea and Flood, 2014).
//
//go:nosplit
func rouseMix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// rouseHashKey replaces what a process draws for its hash functions.
//
//go:linkname rouseHashKey internal/runtime/maps.rouseHashKey
func rouseHashKey(i int) uint64 {
	if rouseWorker.on {
		return rouseMix(uint64(i) + 1)
	}
	return bootstrapRand()
}

// rouseMapSeed seeds the hashes of a map. It is the same for all maps in a worker, so that what a
// map outside of executions holds does not depend on them.
//
//go:linkname rouseMapSeed internal/runtime/maps.rouseSeed
func rouseMapSeed() uint64 {
	if rouseWorker.on {
		return 0x5bd1e995
	}
	return rand()
}

//go:linkname rouseTrieSeed internal/sync.rouseSeed
func rouseTrieSeed() uint64 { return rouseMapSeed() }

//go:linkname rouseRead crypto/internal/sysrand.rouseRead
func rouseRead(b []byte) bool {
	for len(b) > 0 {
		x, ok := rouseRand()
		if !ok {
			return false
		}
		rouseDrew()
		for i := 0; i < 8 && len(b) > 0; i++ {
			b[0] = byte(x >> (8 * i))
			b = b[1:]
		}
	}
	return true
}

// rouseNames counts the names of temporary files that have been drawn, in an execution or outside.
var rouseNames struct {
	bubble uint64 // of the execution; 0 is outside
	n      uint64
}

// rouseName draws the name of a temporary file, from a stream of its own: how many it takes depends on
// what other processes, or executions that were given up, have left behind, and what the subject draws
// must not.
//
//go:linkname rouseName os.rouseRand
func rouseName() uint64 {
	if !rouseWorker.on {
		return rand()
	}
	var bubble, seed uint64
	if b := getg().bubble; b != nil {
		bubble = b.id
		if c := rouseGroup(getg()); c != nil {
			seed = c.seed
		}
	}
	if rouseNames.bubble != bubble {
		rouseNames.bubble = bubble
		atomic.Store64(&rouseNames.n, 0)
	}
	return rouseMix(seed ^ rouseMix(uint64(atomic.Xadd64(&rouseNames.n, 1))))
}
