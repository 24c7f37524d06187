package outside

import (
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// The process waits until its output is read, by a goroutine beside the one that waits for its end.
func TestChildOutput(t *testing.T) {
	out, err := exec.Command("head", "-c", "1000000", "/dev/zero").CombinedOutput()
	if len(out) != 1_000_000 || err != nil {
		t.Errorf("%d bytes, %v", len(out), err)
	}
}

// read returns what a process writes until it ends, for which nothing waits but the reader.
func read(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(out)
	if err != nil {
		t.Error(err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	return string(text)
}

// The process has the time that it is given, though no goroutine can continue meanwhile.
func TestChildTimeout(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Second)
	defer cancel()
	if text := read(t, exec.CommandContext(ctx, "sh", "-c", "sleep 0.1; echo done")); text != "done\n" {
		t.Errorf("%q", text)
	}
}

// So has each of several, though all together live for longer, and one that begins when another has ended.
func TestChildTimeouts(t *testing.T) {
	run := func(name string) {
		c := exec.Command("sh", "-c", "sleep 0.1; echo done")
		dog := time.AfterFunc(time.Second, func() { c.Process.Kill() })
		defer dog.Stop()
		if text := read(t, c); text != "done\n" {
			t.Errorf("%s: %q", name, text)
		}
	}
	for range 12 {
		run("in turn")
	}
	time.Sleep(time.Hour)
	run("later")
}

// What a process does in a second changes nothing, and when it has ended, time passes as it did.
func TestOutputOfChild(t *testing.T) {
	out, err := exec.Command("sh", "-c", "sleep 0.01; echo done").Output()
	if string(out) != "done\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	time.Sleep(time.Hour)
}

// The process waits for what a goroutine beside the one that waits for its end writes.
func TestInputOfChild(t *testing.T) {
	c := exec.Command("cat")
	c.Stdin = strings.NewReader("hello")
	if out, err := c.Output(); string(out) != "hello" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
}

// The process writes more than a pipe holds, once it has read.
func TestThroughChild(t *testing.T) {
	c := exec.Command("sh", "-c", "cat; head -c 300000 /dev/zero")
	c.Stdin = strings.NewReader("hello")
	if out, err := c.Output(); len(out) != 300_005 || err != nil {
		t.Errorf("%d bytes, %v", len(out), err)
	}
}

// The goroutine that waits for the process is not to be starved by one that polls until it has ended.
func TestPollsBesideChild(t *testing.T) {
	var done atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !done.Load() {
			runtime.Gosched()
		}
	})
	if err := exec.Command("sleep", "0.01").Run(); err != nil {
		t.Error(err)
	}
	done.Store(true)
	wg.Wait()
}

// Nor is it, or the goroutine that copies what the process writes, if that one takes a lock, too.
func TestLocksBesideChild(t *testing.T) {
	var mu sync.Mutex
	ended := false
	has := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return ended
	}
	go func() {
		if _, err := exec.Command("echo").Output(); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		ended = true
	}()
	for !has() {
		runtime.Gosched()
	}
}

// A process may have ended before others have done what they can.
func TestFoundCommand(t *testing.T) {
	var ended atomic.Bool
	done := make(chan bool)
	go func() {
		if err := exec.Command("true").Run(); err != nil {
			t.Error(err)
		}
		ended.Store(true)
		close(done)
	}()
	for range 100 {
		runtime.Gosched()
	}
	if ended.Load() {
		t.Error("first")
	}
	<-done
}

// What a process has written is copied when it has ended, and not when another one has.
func TestChildrenInTurn(t *testing.T) {
	var commands [3]*exec.Cmd
	var texts [3]strings.Builder
	for i := range commands {
		commands[i] = exec.Command("head", "-c", "100000", "/dev/zero")
		commands[i].Stdout = &texts[i]
		if err := commands[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range commands {
		if err := c.Wait(); err != nil || texts[i].Len() != 100_000 {
			t.Errorf("%d bytes, %v", texts[i].Len(), err)
		}
	}
}

// A process that goes on is killed after a timer that is not one of time.AfterFunc.
func TestChildKilled(t *testing.T) {
	c := exec.Command("sleep", "60")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- c.Wait() }()
	select {
	case <-ended:
		t.Error("ended")
	case <-time.After(20 * time.Millisecond):
		c.Process.Kill()
		<-ended
	}
}

// The end of a context is not later than it is.
func TestContextOfChild(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "sleep", "60").Output(); len(out) > 0 || err == nil {
		t.Error("not killed")
	}
}

// A signal that a child process sends comes before virtual time passes.
func TestChildSignals(t *testing.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	if err := exec.Command("sh", "-c", "kill -USR1 $PPID").Run(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-c:
	case <-time.After(time.Millisecond):
		t.Error("no signal")
	}
}

// Nor does it overtake the timer of the process, which is real.
func TestChildAlarm(t *testing.T) {
	const real = 0 // ITIMER_REAL
	for _, wait := range []time.Duration{0, time.Second} {
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGALRM)
		timer := [2]syscall.Timeval{1: {Usec: 20_000}}
		if _, _, err := syscall.Syscall(syscall.SYS_SETITIMER, real, uintptr(unsafe.Pointer(&timer)), 0); err != 0 {
			t.Fatal(err)
		}
		if wait == 0 {
			<-c
		} else {
			select {
			case <-c:
			case <-time.After(wait):
				t.Error("no signal in", wait)
			}
		}
		signal.Stop(c)
	}
}
