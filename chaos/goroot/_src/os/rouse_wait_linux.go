package os

import (
	"internal/poll"
	"internal/rouse"
	"internal/syscall/unix"
	"syscall"
	"unsafe"
)

// rouseTurn is for how many seconds a task that waits for a child process keeps the turn. What others do
// meanwhile would depend on the time that the process takes, but it may wait for one that reads what it
// writes.
const rouseTurn = 1

// rouseAwait waits until a child process has ended: first with the turn, then in the network poller. It
// does nothing outside of an execution, nor where the poller cannot wait for that.
func rouseAwait(pidfd int) {
	if rouse.On == 0 || rouse.Controlled() == 0 {
		return
	}
	if rouseEnds(pidfd) {
		rouseFetch()
		return
	}
	own, err := unix.Fcntl(pidfd, syscall.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return
	}
	fd := poll.FD{Sysfd: own}
	if fd.Init("file", true) != nil {
		syscall.Close(own)
		return
	}
	defer fd.Close()
	fd.RawRead(func(uintptr) bool {
		var info unix.SiginfoChild
		err := ignoringEINTR(func() error {
			return unix.Waitid(unix.P_PIDFD, pidfd, &info, syscall.WEXITED|syscall.WNOWAIT|syscall.WNOHANG, nil)
		})
		return err != nil || info.Pid != 0
	})
}

// rouseEnds reports whether the process ends within rouseTurn.
func rouseEnds(pidfd int) bool {
	const in = 1 // POLLIN
	fd := struct {
		fd              int32
		events, revents int16
	}{int32(pidfd), in, 0}
	left := syscall.Timespec{Sec: rouseTurn} // the system call takes off what has passed
	for {
		n, _, err := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&fd)), 1, uintptr(unsafe.Pointer(&left)), 0, 0, 0)
		if err != syscall.EINTR {
			return n == 1
		}
	}
}
