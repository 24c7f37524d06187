package process

import (
	"bufio"
	"os/exec"
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
