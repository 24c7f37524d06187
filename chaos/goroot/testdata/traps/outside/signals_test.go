package outside

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// A signal that a test sends to its own process comes before virtual time passes.

func own(t *testing.T) *os.Process {
	t.Helper()
	p, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSignalBeforeTimeout(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGWINCH} {
		for name, send := range map[string]func() error{
			"kill":    func() error { return syscall.Kill(os.Getpid(), s) },
			"process": func() error { return own(t).Signal(s) },
			"thread":  func() error { return syscall.Tgkill(os.Getpid(), syscall.Gettid(), s) },
		} {
			c := make(chan os.Signal, 1)
			signal.Notify(c, s)
			if err := send(); err != nil {
				t.Fatal(err)
			}
			select {
			case got := <-c:
				if got != s {
					t.Error(name, got, s)
				}
			case <-time.After(time.Millisecond):
				t.Error(name, s, "has not come")
			}
			signal.Stop(c)
		}
	}
}

func TestSignalBeforeSleep(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	stop := make(chan bool)
	var got atomic.Bool
	go func() {
		select {
		case <-c:
			got.Store(true)
		case <-stop:
		}
	}()
	if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	if !got.Load() {
		t.Error("no signal in a second")
	}
	close(stop)
}

func TestSignalContext(t *testing.T) {
	ctx, stop := signal.NotifyContext(t.Context(), syscall.SIGUSR2)
	defer stop()
	if err := own(t).Signal(syscall.SIGUSR2); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ctx.Done():
		if context.Cause(ctx) == nil {
			t.Error("no cause")
		}
	case <-time.After(time.Minute):
		t.Error("no signal in a minute")
	}
}

// A channel that is full loses signals. Those that come are in order, also to several channels.
func TestSignalsInARow(t *testing.T) {
	full, all := make(chan os.Signal, 1), make(chan os.Signal, 8)
	signal.Notify(full, syscall.SIGUSR1, syscall.SIGUSR2)
	signal.Notify(all, syscall.SIGUSR1, syscall.SIGUSR2)
	defer signal.Stop(full)
	defer signal.Stop(all)
	for _, s := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGUSR1, syscall.SIGUSR1} {
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
	}
	if len(full) != 1 || len(all) != 4 || <-full != syscall.SIGUSR1 || <-all != syscall.SIGUSR1 || <-all != syscall.SIGUSR2 {
		t.Error(len(full), len(all))
	}
}

// The order in which those that wait for a signal continue repeats.
func TestSignalOrder(t *testing.T) {
	var order []int
	done := make(chan bool)
	ready := make(chan bool)
	for i := range 12 {
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGUSR1)
		go func() {
			defer signal.Stop(c)
			ready <- true
			<-c
			order = append(order, i)
			done <- true
		}()
	}
	for range 12 {
		<-ready
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	for range 12 {
		<-done
	}
	if len(order) != 12 {
		t.Error(order)
	}
}

// One that is ignored, or that nobody is to be notified of any more, does not come, and nobody waits for it.
func TestSignalIgnored(t *testing.T) {
	signal.Ignore(syscall.SIGHUP)
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	signal.Stop(c)
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGUSR1, 0} {
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Error(err)
		}
	}
	select {
	case s := <-c:
		t.Error(s)
	case <-time.After(time.Hour):
	}
	signal.Reset(syscall.SIGHUP)
}

// A signal to the process group is one to the own process, too.
func TestSignalToGroup(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	defer signal.Stop(c)
	if err := syscall.Kill(-syscall.Getpgrp(), syscall.SIGWINCH); err != nil {
		t.Fatal(err)
	}
	select {
	case <-c:
	case <-time.After(time.Second):
		t.Error("virtual time has overtaken the signal")
	}
}

// stopped reports whether a signal that comes while somebody stops to be notified has been received.
func stopped() bool {
	c, all := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(all, syscall.SIGWINCH)
	defer signal.Stop(all)
	signal.Notify(c, syscall.SIGWINCH)
	done := make(chan bool)
	go func() {
		syscall.Kill(os.Getpid(), syscall.SIGWINCH)
		close(done)
	}()
	signal.Stop(c)
	<-done
	return len(c) == 1
}

func TestFoundBeforeStop(t *testing.T) {
	if stopped() {
		t.Error("the signal came before")
	}
}

func TestFoundAfterStop(t *testing.T) {
	if !stopped() {
		t.Error("the signal came after")
	}
}

// What sends a signal by a descriptor of the process, or to a thread, waits for it.
func TestSignalByOthers(t *testing.T) {
	const pidfdOpen, pidfdSendSignal = 434, 424
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	defer signal.Stop(c)
	fd, _, failed := syscall.Syscall(pidfdOpen, uintptr(os.Getpid()), 0, 0)
	if failed != 0 {
		t.Fatal(failed)
	}
	defer syscall.Close(int(fd))
	for i, send := range []func() syscall.Errno{
		func() syscall.Errno {
			_, _, err := syscall.Syscall6(pidfdSendSignal, fd, uintptr(syscall.SIGWINCH), 0, 0, 0, 0)
			return err
		},
		func() syscall.Errno {
			_, _, err := syscall.Syscall(syscall.SYS_TKILL, uintptr(os.Getpid()), uintptr(syscall.SIGWINCH), 0)
			return err
		},
		func() syscall.Errno {
			_, _, err := syscall.RawSyscall(syscall.SYS_TKILL, uintptr(os.Getpid()), uintptr(syscall.SIGWINCH), 0)
			return err
		},
	} {
		if err := send(); err != 0 {
			t.Fatal(i, err)
		}
		select {
		case <-c:
		case <-time.After(time.Second):
			t.Error(i, "virtual time has overtaken the signal")
		}
	}
}

// A timer of the kernel's is due in real time, which does not pass here.
func TestUncontrolledTimer(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGALRM)
	defer signal.Stop(c)
	var id int32
	if _, _, err := syscall.Syscall(syscall.SYS_TIMER_CREATE, 1, 0, uintptr(unsafe.Pointer(&id))); err != 0 {
		t.Fatal(err)
	}
	defer syscall.Syscall(syscall.SYS_TIMER_DELETE, uintptr(id), 0, 0)
	second := [2]syscall.Timespec{{}, {Sec: 1}}
	if _, _, err := syscall.Syscall6(syscall.SYS_TIMER_SETTIME, uintptr(id), 0, uintptr(unsafe.Pointer(&second)), 0, 0, 0); err != 0 {
		t.Fatal(err)
	}
	select {
	case <-c:
	case <-time.After(3 * time.Second):
		t.Error("no signal")
	}
}
