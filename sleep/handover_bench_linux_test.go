package sleep

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

func init() {
	beds = append(beds, bedding{"thread", 1, newThreadBed})
}

// threadBed is below Go's scheduler: the sleeper's thread sleeps in the kernel, which wakes
// it. (An eventfd instead of a futex: golang.org/x/sys has no call of that, and a raw one
// would keep the processor, for which the garbage collector waits.)
type threadBed struct {
	fd    int
	token [8]byte
}

func newThreadBed() bed {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		panic(err)
	}
	return &threadBed{fd: fd}
}

func (b *threadBed) sleep(int) {
	for {
		if _, err := unix.Read(b.fd, b.token[:]); err == nil {
			return
		}
	}
}

func (b *threadBed) wake() {
	one := binary.NativeEndian.AppendUint64(nil, 1)
	for {
		if _, err := unix.Write(b.fd, one); err == nil {
			return
		}
	}
}

func (b *threadBed) close() { unix.Close(b.fd) }
