//go:build unix

package process

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// guardEnv makes the test binary a process that runs this script with a guard.
const guardEnv = "PROCESS_GUARDS"

// guarded starts a process of the test that runs a script with a guard, and returns its output.
func guarded(t *testing.T, script string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), guardEnv+"="+script)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewReader(out)
}

// guards is that process: it returns false in another one.
func guards(t *testing.T, run func(*Guard, *exec.Cmd) error) bool {
	t.Helper()
	script := os.Getenv(guardEnv)
	if script == "" {
		return false
	}
	g, err := NewGuard()
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	cmd := Command(t.Context(), "sh", "-c", script)
	cmd.Stdout = os.Stdout
	run(g, cmd) //nolint:errcheck // its end is what counts
	return true
}

// TestGuard: what a command has started ends with it, and all of it when this process is killed.
func TestGuard(t *testing.T) {
	const script = "sleep 1000 & echo $$ $!; "
	if guards(t, (*Guard).Run) {
		return
	}
	for _, kill := range []bool{false, true} {
		text := script
		if kill {
			text += "wait"
		}
		cmd, out := guarded(t, text)
		line, err := out.ReadString('\n')
		pids := strings.Fields(line)
		if err != nil || len(pids) != 2 {
			t.Fatalf("%q, %v", line, err)
		}
		if kill {
			cmd.Process.Kill()
		}
		if err := cmd.Wait(); (err == nil) == kill {
			t.Errorf("killed: %t, ended with %v", kill, err)
		}
		for _, text := range pids {
			pid, err := strconv.Atoi(text)
			for tries := 0; err == nil && syscall.Kill(pid, 0) == nil && !zombie(pid); tries++ {
				if time.Sleep(time.Millisecond); tries == 10_000 {
					t.Fatalf("killed: %t: process %d lives on", kill, pid)
				}
			}
		}
	}
}
