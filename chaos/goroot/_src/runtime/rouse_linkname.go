package runtime

import _ "unsafe" // linkname

// Functions that many packages reach by their link names. The runtime itself calls the functions that had these names
// before, which begin with rouse now; its files have the directives that allow the old names. For a task, and for
// everybody in a worker, these return the time of package time, and draw from the seed.

// rouseLinkedNow returns the time of the caller, if that is not the real one.
func rouseLinkedNow() (now int64, ok bool) {
	if b := getg().bubble; b != nil {
		if b.within != nil {
			b = b.within.bubble
		}
		if b != nil && b.ctl != nil {
			return rouseLook(b), true
		}
	}
	if rouseWorker.on {
		return rouseOutside(), true
	}
	return 0, false
}

func nanotime() int64 {
	if now, ok := rouseLinkedNow(); ok {
		return now
	}
	return rouseNanotime()
}

//go:linkname rouseLinkedTimeNow time.now
func rouseLinkedTimeNow() (sec int64, nsec int32, mono int64) {
	if now, ok := rouseLinkedNow(); ok {
		return now / 1e9, int32(now % 1e9), now
	}
	return time_now()
}

func cputicks() int64 {
	if now, ok := rouseLinkedNow(); ok {
		return now
	}
	return rouseCputicks()
}

//go:linkname rouseNanotime
//go:linkname rouseCputicks

//go:nosplit
func cheaprand() uint32 {
	if x, ok := rouseRand(); ok {
		rouseDrew()
		return uint32(x >> 32)
	}
	return rouseCheaprand()
}

//go:nosplit
func cheaprand64() int64 {
	return int64(cheaprand())<<31 ^ int64(cheaprand())
}

//go:nosplit
func cheaprandn(n uint32) uint32 {
	return uint32((uint64(cheaprand()) * uint64(n)) >> 32)
}

// procPin returns a processor of those that rouseProcs counts. A task always gets the same.
//
//go:nosplit
func procPin() int {
	p := rouseProcPin()
	if t := getg().rouse; t != nil {
		p = int(uint32(t.id) % rouseWorkerProcs)
	}
	return p
}
