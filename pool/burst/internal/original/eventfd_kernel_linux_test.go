package original

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// A kernelEventfd is a file descriptor. Its calls block the thread.
type kernelEventfd int

// newKernelEventfd opens one as the original does: not close-on-exec.
func newKernelEventfd() (eventfd, error) {
	fd, err := unix.Eventfd(0, unix.EFD_SEMAPHORE)
	return kernelEventfd(fd), err
}

func (fd kernelEventfd) poll() error {
	return uninterrupted(func() error {
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, -1)
		return err
	})
}

func (fd kernelEventfd) read() error {
	return uninterrupted(func() error {
		var b [8]byte
		_, err := unix.Read(int(fd), b[:])
		return err
	})
}

func (fd kernelEventfd) write(n uint64) error {
	return uninterrupted(func() error {
		var b [8]byte
		binary.NativeEndian.PutUint64(b[:], n)
		_, err := unix.Write(int(fd), b[:])
		return err
	})
}

func (fd kernelEventfd) close() error { return unix.Close(int(fd)) }

// uninterrupted repeats a call that a signal has interrupted. The original does not, but Rust sends
// its threads no signals, and Go does. What a signal does to the original is for the model to say.
func uninterrupted(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}
