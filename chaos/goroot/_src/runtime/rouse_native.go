package runtime

import (
	"internal/rouse"
	"internal/runtime/atomic"
)

// rouseNative is an execution whose goroutines run in parallel, with delays at the points of all.
var rouseNative struct {
	on    atomic.Bool
	seed  uint64
	draws atomic.Uint64
}

// Of how many points one yields, and one sleeps, at most for so many nanoseconds.
const (
	rouseYields   = 16
	rouseSleeps   = 256
	rouseLongest  = 200_000
	rouseSeedSalt = 0x9e3779b97f4a7c15
)

// RouseNative makes goroutines yield and sleep at points, as the seed says, until it is called with 0.
// What is drawn for a point depends on how many have been passed before, in the order of real time.
func RouseNative(seed uint64) {
	was := rouseNative.on.Load()
	rouseNative.seed = seed
	rouseNative.draws.Store(0)
	rouseNative.on.Store(seed != 0)
	switch {
	case !was && seed != 0:
		atomic.Xadd(&rouse.On, 1)
	case was && seed == 0:
		atomic.Xadd(&rouse.On, -1)
	}
}

// rouseDelay is a point of a goroutine that is no task.
//
//go:yeswritebarrierrec
func rouseDelay(gp *g) {
	mp := gp.m
	if gp != mp.curg || mp.locks|mp.mallocing != 0 || mp.preemptoff != "" || isSystemGoroutine(gp, false) {
		return
	}
	switch x := rouseMix(rouseNative.seed + rouseNative.draws.Add(1)*rouseSeedSalt); {
	case x%rouseYields == 0:
		Gosched()
	case x%rouseSleeps == 1:
		timeSleep(int64(x >> 32 % rouseLongest))
	}
}
