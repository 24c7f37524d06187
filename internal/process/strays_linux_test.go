package process

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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

// aloneEnv makes the test binary a process of its own for a test: orphans are those of a whole process.
const aloneEnv = "PROCESS_ALONE"

// alone returns true in such a process. Elsewhere it runs one, and returns false.
func alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(aloneEnv) != "" {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), aloneEnv+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// forever is the script of a process that writes its number into $1 and stays.
const forever = `sh -c 'echo $$ >$1.new; mv $1.new $1; exec sleep 1000' sh $1 `

// untilThere waits for the file.
const untilThere = `until [ -e $1 ]; do sleep 0.01; done; `

// begins starts a script whose first argument is a file, which it returns.
func begins(t *testing.T, g *Guard, script string) (*exec.Cmd, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pid")
	cmd := Command(context.Background(), "sh", "-c", script, "sh", file)
	if err := g.Start(cmd); err != nil {
		t.Fatal(err)
	}
	return cmd, file
}

// number waits for the number of a process in a file.
func number(t *testing.T, file string) int {
	t.Helper()
	for {
		text, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			time.Sleep(time.Millisecond)
			continue
		}
		pid, errPid := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil || errPid != nil {
			t.Fatalf("%q, %v", text, err)
		}
		t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
		return pid
	}
}

func lives(pid int) bool { return syscall.Kill(pid, 0) == nil && !zombie(pid) }

func guard(t *testing.T) *Guard {
	t.Helper()
	g, err := NewGuard()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

// Catches: what a command has left when it ended, and is not in its group: it may have been seen never, or too late to
// know whose it is.
func TestOrphans(t *testing.T) {
	if !alone(t) {
		return
	}
	g := guard(t)
	for name, script := range map[string]string{
		"plain":       forever + "& " + untilThere,
		"group":       "set -m; " + forever + "& " + untilThere,
		"daemon":      "setsid " + forever + "& " + untilThere,
		"double fork": "(setsid " + forever + "&) ; " + untilThere,
		"below one":   "setsid sh -c 'setsid " + strings.ReplaceAll(forever, "'", `'\''`) + "& exec sleep 1000' sh $1 & " + untilThere,
	} {
		cmd, file := begins(t, g, script)
		cmd.Wait() //nolint:errcheck // what it leaves counts
		pid := number(t, file)
		Kill(cmd)
		g.End(cmd)
		if lives(pid) {
			t.Errorf("%s: process %d lives on", name, pid)
		}
		cmd = exec.Command("sh", "-c", script, "sh", file)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := g.RunInTerminal(t.Context(), cmd); err != nil {
			t.Error(err)
		}
		if pid := number(t, file); lives(pid) {
			t.Errorf("%s, in the terminal: process %d lives on", name, pid)
		}
	}
}

// Catches: a command in the terminal that goes on when the context has ended, with what it has started.
func TestTerminalEnds(t *testing.T) {
	if !alone(t) {
		return
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	file, why, ended := filepath.Join(t.TempDir(), "pid"), errors.New("enough"), make(chan error)
	g := guard(t)
	go func() {
		ended <- g.RunInTerminal(ctx, exec.Command("sh", "-c", "set -m; "+forever+"& wait", "sh", file))
	}()
	pid := number(t, file)
	cancel(why)
	if err := <-ended; err != why || lives(pid) {
		t.Errorf("%v, lives %t", err, lives(pid))
	}
}

// Catches: an orphan that is killed while the command runs that it may come from; one of another command of this
// process that is killed; one that has ended and is there for ever.
func TestOrphansOfOthers(t *testing.T) {
	if !alone(t) {
		return
	}
	g := guard(t)
	first, file := begins(t, g, "(setsid "+forever+"&) ; sleep 1000")
	orphan := number(t, file)
	ended, file := begins(t, g, "(setsid sh -c 'echo $$ >$1.new; mv $1.new $1' sh $1 &) ; sleep 1000")
	other := exec.Command("sh", "-c", "setsid "+forever+"& "+untilThere, "sh", file+".other")
	if err := other.Run(); err != nil {
		t.Fatal(err)
	}
	for pid := number(t, file); syscall.Kill(pid, 0) == nil; { // it is reaped
		time.Sleep(time.Millisecond)
	}
	Kill(ended)
	ended.Wait() //nolint:errcheck // it was killed
	g.End(ended)
	if !lives(orphan) {
		t.Error("the orphan of a command that runs was killed")
	}
	Kill(first)
	first.Wait() //nolint:errcheck // it was killed
	g.End(first)
	if lives(orphan) {
		t.Errorf("process %d lives on", orphan)
	}
	if !lives(number(t, file+".other")) {
		t.Error("the orphan of another command was killed")
	}
}
