// Package outside meets goroutines that are not of the execution.
package outside

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// A goroutine of the process, before its first execution.
func init() { go func() { select {} }() }

func TestSignal(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	if s := <-c; s != syscall.SIGUSR1 {
		t.Error(s)
	}
	signal.Ignore(syscall.SIGUSR2)
	signal.Reset(syscall.SIGUSR2)
}

func TestNotifyContext(t *testing.T) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	child, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	<-child.Done()
	if ctx.Err() != nil {
		t.Error(ctx.Err())
	}
}

// Only the goroutines of the test are there.
func TestNoLeak(t *testing.T) {
	defer goleak.VerifyNone(t)
	done := make(chan bool)
	go func() { done <- true }()
	<-done
}

func TestFoundLeak(t *testing.T) {
	defer goleak.VerifyNone(t)
	done := make(chan bool, 1)
	go func() {
		select {
		case <-done:
		case done <- true:
			<-make(chan bool)
		}
	}()
	done <- true
}

func TestCount(t *testing.T) {
	before := runtime.NumGoroutine()
	if before < 1 || before > 4 {
		t.Error(before, "goroutines")
	}
	stop := make(chan bool)
	for range 3 {
		go func() { <-stop }()
	}
	if n := runtime.NumGoroutine(); n != before+3 {
		t.Error(n, "goroutines, and there were", before)
	}
	dump := make([]byte, 1<<16)
	dump = dump[:runtime.Stack(dump, true)]
	if n := strings.Count(string(dump), "\ngoroutine ") + 1; n != before+3 {
		t.Errorf("%d goroutines in\n%s", n, dump)
	}
	if strings.Contains(string(dump), "bubble") {
		t.Errorf("a bubble in\n%s", dump)
	}
	close(stop)
}

// The network poller wakes a task that waits to read, and one that waits to write, each when the other has done
// that, and at no other time.
func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	const size = 1 << 20 // more than a pipe holds
	go func() {
		defer w.Close()
		if _, err := w.Write(make([]byte, size)); err != nil {
			t.Error(err)
		}
	}()
	if all, err := io.ReadAll(r); len(all) != size || err != nil {
		t.Errorf("%d bytes, %v", len(all), err)
	}
}
