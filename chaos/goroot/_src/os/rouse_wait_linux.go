package os

import (
	"internal/poll"
	"internal/rouse"
	"internal/syscall/unix"
	"syscall"
	"unsafe"
)

// rouseFeeds reports whether a process that has these files reads a pipe.
func rouseFeeds(files []uintptr) bool {
	if rouse.On == 0 || rouse.Controlled() == 0 {
		return false
	}
	const pipeSize = 1032 // F_GETPIPE_SZ
	for _, fd := range files {
		mode, err := unix.Fcntl(int(fd), syscall.F_GETFL, 0)
		if err != nil || mode&syscall.O_ACCMODE != O_RDONLY {
			continue
		}
		if _, err := unix.Fcntl(int(fd), pipeSize, 0); err == nil {
			return true
		}
	}
	return false
}

// rouseLook is how long it is until a task that waits for a child process with the turn looks what has come for others,
// in nanoseconds.
const rouseLook = 2e6

// rouseAwait waits until a child process has ended: first with the turn, then in the network poller. It
// does nothing outside of an execution, nor where the poller cannot wait for that.
func rouseAwait(pid, pidfd int) {
	if rouse.On == 0 || rouse.Controlled() == 0 {
		return
	}
	rouseChildBegin(pid)
	ended := rouseEnds(pidfd)
	for !ended && rouseChildLived(pid, rouseLook) {
		ended = rouseEnds(pidfd)
	}
	if rouseChildEnd(pid); ended {
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

// rouseEnds reports whether the process ends within rouseLook.
func rouseEnds(pidfd int) bool {
	const in = 1 // POLLIN
	fd := struct {
		fd              int32
		events, revents int16
	}{int32(pidfd), in, 0}
	left := syscall.Timespec{Nsec: rouseLook} // the system call takes off what has passed
	for {
		n, _, err := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&fd)), 1, uintptr(unsafe.Pointer(&left)), 0, 0, 0)
		if err != syscall.EINTR {
			return n == 1
		}
	}
}
