//go:build linux && (386 || amd64 || arm64)

package burst_test

import (
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/pool/burst"
	"golang.org/x/sys/unix"
)

// A sigaction is the kernel's, on these architectures.
type sigaction struct {
	handler, flags, restorer uintptr
	mask                     uint64
}

// interrupts makes the handler of sig end system calls with EINTR, as those of other
// languages may; Go's have them restarted.
func interrupts(t *testing.T, sig unix.Signal) {
	t.Helper()
	change := func(to, from *sigaction) {
		_, _, err := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(sig), uintptr(unsafe.Pointer(to)),
			uintptr(unsafe.Pointer(from)), unsafe.Sizeof(to.mask), 0, 0)
		if err != 0 {
			t.Fatal(err)
		}
	}
	const restart = 0x10000000 // SA_RESTART
	var before sigaction
	change(nil, &before)
	if before.flags&restart == 0 {
		t.Fatalf("flags %#x: there is no SA_RESTART to take away", before.flags)
	}
	action := before
	action.flags &^= restart
	change(&action, nil)
	t.Cleanup(func() { change(&before, nil) })
}

// Catches: a signal that ends a wait, or fails it (BP-6).
func TestASignalStorm(t *testing.T) {
	const sig, interruptions = unix.SIGUSR2, 200
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, sig)
	defer signal.Stop(signals)
	interrupts(t, sig)

	s := burst.NewSender[int]()
	defer s.Close()
	r := thread.receiver(t, s)
	tid := make(chan int, 1)
	results := receiving(s, func() (int, error) {
		runtime.LockOSThread()
		tid <- unix.Gettid()
		return r.Receive()
	})
	id := <-tid
	of := filepath.Join("self", "task", strconv.Itoa(id))
	for begin := calls(t, of, "syscr"); calls(t, of, "syscr") < begin+interruptions; {
		if err := unix.Tgkill(unix.Getpid(), id, sig); err != nil {
			t.Fatal(err)
		}
		runtime.Gosched()
	}
	if len(results) > 0 {
		t.Error("a signal ended the wait")
	}
	enqueue(t, s, 1, nil)
	s.Wake()
	want(t, "after the storm", results, 1, nil)
}
