package process

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestAsleep: a process that waits is asleep, one that computes or has a child is not, and one that has run
// in between says so.
func TestAsleep(t *testing.T) {
	start := func(script string) (cmd *exec.Cmd, line func()) {
		cmd = exec.Command("bash", "-c", script)
		Separate(cmd)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			Kill(cmd)
			cmd.Wait() //nolint:errcheck // it was killed
		})
		answers := bufio.NewReader(out)
		return cmd, func() {
			t.Helper()
			if _, err := in.Write([]byte("\n")); err != nil {
				t.Fatal(err)
			}
			if _, err := answers.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
	}
	until := func(cmd *exec.Cmd) string {
		t.Helper()
		for range 60_000 {
			if schedules, asleep := Asleep(cmd); asleep {
				return schedules
			}
			time.Sleep(time.Millisecond)
		}
		t.Fatal("it does not sleep")
		return ""
	}
	waits, line := start("while read -r; do echo; done")
	line()
	first := until(waits)
	for range 20 {
		if again, asleep := Asleep(waits); !asleep || again != first {
			t.Fatalf("it has not run: %q, %t, before %q", again, asleep, first)
		}
		time.Sleep(time.Millisecond)
	}
	line()
	if again := until(waits); again == first {
		t.Errorf("it has run: %q as before", again)
	}
	for what, script := range map[string]string{
		"it computes": "read -r; echo; while :; do :; done", "it has a child": "sleep 1000 & read -r; echo; read -r",
	} {
		busy, line := start(script)
		line()
		for range 50 {
			if _, asleep := Asleep(busy); asleep {
				t.Errorf("%s, and is asleep", what)
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	if _, asleep := Asleep(func() *exec.Cmd { cmd := exec.Command("true"); cmd.Run(); return cmd }()); asleep { //nolint:errcheck // that it ends is all
		t.Error("a process that has ended is asleep")
	}
}

// growEnv makes TestGrow take memory: a process of TestEndAbove.
const growEnv = "ROUSE_TEST_GROW"

func TestGrow(t *testing.T) {
	if os.Getenv(growEnv) == "" {
		return
	}
	var all [][]byte
	for begin := time.Now(); time.Since(begin) < time.Minute; {
		b := make([]byte, 1<<20)
		for i := range b {
			b[i] = 1
		}
		all = append(all, b)
	}
	t.Fatal(len(all))
}

// Catches: a child that takes all memory, and one that is ended although it has room.
func TestEndAbove(t *testing.T) {
	runtime.LockOSThread() // a child ends with the thread that has started it
	defer runtime.UnlockOSThread()
	for _, grows := range []string{"", "1"} {
		cmd := Command(context.Background(), os.Args[0], "-test.run=^TestGrow$")
		cmd.Env = append(os.Environ(), growEnv+"="+grows)
		ended := make(chan struct{})
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		go func() {
			cmd.Wait() //nolint:errcheck // its state says more
			close(ended)
		}()
		if above := EndAbove(cmd, 256<<20, ended); above != (grows != "") {
			t.Errorf("grows %q: ended %t, %v", grows, above, cmd.ProcessState)
		}
	}
	if Resident(&exec.Cmd{Process: &os.Process{Pid: os.Getpid()}}) < 1<<20 || Share(1) < 1<<28 || Share(4) > Share(1)/3 {
		t.Errorf("%d of %d bytes", Resident(&exec.Cmd{Process: &os.Process{Pid: os.Getpid()}}), Share(1))
	}
}

// TestBusiest: a process that computes has a thread that runs, one that has ended does not.
func TestBusiest(t *testing.T) {
	cmd := exec.Command("sh", "-c", "while :; do :; done")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for !signalBusiest(cmd.Process.Pid, syscall.SIGQUIT) {
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "quit") {
		t.Errorf("got %v", err)
	}
	if signalBusiest(cmd.Process.Pid, syscall.SIGQUIT) {
		t.Error("a process that has ended was signalled")
	}
}
