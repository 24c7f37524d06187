package syscall

import "internal/rouse"

const (
	rouseStatx     = 291
	rouseGetrandom = 278
	rouseSysAlarm  = 1<<32 - 1 // there is none
	rouseSysSelect = 1<<32 - 2 // likewise
)

// rouseOld is rouseOperation for the system calls that not every architecture has.
//
//go:nosplit
//go:norace
func rouseOld(trap, _, _ uintptr) uint8 {
	if trap == SYS_FSTATAT {
		return rouse.SyscallRead
	}
	return rouse.Syscall
}
