package runtime

import (
	"internal/rouse"
	"internal/runtime/atomic"
	"internal/runtime/sys"
	"unsafe"
)

// rouseNative is an execution whose goroutines run in parallel, with delays at the points of all.
var rouseNative struct {
	on   atomic.Bool
	seed atomic.Uint64
}

// A rouseStream is what a goroutine draws its delays from. It is named by the seed and the path of the
// goroutine, its parent's path and which of the parent's children it is, so that what one draws does
// not depend on when others run.
type rouseStream struct {
	seed, path, draws, kids uint64
}

// Of how many points one yields, one computes for some microseconds, and one sleeps: for up to a
// quarter of a millisecond, each power of two below as often as any other.
const (
	rouseYields    = 16
	rouseSpins     = 32
	rouseSleeps    = 256
	rouseSpinsMost = 1 << 9
	rouseSleepBits = 18
)

const rouseGolden = 0x9e3779b97f4a7c15 // 2^64 by the golden ratio

// RouseNative makes goroutines yield, compute and sleep at points, as the seed says, until it is called
// with 0. The caller is the ancestor of the goroutines of the execution.
func RouseNative(seed uint64) {
	was := rouseNative.on.Load()
	rouseNative.seed.Store(seed)
	rouseNative.on.Store(seed != 0)
	getg().rouseStream = rouseStream{seed: seed}
	switch {
	case !was && seed != 0:
		atomic.Xadd(&rouse.On, 1)
	case was && seed == 0:
		atomic.Xadd(&rouse.On, -1)
	}
}

// rouseInherit names the stream of a new goroutine.
func rouseInherit(newg, parent *g) {
	if !rouseNative.on.Load() {
		return
	}
	from := &parent.rouseStream
	from.kids++
	newg.rouseStream = rouseStream{seed: rouseNative.seed.Load(), path: rouseMix(from.path + from.kids*rouseGolden)}
}

// rouseAside starts f on a goroutine that stacks show as one that the starter of the caller has started.
//
//go:linkname rouseAside testing.rouseAside
func rouseAside(f func()) {
	gp := getg()
	pc := sys.GetCallerPC()
	systemstack(func() {
		fv := *(**funcval)(unsafe.Pointer(&f))
		newg := newproc1(fv, gp, pc, false, waitReasonZero)
		newg.rouseStartedBy(gp)
		runqput(getg().m.p.ptr(), newg, true)
		wakep()
	})
}

// rouseStartedBy makes stacks show gp as one that the starter of caller has started: go test has no goroutine
// between.
func (gp *g) rouseStartedBy(caller *g) { gp.gopc, gp.parentGoid = caller.gopc, caller.parentGoid }

// draw returns the next number of a stream, which begins anew in each execution.
//
//go:nosplit
func (s *rouseStream) draw() uint64 {
	if seed := rouseNative.seed.Load(); s.seed != seed {
		*s = rouseStream{seed: seed, path: s.path} // a goroutine that is older than the execution
	}
	s.draws++
	return rouseMix(rouseMix(s.seed+s.path) + s.draws*rouseGolden)
}

// rouseDelay is a point of a goroutine that is no task.
//
//go:yeswritebarrierrec
func rouseDelay(gp *g) {
	mp := gp.m
	if gp != mp.curg || mp.locks|mp.mallocing != 0 || mp.preemptoff != "" || isSystemGoroutine(gp, false) {
		return
	}
	x := gp.rouseStream.draw()
	switch more := x >> 32; {
	case x%rouseYields == 0:
		Gosched()
	case x%rouseSpins == 1:
		for range more % rouseSpinsMost {
			procyield(10)
		}
	case x%rouseSleeps == 2 && gp.bubble == nil: // in a bubble of testing/synctest a sleep is a long time
		timeSleep(1 + int64(more&(1<<(x>>8%(rouseSleepBits+1))-1)))
	}
}
