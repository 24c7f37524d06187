package burst

import (
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func threadReceiver(t *testing.T, s *Sender[int]) *Receiver[int] {
	t.Helper()
	r, err := s.NewThreadReceiver()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Catches: a descriptor that the children of the process inherit.
func TestCloseOnExec(t *testing.T) {
	s := NewSender[int]()
	defer s.Close()
	flags, err := unix.FcntlInt(uintptr(threadReceiver(t, s).thread.fd), unix.F_GETFD, 0)
	if err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Errorf("flags %#x, %v: not close-on-exec", flags, err)
	}
}

// Catches: a number that is closed while it may be another file's already.
func TestClosedOnce(t *testing.T) {
	for name, end := range map[string]func(s *Sender[int], r *Receiver[int]){
		"leave":           func(s *Sender[int], r *Receiver[int]) { r.Leave() },
		"close":           func(s *Sender[int], r *Receiver[int]) { s.Close() },
		"leave and close": func(s *Sender[int], r *Receiver[int]) { r.Leave(); s.Close() },
	} {
		s := NewSender[int]()
		r := threadReceiver(t, s)
		fd := r.thread.fd
		end(s, r)
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); !errors.Is(err, unix.EBADF) {
			t.Errorf("%s: the descriptor is open: %v", name, err)
			continue
		}
		file, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		if err := unix.Dup3(int(file.Fd()), fd, unix.O_CLOEXEC); err != nil && int(file.Fd()) != fd {
			t.Fatal(err)
		}
		r.Leave()
		s.Close()
		r.Leave()
		if _, err := r.Receive(); err == nil {
			t.Errorf("%s: it received something", name)
		}
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil {
			t.Errorf("%s: a file of another owner was closed: %v", name, err)
		}
		if int(file.Fd()) != fd {
			unix.Close(fd)
		}
		file.Close()
	}
}

// Catches: a wake that fails, or a thread that spins, without a word.
func TestADescriptorThatSomebodyElseCloses(t *testing.T) {
	for name, use := range map[string]func(*eventfd){"wait": (*eventfd).wait, "signal": (*eventfd).signal} {
		e, err := newEventfd()
		if err != nil {
			t.Fatal(err)
		}
		unix.Close(e.fd)
		func() {
			defer func() {
				if v, _ := recover().(string); !strings.Contains(v, "bad file descriptor") {
					t.Errorf("%s: %q", name, v)
				}
			}()
			use(e)
		}()
	}
}

// Catches: a receiver that is half made.
func TestTooManyFiles(t *testing.T) {
	s := NewSender[int]()
	defer s.Close()
	var before unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	none := before
	none.Cur = 0
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	r, err := s.NewThreadReceiver()
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	var call *os.SyscallError
	if r != nil || !errors.Is(err, unix.EMFILE) || !errors.As(err, &call) {
		t.Errorf("without descriptors: %v, %v", r, err)
	}
	if n := s.Receivers(); n != 0 {
		t.Errorf("%d receivers, want none", n)
	}
}
