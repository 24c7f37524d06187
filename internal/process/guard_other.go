//go:build !unix

package process

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
)

// A Guard does nothing on this system: processes that a command has started go on when this process is killed.
type Guard struct{}

// NewGuard returns a guard of nothing.
func NewGuard() (*Guard, error) { return &Guard{}, nil }

// Run calls the function Run.
func (g *Guard) Run(cmd *exec.Cmd) error { return Run(cmd) }

// RunWatched calls the function Run: a command cannot be watched on this system.
func (g *Guard) RunWatched(cmd *exec.Cmd, _ func(ended <-chan struct{})) error { return Run(cmd) }

// RunInTerminal is like cmd.Run, but this process ignores a Ctrl-C from now on. The command is killed when the context
// ends; then the error is the cause.
func (g *Guard) RunInTerminal(ctx context.Context, cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	signal.Ignore(os.Interrupt)                                   // not before: the command would, too
	stop := context.AfterFunc(ctx, func() { cmd.Process.Kill() }) //nolint:errcheck // it may be gone
	defer stop()
	err := cmd.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Start is cmd.Start.
func (g *Guard) Start(cmd *exec.Cmd) error { return cmd.Start() }

// Begin does nothing.
func (g *Guard) Begin(*exec.Cmd) {}

// End does nothing.
func (g *Guard) End(*exec.Cmd) {}

// Add does nothing.
func (g *Guard) Add(*exec.Cmd) {}

// Remove does nothing.
func (g *Guard) Remove(*exec.Cmd) {}

// AddTarget does nothing.
func (g *Guard) AddTarget(Target) {}

// RemoveTarget does nothing.
func (g *Guard) RemoveTarget(Target) {}

// Close does nothing.
func (g *Guard) Close() {}

// Separate does nothing on this system.
func Separate(*exec.Cmd) {}

// Kill ends the child alone.
func Kill(cmd *exec.Cmd) { cmd.Process.Kill() } //nolint:errcheck // it may be gone

// Interrogate cannot make the child print its goroutines on this system.
func Interrogate(*exec.Cmd) {}

// Signal returns "": no signal ends a process on this system.
func Signal(*exec.Cmd) string { return "" }
