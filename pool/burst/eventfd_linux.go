package burst

import (
	"encoding/binary"
	"fmt"
	"os"

	"github.com/rouse-go/rouse/hooks"
	"golang.org/x/sys/unix"
)

// An eventfd is a count of tokens in the kernel that one thread can sleep on.
//
// It is read by a blocking read(2). Go marks the thread as in a system call, which takes 50 ns, and
// takes its P if others can use it (sysmon does, after 20 µs or later). Rejected:
//
//   - A raw system call, which is not marked. It keeps the P while the thread sleeps, and
//     the first stop of the world (a garbage collection) waits for it, and all for that:
//     BenchmarkLatency hangs.
//   - A descriptor that does not block: the goroutine sleeps in the netpoller, and that is
//     the scheduler again.
//   - poll(2) first: another system call, and one that SA_RESTART does not restart.
//   - runtime.LockOSThread in here: a goroutine in a system call has its thread anyway.
type eventfd struct {
	fd    int
	read  [8]byte // wait's; as a variable there it would be an allocation under -race
	model *model  // under control instead of fd
}

// token is 1 as the kernel wants it.
var token = binary.NativeEndian.AppendUint64(nil, 1)

// newEventfd returns one without tokens. It is one file descriptor.
func newEventfd() (*eventfd, error) {
	if hooks.Enabled && hooks.Controlled() {
		return &eventfd{fd: -1, model: newModel()}, nil
	}
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("burst: an eventfd for a thread receiver: %w", os.NewSyscallError("eventfd2", err))
	}
	return &eventfd{fd: fd}, nil
}

// wait blocks the thread until there is a token, and takes all that there are.
func (e *eventfd) wait() {
	if hooks.Enabled && e.model != nil {
		e.model.wait()
		return
	}
	for {
		switch _, err := unix.Read(e.fd, e.read[:]); err {
		case nil:
			return
		case unix.EINTR: // by a signal whose handler is not Go's: those set SA_RESTART
		default:
			panic(fmt.Sprintf("burst: reading from eventfd %d: %v: it was closed elsewhere", e.fd, err))
		}
	}
}

// signal adds a token: one write(2).
func (e *eventfd) signal() {
	if hooks.Enabled && e.model != nil {
		e.model.signal()
		return
	}
	for {
		switch _, err := unix.Write(e.fd, token); err {
		case nil:
			return
		case unix.EINTR:
		default:
			panic(fmt.Sprintf("burst: writing to eventfd %d: %v: it was closed elsewhere", e.fd, err))
		}
	}
}

// close gives the descriptor back. No goroutine may be in wait or signal, or call them later: its
// number may be another file's at once.
func (e *eventfd) close() {
	if hooks.Enabled && e.model != nil {
		e.model.close()
		return
	}
	unix.Close(e.fd) //nolint:errcheck // Linux frees the number whatever it returns
}
