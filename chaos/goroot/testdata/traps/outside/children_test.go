package outside

import (
	"context"
	"io"
	"os/exec"
	"testing"
	"time"
)

// The process waits until its output is read, by a goroutine beside the one that waits for its end.
func TestChildOutput(t *testing.T) {
	out, err := exec.Command("head", "-c", "1000000", "/dev/zero").CombinedOutput()
	if len(out) != 1_000_000 || err != nil {
		t.Errorf("%d bytes, %v", len(out), err)
	}
}

// The process has the time that it is given, though no goroutine can continue meanwhile.
func TestChildTimeout(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, "sh", "-c", "sleep 0.1; echo done")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(out)
	if string(text) != "done\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
}

// What a process does in a second changes nothing, and when it has ended, time passes as it did.
func TestOutputOfChild(t *testing.T) {
	out, err := exec.Command("sh", "-c", "sleep 0.01; echo done").Output()
	if string(out) != "done\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	time.Sleep(time.Hour)
}
