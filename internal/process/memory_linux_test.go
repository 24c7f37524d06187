package process

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

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
