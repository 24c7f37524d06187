package process

import (
	"bytes"
	"context"
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
