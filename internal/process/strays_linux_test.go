package process

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Catches: a daemon of a command that stays when the command has ended, or this process was killed.
func TestStrays(t *testing.T) { strays(t, (*Guard).Run) }

// Catches: likewise, of a command in the terminal.
func TestStraysInTerminal(t *testing.T) {
	strays(t, func(g *Guard, cmd *exec.Cmd) error { return g.RunInTerminal(context.Background(), cmd) })
}

func strays(t *testing.T, run func(*Guard, *exec.Cmd) error) {
	t.Helper()
	const script = "setsid sh -c 'echo $$; exec sleep 1000' & sleep 0.5; "
	if guards(t, run) {
		return
	}
	for _, kill := range []bool{false, true} {
		text := script
		if kill {
			text += "echo; wait"
		}
		cmd, lines := guarded(t, text)
		line, err := lines.ReadString('\n')
		pid, errPid := strconv.Atoi(strings.TrimSpace(line))
		if err != nil || errPid != nil {
			t.Fatalf("%q, %v", line, err)
		}
		if kill {
			lines.ReadString('\n') //nolint:errcheck // it has run for long enough to be seen
			cmd.Process.Kill()
		}
		cmd.Wait() //nolint:errcheck // its daemon counts
		for tries := 0; syscall.Kill(pid, 0) == nil && !zombie(pid); tries++ {
			if tries == 1000 {
				syscall.Kill(pid, syscall.SIGKILL)
				t.Fatalf("killed %t: process %d is left", kill, pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}
