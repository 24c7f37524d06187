package runtime

import (
	"internal/rouse"
	"internal/runtime/atomic"
	"internal/stringslite"
	"unsafe"
)

// rouseWorker is what the environment says (package wire) of a worker of stress test. It is read
// before the runtime draws anything random.
var rouseWorker struct {
	on       bool  // a worker that controls: with native, time and chance are real
	notes    bool  // any worker, which notes its inputs
	debugged bool  // it stops for a debugger
	start    int64 // when executions begin, nanoseconds since 1970

	looks int64 // how often package time has been asked outside of executions
	main  int64 // nanotime when main.main began
	last  int64 // the last answer
	draws uint64
}

// rouseGap is how long before its executions a worker has begun, as package time tells it.
const rouseGap = 10e9

// rouseReadSetup reads the environment where it lies, as the runtime has not copied it yet.
func rouseReadSetup() {
	const prefix = "ROUSE_WORKER="
	switch GOOS {
	case "darwin", "dragonfly", "freebsd", "linux", "netbsd", "openbsd":
	default:
		return
	}
	for i := argc + 1; argv_index(argv, i) != nil; i++ {
		p := argv_index(argv, i)
		s := unsafe.String(p, findnull(p))
		if !stringslite.HasPrefix(s, prefix) {
			continue
		}
		w := &rouseWorker
		w.on, w.notes = stringslite.Index(s, `"native":true`) < 0, true
		w.debugged = stringslite.Index(s, `"debug":"`) >= 0
		const start = `"start":`
		if at := stringslite.Index(s, start); at >= 0 {
			for at += len(start); at < len(s) && '0' <= s[at] && s[at] <= '9'; at++ {
				w.start = 10*w.start + int64(s[at]-'0')
			}
		}
		rouseMakeRoom()
		return
	}
}

// rouseStart is when executions begin.
func rouseStart() int64 {
	if rouseWorker.start != 0 {
		return rouseWorker.start
	}
	return 946684800000000000 // midnight UTC 2000-01-01
}

// rouseMain is called when main.main begins.
func rouseMain() { rouseWorker.main = rouseNanotime() }

// rouseOutside is the time outside of executions in a worker. While packages are initialised it
// does not depend on the machine: it moves by a nanosecond at each look. Then it follows the real
// clock, in whole seconds, and stops before executions begin, so that what began before an execution
// is earlier. While one runs it is the time of that.
func rouseOutside() int64 {
	if b := rouseBubbleNow(); b != nil {
		return b.now
	}
	w := &rouseWorker
	now := rouseStart() - rouseGap + atomic.Xaddint64(&w.looks, 1)
	if w.main != 0 {
		now += (rouseNanotime() - w.main) / 1e9 * 1e9
	}
	return min(now, rouseStart()-1)
}

// rouseNow is the group whose execution runs.
var rouseNow atomic.UnsafePointer // *RouseGroup

func rouseBubbleNow() *synctestBubble {
	if c := (*RouseGroup)(rouseNow.Load()); c != nil {
		return c.bubble
	}
	return nil
}

// rouseBegin is called on the root when an execution begins, rouseEnd when it has ended.
func rouseBegin(c *RouseGroup) {
	rouseBeginGC()
	rouseNow.StoreNoWB(unsafe.Pointer(c))
	rouseBeginTimers(c)
	rouseBeginSources()
	rouseHoldAll(c.bubble)
}

func rouseEnd(c *RouseGroup) {
	rouseNow.StoreNoWB(nil)
	rouseReleaseAll(c.bubble)
}

// rouseWorkerProcs is how many processors programs see.
const rouseWorkerProcs = 4

// rouseProcs is the number of processors, as programs see it, in a worker that controls its executions; 0
// elsewhere. It does not depend on the machine.
func rouseProcs() int {
	if rouseWorker.on {
		return rouseWorkerProcs
	}
	return 0
}

// rouseSetProcs is GOMAXPROCS in such a worker; ok is false elsewhere. It begins anew in each execution, and
// changes nothing but what it returns: tasks run one at a time.
func rouseSetProcs(n int) (was int, ok bool) {
	if !rouseWorker.on {
		return 0, false
	}
	procs := &rouseOutsideProcs
	if t := getg().rouse; t != nil {
		procs = &t.c.procs
		op := rouse.Load
		if n > 0 {
			op = rouse.RMW
		}
		rousePoint(op, uintptr(unsafe.Pointer(procs)))
	}
	was = *procs
	if n > 0 {
		*procs = n
	}
	return was, true
}

// rouseDefaultProcs is SetDefaultGOMAXPROCS likewise, and reports whether this is such a worker.
func rouseDefaultProcs() bool {
	_, ok := rouseSetProcs(rouseWorkerProcs)
	return ok
}

var rouseOutsideProcs = rouseWorkerProcs

// rouseSettings is the object of the points at which settings of the process are changed and read.
var rouseSettings byte

// rouseSets is called before a function that changes one and returns what it was.
func rouseSets() { rousePoint(rouse.RMW, uintptr(unsafe.Pointer(&rouseSettings))) }
