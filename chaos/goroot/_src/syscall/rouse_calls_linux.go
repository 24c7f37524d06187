package syscall

import "unsafe"

// Functions of the runtime, for tasks. rouseTime returns the virtual time; rouseSignals how often the
// process has been sent a signal, and whether it has a handler; and rouseDelivered waits until a further
// one has been delivered.
//
//go:linkname rouseTime
func rouseTime() (sec int64, nsec int32, ok bool)

//go:linkname rouseLack testing.rouseLack
func rouseLack(what string)

//go:linkname rouseMap
func rouseMap(shared bool)

//go:linkname rouseSignals
func rouseSignals(sig uintptr) (n uint32, ok bool)

//go:linkname rouseDelivered
func rouseDelivered(sig uintptr, n uint32)

// rouseSettle waits until all signals that have been sent to the process have been delivered.
//
//go:linkname rouseSettle
func rouseSettle()

//go:linkname rouseAlarm
func rouseAlarm(on, again bool)

// rousePid is the number of the process, also in a child process until that runs another program.
var rousePid = uintptr(Getpid())

// rouseGroup is the number of its process group.
var rouseGroup, _, _ = RawSyscall6(SYS_GETPGID, 0, 0, 0, 0, 0, 0)

// rouseKept are files that tests do not close: those by which the process speaks with stress test, and those
// of the runtime's poller.
var rouseKept []int

// RouseKeep keeps files, in ascending order, from being closed while a group runs.
func RouseKeep(files ...int) { rouseKept = files }

// rouseKeeps reports whether a file is one of them.
//
//go:nosplit
//go:norace
func rouseKeeps(file uintptr) bool {
	for _, kept := range rouseKept {
		if file == uintptr(kept) {
			return true
		}
	}
	return false
}

// rouseOwn reports whether a system call of a task is one of rouseCall.
//
//go:nosplit
func rouseOwn(trap, a1 uintptr) bool {
	switch trap {
	case SYS_CLOCK_GETTIME, SYS_GETTIMEOFDAY, SYS_GETRUSAGE, SYS_TIMES, SYS_SYSINFO, SYS_SETITIMER, SYS_TKILL, SYS_NANOSLEEP, rouseSysAlarm:
		return true
	case SYS_KILL, SYS_TGKILL, SYS_RT_SIGQUEUEINFO:
		return a1 == rousePid || a1 == 0 || trap == SYS_KILL && -a1 == rouseGroup
	case SYS_CLOSE:
		return rouseKeeps(a1)
	case rouseCloseRange:
		return true
	}
	return false
}

// rouseCall is a system call that asks for the time, signals a process, or closes a file that is kept.
//
//go:uintptrkeepalive
//go:nosplit
//go:norace
func rouseCall(trap, a1, a2, a3 uintptr) (r1, r2 uintptr, err Errno) {
	const cpuTime, threadTime = 2, 3 // CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID
	switch trap {
	case SYS_CLOCK_GETTIME:
		if a1 == cpuTime || a1 == threadTime {
			break
		}
		if sec, nsec, ok := rouseTime(); ok && a2 != 0 {
			ts := (*Timespec)(*(*unsafe.Pointer)(unsafe.Pointer(&a2)))
			ts.Sec, ts.Nsec = sec, int64(nsec)
			return 0, 0, 0
		}
	case SYS_GETTIMEOFDAY:
		if sec, nsec, ok := rouseTime(); ok && a1 != 0 {
			tv := (*Timeval)(*(*unsafe.Pointer)(unsafe.Pointer(&a1)))
			tv.Sec, tv.Usec = sec, int64(nsec/1000)
			return 0, 0, 0
		}
	case SYS_CLOSE:
		return ^uintptr(0), 0, EBADF
	case rouseCloseRange:
		for _, file := range rouseKept {
			if kept := uintptr(file); a1 <= kept && kept <= a2 && err == 0 {
				if a1 < kept {
					_, _, err = RawSyscall6(trap, a1, kept-1, a3, 0, 0, 0)
				}
				a1 = kept + 1
			}
		}
		if err != 0 {
			return ^uintptr(0), 0, err
		}
		if a1 > a2 {
			return 0, 0, 0
		}
	case SYS_KILL, SYS_RT_SIGQUEUEINFO:
		return rouseSignal(trap, a1, a2, a3, a2)
	case SYS_TGKILL:
		return rouseSignal(trap, a1, a2, a3, a3)
	case SYS_TKILL:
		if _, _, other := RawSyscall6(SYS_TGKILL, rousePid, a1, 0, 0, 0, 0); other == 0 { // no other process's thread
			return rouseSignal(trap, a1, a2, a3, a2)
		}
	case rouseSysAlarm:
		r1, r2, err = RawSyscall6(trap, a1, a2, a3, 0, 0, 0)
		rouseAlarm(a1 != 0, false)
		return r1, r2, err
	case SYS_SETITIMER:
		if r1, r2, err = RawSyscall6(trap, a1, a2, a3, 0, 0, 0); a1 == 0 && a2 != 0 && err == 0 {
			t := (*[2]Timeval)(*(*unsafe.Pointer)(unsafe.Pointer(&a2))) // the interval, and the time to the first signal
			rouseAlarm(t[1] != Timeval{}, t[0] != Timeval{})
		}
		return r1, r2, err
	}
	r1, r2, err = RawSyscall6(trap, a1, a2, a3, 0, 0, 0)
	switch trap {
	case SYS_CLOCK_GETTIME, SYS_GETRUSAGE, SYS_TIMES, SYS_SYSINFO:
		rouseLack("a system call reports times of the whole process, which are real")
	case SYS_NANOSLEEP:
		rouseLack(rouseWaited)
	}
	return r1, r2, err
}

const rouseWaited = "a system call has waited in real time"

const (
	rousePidfdSendSignal = 424
	rouseCloseRange      = 436
)

// rousePidfdSent is how often handlers had been called for the signal of the task's last pidfd_send_signal, and
// rousePidfdHandled whether there was one.
var (
	rousePidfdSent    uint32
	rousePidfdHandled bool
)

// rouseIsOwn reports whether a descriptor of a process is of this one.
func rouseIsOwn(pidfd uintptr) bool {
	fd, ok := rouseOpen("/proc/self/fdinfo/", pidfd, O_RDONLY)
	if !ok {
		return false
	}
	var text [256]byte
	n, _, _ := RawSyscall6(SYS_READ, fd, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), 0, 0, 0)
	RawSyscall6(SYS_CLOSE, fd, 0, 0, 0, 0, 0)
	const field = "\nPid:\t"
	var pid uintptr
	for i := 0; i+len(field) < int(n) && n <= uintptr(len(text)); i++ {
		if string(text[i:i+len(field)]) == field {
			for _, digit := range text[i+len(field) : n] {
				if digit < '0' || '9' < digit {
					break
				}
				pid = 10*pid + uintptr(digit-'0')
			}
		}
	}
	return pid == rousePid
}

// rouseDone6 is called when a system call of more than three arguments has been made while a group runs, and always
// for mmap.
//
//go:norace
func rouseDone6(trap, a1, a2, a4 uintptr) {
	switch trap {
	case SYS_MMAP:
		rouseMap(a4&MAP_SHARED != 0)
	case rousePidfdSendSignal: // to this process, or another
		if rousePidfdHandled && rouseIsOwn(a1) {
			rouseDelivered(a2, rousePidfdSent)
		}
		rouseSettle()
	case SYS_CLOCK_NANOSLEEP, SYS_PSELECT6, rouseSysSelect:
		rouseLack(rouseWaited)
	case SYS_TIMER_SETTIME, SYS_TIMERFD_SETTIME:
		rouseLack("a timer of the kernel's is due in real time")
	}
}

// rouseSignal sends a signal to the own process and, if the process handles that, returns when it has been
// delivered: package os/signal has sent it to the channels.
//
//go:uintptrkeepalive
//go:nosplit
//go:norace
func rouseSignal(trap, a1, a2, a3, sig uintptr) (r1, r2 uintptr, err Errno) {
	point := rouseBefore(trap, a1, a2, a3)
	n, wait := rouseSignals(sig)
	r1, r2, err = RawSyscall6(trap, a1, a2, a3, 0, 0, 0)
	if wait && err == 0 {
		rouseDelivered(sig, n)
	}
	if point {
		rouseAfter(err)
	}
	return r1, r2, err
}
