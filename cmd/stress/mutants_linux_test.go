package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// goScript is a go command that takes for ever, or whose tests do: it works in a temporary folder, in a
// process that it has started.
const goScript = `#!/bin/sh
mktemp -d "${GOTMPDIR:-$TMPDIR}/go-build-XXXXXX" >"$ROUSE_TEST_READY.new"
case $ROUSE_TEST_PHASE in
build)
	sleep 1000 &
	mv "$ROUSE_TEST_READY.new" "$ROUSE_TEST_READY"
	wait ;;
alone)
	mv "$ROUSE_TEST_READY.new" "$ROUSE_TEST_READY"
	exec sleep 1000 ;;
test)
	while [ "$1" != -o ]; do shift; done
	printf '#!/bin/sh\nsleep 1000 &\n: >"$ROUSE_TEST_READY"\nwait\n' >"$2"
	chmod +x "$2" ;;
esac
`

// A planting is a run of stress mutants that does not end by itself.
type planting struct {
	cmd  *exec.Cmd
	errs bytes.Buffer
	mark string // in the environment of its processes
}

// plantings counts them, so that each has a mark of its own.
var plantings int

// newPlanting marks a command with an environment that has not started. Its processes end with the test.
func newPlanting(t *testing.T, cmd *exec.Cmd) *planting {
	t.Helper()
	plantings++
	p := &planting{cmd: cmd, mark: "ROUSE_TEST_MARK=" + strconv.Itoa(os.Getpid()) + "-" + strconv.Itoa(plantings) + "\x00"}
	cmd.Env = append(cmd.Env, strings.TrimSuffix(p.mark, "\x00"))
	t.Cleanup(func() { p.processes(t, syscall.SIGKILL) })
	return p
}

// plant starts stress mutants with goScript as the go command, and returns when it has come to the phase.
func plant(t *testing.T, phase, temporary string) *planting {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(goScript), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(chaosBinary, "mutants", "--dir", checkout, "--only", "notification-dropped", "--procs", "1")
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary, "GOTMPDIR=", "ROUSE_TEST_PHASE="+phase, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return begin(t, cmd, dir)
}

// begin starts a command, and returns when something has made the file $ROUSE_TEST_READY, which is in dir.
func begin(t *testing.T, cmd *exec.Cmd, dir string) *planting {
	t.Helper()
	ready := filepath.Join(dir, "ready")
	p := newPlanting(t, cmd)
	p.cmd.Env = append(p.cmd.Env, "ROUSE_TEST_READY="+ready)
	p.cmd.Stderr = &p.errs
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(ready); err == nil {
			return p
		}
		if p.processes(t, 0) == 0 {
			p.cmd.Wait() //nolint:errcheck // the output says why
			t.Fatalf("it has ended: %s", &p.errs)
		}
		time.Sleep(time.Millisecond)
	}
}

// processes counts those that it and its children are, and sends them a signal.
func (p *planting) processes(t *testing.T, s syscall.Signal) (n int) {
	t.Helper()
	for _, pid := range p.pids(t) {
		if syscall.Kill(pid, s) == nil {
			n++
		}
	}
	return n
}

// pids are the numbers of those processes.
func (p *planting) pids(t *testing.T) (pids []int) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(append(text, 0), []byte(p.mark)) {
			continue
		}
		if pid, err := strconv.Atoi(strings.Split(name, "/")[2]); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// end signals the process and waits until it has ended and its children, too, or for long.
func (p *planting) end(t *testing.T, s os.Signal) (left int) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	p.cmd.Wait() //nolint:errcheck // a signal ends it, or it exits with a code
	for range 10_000 {
		if left = p.processes(t, 0); left == 0 {
			return 0
		}
		time.Sleep(time.Millisecond) // what has been killed takes a moment to go, on a busy machine seconds
	}
	return left
}

// TestMutantsSignals: whatever ends stress mutants, while it builds or tests, nothing runs on, and what it
// has not removed itself the next one does.
func TestMutantsSignals(t *testing.T) {
	for _, c := range []struct {
		signal os.Signal
		phase  string
		code   int
	}{
		{os.Interrupt, "build", 130}, {syscall.SIGTERM, "build", 143}, {syscall.SIGHUP, "build", 129},
		{os.Interrupt, "test", 130}, {syscall.SIGTERM, "test", 143},
	} {
		t.Run(c.phase+" "+c.signal.String(), func(t *testing.T) {
			temporary := t.TempDir()
			p := plant(t, c.phase, temporary)
			if n := p.end(t, c.signal); n > 0 {
				t.Errorf("%d processes live on", n)
			}
			if code := p.cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, &p.errs)
			}
			if left := tree(t, temporary); len(left) != 1 {
				t.Errorf("left %q", left)
			}
		})
	}
}

// TestMutantsKilled: a run that cannot do anything any more takes its children with it, and its
// folders go with the next run, but not those of a run in progress.
func TestMutantsKilled(t *testing.T) {
	temporary := t.TempDir()
	killed, lives := plant(t, "alone", temporary), plant(t, "build", temporary)
	if n := killed.end(t, os.Kill); n > 0 {
		t.Errorf("%d processes live on", n)
	}
	entries := func() int {
		all, err := os.ReadDir(temporary)
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	if n := entries(); n != 2 {
		t.Errorf("%d folders, want that of the run that was killed, and of the other", n)
	}
	next := plant(t, "test", temporary)
	if n := entries(); n != 2 {
		t.Errorf("%d folders, want those of two runs in progress", n)
	}
	for _, p := range []*planting{next, lives} {
		if n := p.end(t, syscall.SIGTERM); n > 0 {
			t.Errorf("%d processes live on", n)
		}
	}
	if left := tree(t, temporary); len(left) != 1 {
		t.Errorf("left %q", left)
	}
}
