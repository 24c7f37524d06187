package runtime

import (
	"internal/runtime/atomic"
	_ "unsafe" // linkname
)

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
