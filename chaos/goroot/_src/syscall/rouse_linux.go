package syscall

import (
	"internal/rouse"
	"unsafe"
)

// System calls are points: before and after each, but for those that concern the process alone. See the
// runtime.

//go:linkname rouseSystem
func rouseSystem(op uint8, trap uintptr) bool

//go:linkname rouseSystemDone
func rouseSystemDone(failed, interrupted bool)

//go:linkname rouseConcernsProcess
func rouseConcernsProcess()

//go:linkname rouseAwaitFile
func rouseAwaitFile(trap, a1, a2, a3 uintptr)

// rouseBefore is called before a system call, while a group runs, and reports whether it was a point.
//
//go:uintptrkeepalive
//go:nosplit
//go:norace
func rouseBefore(trap, a1, a2, a3 uintptr) bool {
	op := rouseOperation(trap, a1, a2, a3)
	if op == rouse.Begin {
		rouseConcernsProcess()
		return false
	}
	if op == rouseUnknown || !rouseSystem(op, trap) {
		return false
	}
	switch {
	case trap == SYS_FLOCK && a2&LOCK_NB == 0:
		a2 |= LOCK_NB
	case trap == SYS_FCNTL && a2 == rouseOFDSetLockWait:
		a2 = rouseOFDSetLock
	case trap == rousePidfdSendSignal:
		rousePidfdSent, rousePidfdHandled = rouseSignals(a2)
		return true
	case trap == SYS_BIND || trap == SYS_LISTEN:
		rouseNames(trap, a1, a2, a3)
		return true
	default:
		return true
	}
	// Another task may have the lock: the system call would keep the turn for ever.
	for !rouseTakes(trap, a1, a2, a3) {
		rouseAwaitFile(trap, a1, a2, a3)
	}
	return true
}

// rouseTakes makes a system call that takes the lock of a file if that is free, and reports whether it was.
//
//go:linkname rouseTakes
//go:uintptrkeepalive
//go:nosplit
//go:norace
func rouseTakes(trap, a1, a2, a3 uintptr) bool {
	_, _, err := RawSyscall6(trap, a1, a2, a3, 0, 0, 0)
	return err != EAGAIN
}

// rouseTransfers reports whether a descriptor can be read, or written, at once.
//
//go:linkname rouseTransfers
func rouseTransfers(fd uintptr, write bool) bool {
	const in, out, closed = 0x1, 0x4, 0x2000 // POLLIN, POLLOUT, POLLRDHUP
	p := struct {
		fd              int32
		events, revents int16
	}{fd: int32(fd), events: in | closed}
	if write {
		p.events = out
	}
	var now Timespec
	n, _, _ := RawSyscall6(SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(&now)), 0, 0, 0)
	return n != 0
}

// rousePiped returns how much there is in a pipe, and whether there is no room for more.
//
//go:linkname rousePiped
func rousePiped(fd uintptr) (n uintptr, full bool) {
	const available = 0x541b // FIONREAD
	var read int32
	if _, _, err := RawSyscall6(SYS_IOCTL, fd, available, uintptr(unsafe.Pointer(&read)), 0, 0, 0); err != 0 || read == 0 {
		return 0, false
	}
	end, ok := rouseOpen("/proc/self/fd/", fd, O_WRONLY|O_NONBLOCK)
	if !ok { // no pipe
		return 0, false
	}
	full = !rouseTransfers(end, true)
	RawSyscall6(SYS_CLOSE, end, 0, 0, 0, 0, 0)
	return uintptr(read), full
}

// rouseOpen opens the file of a folder that a number names.
func rouseOpen(folder string, number, flags uintptr) (fd uintptr, ok bool) {
	var name [64]byte // ends with a zero
	first := len(name) - 1
	for {
		first--
		name[first] = '0' + byte(number%10)
		if number /= 10; number == 0 {
			break
		}
	}
	first -= copy(name[first-len(folder):], folder)
	const atWorkingDirectory = -100 // AT_FDCWD
	from := atWorkingDirectory
	fd, _, err := RawSyscall6(SYS_OPENAT, uintptr(from), uintptr(unsafe.Pointer(&name[first])), flags|O_CLOEXEC, 0, 0, 0)
	return fd, err == 0
}

// rouseAfter is called after a system call that was a point. One that failed in these ways has only read.
//
//go:nosplit
//go:norace
func rouseAfter(err Errno) {
	switch err {
	case EADDRINUSE:
		rouseTaken()
	case ENOSPC, EDQUOT, ENFILE:
		rouseLack("a system call found the machine's space or files used up")
	}
	rouseSystemDone(err == ENOENT || err == EEXIST || err == EAGAIN || err == EBADF || err == ENOTDIR || err == EISDIR || err == ENOTEMPTY, err == EINTR)
}

// rouseUmask sets the umask of the process, for a task.
func rouseUmask(mask int) (old int, ok bool) {
	if rouse.On == 0 || !rouseBefore(SYS_UMASK, uintptr(mask), 0, 0) {
		return 0, false
	}
	r, _, _ := RawSyscall6(SYS_UMASK, uintptr(mask), 0, 0, 0, 0, 0)
	rouseAfter(0)
	return int(r), true
}

// rouseLimits is called before a limit of the process is read, or set, and reports whether that is a point.
func rouseLimits(set bool) bool {
	var limit uintptr
	if set {
		limit = 1
	}
	return rouse.On != 0 && rouseBefore(SYS_PRLIMIT64, 0, 0, limit)
}

// rouseUnknown is no operation of the engine.
const rouseUnknown uint8 = 255

// Commands of fcntl.
const (
	rouseOFDSetLock     = 37
	rouseOFDSetLockWait = 38
)

// rouseOperation returns what a system call does to the world outside: SyscallRead if those that do only that
// commute, or else Syscall; Begin is nothing, and rouseUnknown a wait in real time that may have to be repeated.
// What a process writes to its standard output and error its tests
// do not read, unless others are put in their place.
//
//go:nosplit
//go:norace
func rouseOperation(trap, a1, a2, a3 uintptr) uint8 {
	switch trap {
	case SYS_GETPID, SYS_GETPPID, SYS_GETTID, SYS_GETUID, SYS_GETEUID, SYS_GETGID, SYS_GETEGID, SYS_GETGROUPS, SYS_GETPGID,
		SYS_GETSID, SYS_GETRUSAGE, SYS_UNAME, SYS_SYSINFO, SYS_TIMES,
		SYS_GETTIMEOFDAY, SYS_CLOCK_GETTIME, SYS_CLOCK_GETRES, SYS_CLOCK_NANOSLEEP, SYS_NANOSLEEP, SYS_FUTEX,
		SYS_MUNMAP, SYS_MPROTECT, SYS_MADVISE, SYS_MLOCK, SYS_MUNLOCK, SYS_MINCORE, SYS_BRK,
		SYS_SCHED_YIELD, SYS_SCHED_GETAFFINITY, SYS_SCHED_SETAFFINITY,
		SYS_RT_SIGACTION, SYS_RT_SIGPROCMASK, SYS_SIGALTSTACK, SYS_PRCTL,
		SYS_EPOLL_CREATE1, SYS_EPOLL_CTL, SYS_SETSOCKOPT, SYS_GETSOCKOPT, SYS_GETSOCKNAME, SYS_GETPEERNAME,
		SYS_EXIT, SYS_EXIT_GROUP, rouseGetrandom:
		return rouse.Begin
	case SYS_EPOLL_PWAIT, SYS_PPOLL, SYS_PSELECT6, SYS_WAIT4, SYS_WAITID:
		return rouseUnknown
	case SYS_FCNTL:
		switch a2 {
		case F_GETFD, F_SETFD, F_GETFL, F_SETFL:
			return rouse.Begin
		case F_GETLK:
			return rouse.SyscallRead
		}
	case SYS_WRITE, SYS_WRITEV:
		if a1 == 1 || a1 == 2 {
			return rousePrint()
		}
	case SYS_DUP3:
		rouseRedirect(a2)
	case SYS_PRLIMIT64:
		if a3 == 0 { // no new limit
			return rouse.SyscallRead
		}
	case SYS_GETRLIMIT, SYS_GETPRIORITY, SYS_FSTAT, rouseStatx, SYS_STATFS, SYS_FSTATFS, SYS_FACCESSAT, SYS_READLINKAT, SYS_GETCWD, SYS_PREAD64, SYS_PREADV:
		return rouse.SyscallRead
	case SYS_OPENAT:
		if a3&(O_ACCMODE|O_CREAT|O_TRUNC) == O_RDONLY {
			return rouse.SyscallRead
		}
	}
	return rouseOld(trap, a1, a2)
}

// rouseRedirected: standard output or error has been replaced in this execution.
//
//go:linkname rouseRedirected
func rouseRedirected(set bool) bool

//go:nosplit
//go:norace
func rousePrint() uint8 {
	if rouseRedirected(false) {
		return rouse.Syscall
	}
	return rouse.Begin
}

//go:nosplit
//go:norace
func rouseRedirect(fd uintptr) {
	if fd == 1 || fd == 2 {
		rouseRedirected(true)
	}
}
