package process

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"time"
)

// patience is how long the output of a command that has been ended may stay open.
const patience = 5 * time.Second

// Command is like exec.CommandContext, for a command that Run runs.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	Separate(cmd)
	endWithParent(cmd)
	cmd.Cancel = func() error {
		Kill(cmd)
		return nil
	}
	cmd.WaitDelay = patience
	return cmd
}

// Run is like cmd.Run. Linux ends the child when the thread that started it ends, so Run keeps
// the thread until the child has ended.
func Run(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return cmd.Run()
}

// CombinedOutput is like cmd.CombinedOutput, but runs the command with Run.
func CombinedOutput(cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := Run(cmd)
	return out.Bytes(), err
}

// Ends is a writer that keeps the beginning and the end of what a child writes. The zero value is
// ready. One goroutine at a time may use it.
type Ends struct {
	head, tail bytes.Buffer
	missing    int
}

const (
	keepHead = 256 << 10 // bytes
	keepTail = 64 << 10  // bytes
)

// Write never fails.
func (e *Ends) Write(p []byte) (int, error) {
	n := len(p)
	room := min(keepHead-e.head.Len(), n)
	e.head.Write(p[:room])
	e.tail.Write(p[room:])
	if over := e.tail.Len() - keepTail; over > 0 {
		e.tail.Next(over)
		e.missing += over
	}
	return n, nil
}

// String returns the kept text, with a line in place of the bytes that were left out.
func (e *Ends) String() string {
	gap := ""
	if e.missing > 0 {
		gap = fmt.Sprintf("\n... %d bytes left out ...\n", e.missing)
	}
	return e.head.String() + gap + e.tail.String()
}
