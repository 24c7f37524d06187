//go:build unix

package runtime

import (
	"internal/runtime/atomic"
	"internal/stringslite"
	"unsafe"
)

// A task that signals its own process returns from that when the signal has been delivered: the handler has
// run, on whichever thread, and os/signal has sent it to the channels that are to be notified. Otherwise
// virtual time would overtake it.

// rouseSent counts the signals that handlers have been called for, by number.
var rouseSent [65]atomic.Uint32

// rouseReceiver is the goroutine of os/signal that receives signals.
var rouseReceiver uintptr

// rouseUndelivered bounds, in nanoseconds of real time, how long a task waits for a signal: all threads may
// block it.
const rouseUndelivered = 10e9

// rouseSignalled is called by the handler of signals.
//
//go:nosplit
func rouseSignalled(sig uint32) {
	if sig < uint32(len(rouseSent)) {
		rouseSent[sig].Add(1)
	}
}

// rouseReceives is called on the goroutine that receives signals.
func rouseReceives() { rouseReceiver = uintptr(unsafe.Pointer(getg())) }

// rouseSignalsSent returns how often handlers have been called for a signal, and whether there is one, and the
// caller is a task.
//
//go:linkname rouseSignalsSent syscall.rouseSignals
//go:nosplit
func rouseSignalsSent(sig uintptr) (n uint32, ok bool) {
	if sig == 0 || sig >= uintptr(len(rouseSent)) || sig >= uintptr(len(handlingSig)) {
		return 0, false
	}
	t := getg().rouse
	return rouseSent[sig].Load(), t != nil && t != &t.c.self && !t.c.hook && atomic.Load(&handlingSig[sig]) != 0
}

// rouseDelivered waits until a signal that the caller has sent has been delivered.
//
//go:linkname rouseDelivered syscall.rouseDelivered
func rouseDelivered(s uintptr, n uint32) {
	rouseWaitSignals(func() bool { return rouseSent[s].Load() != n })
}

// rouseWaitSignals waits until handlers have been called, and what they have sent has been received.
func rouseWaitSignals(called func() bool) {
	t := getg().rouse
	if t == nil || t == &t.c.self || t.c.hook {
		return
	}
	c := t.c
	t.sys++
	c.signals = t.id + 1
	for began := rouseNanotime(); rouseNanotime()-began < rouseUndelivered; {
		if called() && rouseReceived() {
			break
		}
		Gosched()
		usleep(1)
	}
	c.signals = 0
	t.sys--
}

// rouseSettleSignals waits until what has been sent, by other processes too, has been delivered.
//
//go:linkname rouseSettleSignals syscall.rouseSettle
func rouseSettleSignals() {
	if sig.inuse {
		rouseWaitSignals(rouseNothingPending)
	}
}

// rouseFromSignal returns which task has sent the signal that the current goroutine delivers, if it does and
// a task waits for that.
func (c *RouseGroup) rouseFromSignal() (by int32, ok bool) {
	me := getg().m.curg
	return c.signals - 1, c.signals != 0 && me != nil && uintptr(unsafe.Pointer(me)) == rouseReceiver
}

// rouseAlarms notes that a task has set the timer of the process that sends SIGALRM, in real time, once or
// again and again, or has stopped it.
//
//go:linkname rouseAlarms syscall.rouseAlarm
func rouseAlarms(on, again bool) {
	if t := getg().rouse; t != nil && t != &t.c.self {
		t.c.alarms = 0
		if on {
			t.c.alarms = rouseSent[_SIGALRM].Load() + 1
		}
		t.c.alarmAgain = again
	}
}

// alarmed reports whether SIGALRM is to come, or to be received.
func (c *RouseGroup) alarmed() bool {
	return c.alarms != 0 && (c.alarmAgain || c.alarms == rouseSent[_SIGALRM].Load()+1 || !rouseReceived())
}

// rouseReceived reports whether os/signal has received what handlers have sent.
func rouseReceived() bool {
	return sig.delivering.Load() == 0 && (!sig.inuse || sig.state.Load() == sigReceiving)
}

// rouseCallTime is the time for system calls of tasks.
//
//go:linkname rouseCallTime syscall.rouseTime
//go:nosplit
func rouseCallTime() (sec int64, nsec int32, ok bool) {
	t := getg().rouse
	if t == nil || t == &t.c.self || t.c.hook || t.c.bubble == nil {
		return 0, 0, false
	}
	c := t.c
	c.bubble.now++ // as rouseLook, which splits the stack
	c.looks++
	t.looks++
	return c.bubble.now / 1e9, int32(c.bubble.now % 1e9), true
}

// The state of the process, of which one task at a time reads what it is.
var (
	rouseStatusName = []byte("/proc/self/status\x00")
	rouseStatus     [4096]byte
)

// rouseNothingPending reports whether the kernel has no signal left that it is to deliver to some thread.
func rouseNothingPending() bool {
	if GOOS != "linux" {
		return true
	}
	fd := open(&rouseStatusName[0], 0, 0)
	if fd < 0 {
		return true
	}
	n := read(fd, unsafe.Pointer(&rouseStatus[0]), int32(len(rouseStatus)))
	closefd(fd)
	if n <= 0 {
		return true
	}
	const field = "ShdPnd:"
	text := unsafe.String(&rouseStatus[0], int(n))
	at := stringslite.Index(text, field)
	if at < 0 {
		return true
	}
	for _, digit := range text[at+len(field):] {
		if digit == '\n' {
			break
		}
		if '1' <= digit && digit <= '9' || 'a' <= digit && digit <= 'f' {
			return false
		}
	}
	return true
}
