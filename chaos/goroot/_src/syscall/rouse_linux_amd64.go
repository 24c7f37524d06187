package syscall

import (
	"internal/rouse"
	_ "unsafe" // linkname
)

const (
	rouseStatx     = 332
	rouseGetrandom = 318
	rouseSysAlarm  = SYS_ALARM
	rouseSysSelect = SYS_SELECT
)

// rouseOld is rouseOperation for the system calls that newer architectures do not have.
//
//go:nosplit
//go:norace
func rouseOld(trap, a1, a2 uintptr) uint8 {
	switch trap {
	case SYS_GETPGRP, SYS_TIME, SYS_ALARM, SYS_EPOLL_CREATE, SYS_ARCH_PRCTL:
		return rouse.Begin
	case SYS_POLL, SYS_SELECT, SYS_EPOLL_WAIT:
		return rouseUnknown
	case SYS_STAT, SYS_LSTAT, SYS_NEWFSTATAT, SYS_ACCESS, SYS_READLINK:
		return rouse.SyscallRead
	case SYS_OPEN:
		if a2&(O_ACCMODE|O_CREAT|O_TRUNC) == O_RDONLY {
			return rouse.SyscallRead
		}
	case SYS_DUP2:
		rouseRedirect(a2)
	}
	return rouse.Syscall
}

// gettimeofday is called by golang.org/x/sys too, by its name.
//
//go:linkname gettimeofday
//go:nosplit
//go:norace
func gettimeofday(tv *Timeval) (err Errno) {
	if rouse.On != 0 {
		if sec, nsec, ok := rouseTime(); ok {
			tv.Sec, tv.Usec = sec, int64(nsec/1000)
			return 0
		}
	}
	return rouseGettimeofday(tv)
}
