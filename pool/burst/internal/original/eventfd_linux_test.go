package original

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rouse-go/rouse/pool/burst"
	"golang.org/x/sys/unix"
)

func newKernel(t *testing.T) eventfd {
	t.Helper()
	fd, err := newKernelEventfd()
	if err != nil {
		t.Fatal(err)
	}
	return fd
}

func TestKernelEventfd(t *testing.T) { semantics(t, newKernel(t)) }

func TestMessagesGetThroughTheKernel(t *testing.T) { gently(t, newKernel(t)) }

// eventfds are the process's descriptors of eventfds.
func eventfds(t *testing.T) map[int]bool {
	t.Helper()
	const dir = "/proc/self/fd"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[int]bool{}
	for _, e := range entries {
		target, err := os.Readlink(filepath.Join(dir, e.Name()))
		if err == nil && target == "anon_inode:[eventfd]" { // that of dir is gone again
			n, err := strconv.Atoi(e.Name())
			if err != nil {
				t.Fatal(err)
			}
			all[n] = true
		}
	}
	return all
}

// added returns which descriptors are left by senders that have come and gone.
func added(t *testing.T, senders int, comeAndGo func()) []int {
	t.Helper()
	eventfds(t) // the runtime opens one itself, at the first use of a file
	before := eventfds(t)
	for range senders {
		comeAndGo()
	}
	var fds []int
	for fd := range eventfds(t) {
		if !before[fd] {
			fds = append(fds, fd)
		}
	}
	return fds
}

// BP-10: the descriptor is never closed, and every child process inherits it.
func TestDescriptorsAreLeaked(t *testing.T) {
	const senders = 8
	fds := added(t, senders, func() {
		s := NewSender[message]()
		r := s.NewReceiver()
		s.Close()
		if _, err := r.Recv(); err != ErrOrphaned {
			t.Errorf("got %v, want ErrOrphaned", err)
		}
	})
	if len(fds) != senders {
		t.Errorf("%d senders have left %d descriptors, want one each", senders, len(fds))
	}
	for _, fd := range fds {
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil || flags&unix.FD_CLOEXEC != 0 {
			t.Errorf("descriptor %d has flags %x, %v: want it not close-on-exec", fd, flags, err)
		}
		if err := unix.Close(fd); err != nil {
			t.Error(err)
		}
	}
}

// The control: package burst leaves none.
func TestBurstLeaksNoDescriptors(t *testing.T) {
	fds := added(t, 8, func() {
		s := burst.NewSender[message]()
		var receivers []*burst.Receiver[message]
		for _, add := range []func() (*burst.Receiver[message], error){s.NewReceiver, s.NewThreadReceiver} {
			r, err := add()
			if err != nil {
				t.Fatal(err)
			}
			receivers = append(receivers, r)
		}
		s.Close()
		for _, r := range receivers {
			if _, err := r.Receive(); err != burst.ErrClosed {
				t.Errorf("got %v, want ErrClosed", err)
			}
		}
	})
	if len(fds) != 0 {
		t.Errorf("descriptors %d are left", fds)
	}
}
