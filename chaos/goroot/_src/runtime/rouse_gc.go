package runtime

import (
	"internal/rouse"
	"internal/runtime/atomic"
	"internal/stringslite"
)

// The garbage collector does not run inside an execution: when it runs shows, in caches of weak
// pointers, in finalizers, and in addresses that are used again. It runs before an execution, when
// there is something to collect, and before each one once a task has made a weak pointer.

const (
	rouseGCEvery = 64 << 20  // bytes allocated since the last collection
	rouseGCLimit = 256 << 20 // and those with which it runs inside an execution after all

	// rouseStackSize is with how much stack goroutines begin: the engine is called on it, and for the
	// stack of each to grow took a seventh of a short execution.
	rouseStackSize = 8 << 10
)

var rouseGC struct {
	hold  bool
	base  uint64      // heapLive after the last collection
	weak  atomic.Bool // a task has made a weak pointer
	limit uint64

	// collectable: when the collector runs shows later than in this execution, as initialisation or TestMain has made a weak
	// pointer, a finalizer or a cleanup.
	collectable bool
}

// rouseHoldGC reports whether the collector is not to start by itself.
func rouseHoldGC(kind gcTriggerKind) bool {
	if !rouseGC.hold || kind == gcTriggerCycle {
		return false
	}
	if gcController.heapLive.Load() < rouseGC.limit {
		return true
	}
	rouseSources[rouseCollections].count.Store(1)
	return false
}

// rouseBeginGC collects before an execution if that is needed. It is called on the root.
func rouseBeginGC() {
	live := gcController.heapLive.Load()
	if rouseGC.hold && gcphase == _GCoff && live < rouseGC.base+rouseGCEvery && !rouseGC.weak.Load() {
		return
	}
	GC()
	rouseFinalize()
	live = gcController.heapLive.Load()
	rouseGC.base, rouseGC.limit, rouseGC.hold = live, live+rouseGCLimit, true
	startingStackSize = max(startingStackSize, rouseStackSize) // which the collector has computed
}

// rouseFinalize waits, for a second at most, until finalizers and cleanups have run.
func rouseFinalize() {
	const second = 1e9
	if fing != nil {
		blockUntilEmptyFinalizerQueue(second)
	}
	gcCleanups.blockUntilEmpty(second)
}

// rouseCollecting is called when a call of GC begins. What only the engine refers to is collected, too.
func rouseCollecting() {
	if t := getg().rouse; t != nil && t != &t.c.self {
		rouseSource(rouseCollections, getfp()) // it shows in weak pointers, finalizers and cleanups, which are no operations
		clear(t.c.channels[:cap(t.c.channels)])
		t.collect(false)
		t.sys++ // the runtime waits, not the task
	}
}

// rouseCollected is called when a call of GC has collected. Finalizers run outside of the execution,
// and the task goes on when they have run.
func rouseCollected() {
	if t := getg().rouse; t != nil && t != &t.c.self {
		rouse.Collections++
		rouseFinalize() // meanwhile the execution may end
		t.sys--
		t.collect(true)
	}
}

// collect tells the engine that a call of GC begins, or is done.
func (t *rouseTask) collect(done bool) {
	if gp := getg(); gp.rouse == t && rouseCan(gp, t) {
		was := t.c.enter(gp)
		t.c.s.Collect(done)
		t.c.leave(gp, was)
	}
}

// rouseWeak is called when a weak pointer is made.
func rouseWeak() {
	if t := getg().rouse; t != nil && t != &t.c.self && t.quiet == 0 && !t.c.hook {
		rouseGC.weak.Store(true)
	}
	rouseCollectable()
}

// rouseCollectable is called when a weak pointer, a finalizer or a cleanup is made. Those of the standard library close files,
// or empty caches.
func rouseCollectable() {
	var pcs [6]uintptr
	for _, pc := range pcs[:callers(1, pcs[:])] {
		name := funcname(findfunc(pc))
		if stringslite.HasPrefix(name, "runtime.") || stringslite.HasPrefix(name, "weak.") {
			continue
		}
		for _, of := range [...]string{"os.", "net.", "unique.", "crypto/", "internal/"} {
			if stringslite.HasPrefix(name, of) {
				return
			}
		}
		break
	}
	if t := getg().rouse; t != nil {
		t.c.collectable = true
	} else {
		rouseGC.collectable = true
	}
}
