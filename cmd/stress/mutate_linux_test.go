package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// hangingFiles are a module with one mutant: its test starts a process and does not end.
var hangingFiles = map[string]string{
	"go.mod": "module example.com/hangs\n\ngo 1.25\n",
	"a.go":   "package hangs\n\nfunc Close(c chan int) { close(c) }\n",
	"a_test.go": `package hangs

import (
	"os"
	"os/exec"
	"testing"
)

func TestClose(t *testing.T) {
	c := make(chan int)
	Close(c)
	select {
	case <-c:
	default:
		exec.Command("sleep", "1000").Start()
		os.WriteFile(os.Getenv("ROUSE_TEST_READY"), nil, 0o600)
		for os.Getenv("ROUSE_TEST_SPINS") != "" {
		}
		select {}
	}
}
`,
}

// slowGo is a go command whose builds of mutants take for ever, in a process that it has started.
const slowGo = `#!/bin/sh
case "$*" in
*-overlay=*)
	mktemp -d "$GOTMPDIR/go-build-XXXXXX" >/dev/null
	sleep 1000 &
	: >"$ROUSE_TEST_READY"
	wait ;;
esac
exec "$ROUSE_TEST_GO" "$@"
`

// mutation starts stress mutate in the module, and returns when its mutant is built, or tested.
func mutation(t *testing.T, phase, module, temporary string) *planting {
	t.Helper()
	dir := t.TempDir()
	args := []string{"mutate", "--budget", "100s", "--way", "plain"}
	path, spins := os.Getenv("PATH"), ""
	switch phase {
	case "stress":
		args[len(args)-1], spins = "stress", "yes"
	case "build":
		if err := os.WriteFile(filepath.Join(dir, "go"), []byte(slowGo), 0o700); err != nil {
			t.Fatal(err)
		}
		path = dir + string(os.PathListSeparator) + path
	case "command":
		args = []string{"mutate", "--budget", "100s", "--way", "command", "--command", `test -z "$GOFLAGS" || { sleep 1000 & : >"$ROUSE_TEST_READY"; wait; }`}
	}
	realGo, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(plainBinary, args...)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary, "GOFLAGS=", "ROUSE_TEST_GO="+realGo, "PATH="+path, "ROUSE_TEST_SPINS="+spins)
	return begin(t, cmd, dir)
}

// TestMutateEnds: whatever ends stress mutate, while a mutant is built or tested, nothing of it runs on, and
// what a killed one has not removed the next one does.
func TestMutateEnds(t *testing.T) {
	module := t.TempDir()
	for name, text := range hangingFiles {
		write(t, module, name, text)
	}
	for _, c := range []struct {
		phase  string
		signal os.Signal
		code   int
	}{
		{"build", os.Interrupt, 130}, {"build", os.Kill, -1}, {"plain", syscall.SIGTERM, 143}, {"plain", os.Kill, -1}, {"command", os.Interrupt, 130}, {"command", os.Kill, -1},
		{"stress", syscall.SIGTERM, 143}, {"stress", os.Kill, -1},
	} {
		t.Run(c.phase+" "+c.signal.String(), func(t *testing.T) {
			temporary := t.TempDir()
			p := mutation(t, c.phase, module, temporary)
			if n := p.end(t, c.signal); n > 0 {
				t.Errorf("%d processes live on", n)
			}
			if code := p.cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, &p.errs)
			}
			if c.signal == os.Kill {
				if left := tree(t, temporary); len(left) == 1 {
					t.Error("a killed run has left no folder, so the next one has none to remove")
				}
				next := exec.Command(plainBinary, "mutate", "--way", "command", "--command", "true")
				next.Dir, next.Env = module, append(os.Environ(), "TMPDIR="+temporary, "GOFLAGS=")
				finish(t, next).want(t, 0)
			}
			if left := tree(t, temporary); len(left) != 1 {
				t.Errorf("left %q", left)
			}
		})
	}
	if left := tree(t, module); len(left) != 1+len(hangingFiles) {
		t.Errorf("the module has %q", left)
	}
}

// TestMutateInterrupted: the results until a signal are reported.
func TestMutateInterrupted(t *testing.T) {
	module := t.TempDir()
	for name, text := range hangingFiles {
		write(t, module, name, text)
	}
	ready := filepath.Join(t.TempDir(), "ready")
	cmd := exec.Command(plainBinary, "mutate", "--way", "command", "--command", `test -z "$GOFLAGS" || { : >`+ready+`; sleep 1000; }`, "--budget", "100s", "--json", "j", "--plain")
	cmd.Dir, cmd.Env = module, append(os.Environ(), "GOFLAGS=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for tries := 0; ; tries++ {
		if _, err := os.Stat(ready); err == nil || tries > 60_000 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cmd.Process.Signal(os.Interrupt) //nolint:errcheck // the exit code says more
	cmd.Wait()                       //nolint:errcheck // as above
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(out.String(), "\ninterrupted: 0 mutants") {
		t.Errorf("exit code %d\n%s", code, &out)
	}
	if kinds := strings.Join(lineKinds(t, module, "j"), " "); kinds != "mutation end" {
		t.Errorf("lines %s", kinds)
	}
}

// TestMutateKilledEarly: whenever stress mutate is killed, while all processors are busy, nothing of it runs
// on, the next run goes on with its journal, and removes its folders.
func TestMutateKilledEarly(t *testing.T) {
	module, temporary := t.TempDir(), t.TempDir()
	for name, text := range hangingFiles {
		write(t, module, name, text)
	}
	var stopped atomic.Bool
	var spinners sync.WaitGroup
	for range 2 * runtime.NumCPU() {
		spinners.Go(func() {
			for !stopped.Load() {
			}
		})
	}
	defer func() { stopped.Store(true); spinners.Wait() }()
	for range 4 {
		after := time.Duration(rand.ExpFloat64() * float64(time.Second))
		t.Logf("killed after %v", after)
		dir := t.TempDir()
		write(t, dir, "ready", "") // begin waits for nothing
		cmd := exec.Command(plainBinary, "mutate", "--way", "stress", "--budget", "100s", "--out", filepath.Join(temporary, "out"))
		cmd.Dir, cmd.Env = module, append(os.Environ(), "TMPDIR="+temporary, "GOFLAGS=", "ROUSE_TEST_SPINS=yes")
		p := begin(t, cmd, dir)
		time.Sleep(after)
		if n := p.end(t, os.Kill); n > 0 {
			t.Errorf("%d processes live on", n)
		}
	}
	next := exec.Command(plainBinary, "mutate", "--way", "command", "--command", "true", "--out", filepath.Join(temporary, "out"))
	next.Dir, next.Env = module, append(os.Environ(), "TMPDIR="+temporary, "GOFLAGS=")
	finish(t, next).want(t, 0)
	if left := tree(t, temporary); len(left) != 3 { // the folder itself, and that of the journal with it
		t.Errorf("left %q", left)
	}
}

// TestMutateGoesOn: a run that is killed among the tests without a mutant goes on with those that had not
// passed by then.
func TestMutateGoesOn(t *testing.T) {
	module := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": hangingFiles["go.mod"], "a.go": hangingFiles["a.go"],
		"a_test.go": `package hangs

import (
	"os"
	"testing"
)

func TestFirst(t *testing.T) {
	Close(make(chan int))
	file, err := os.OpenFile("runs", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString("once\n"); err != nil {
		t.Error(err)
	}
}

func TestSecond(t *testing.T) {
	Close(make(chan int))
	if os.WriteFile(os.Getenv("ROUSE_TEST_READY"), nil, 0o600) == nil {
		select {}
	}
}
`,
	} {
		write(t, module, name, text)
	}
	out, dir := filepath.Join(t.TempDir(), "out"), t.TempDir()
	run := func() *exec.Cmd {
		cmd := exec.Command(plainBinary, "mutate", "--way", "plain", "--procs", "1", "--out", out)
		cmd.Dir, cmd.Env = module, append(os.Environ(), "GOFLAGS=")
		return cmd
	}
	if n := begin(t, run(), dir).end(t, os.Kill); n > 0 {
		t.Errorf("%d processes live on", n)
	}
	finish(t, run()).want(t, 0)
	text, err := os.ReadFile(filepath.Join(module, "runs"))
	if want := strings.Repeat("once\n", 1+2+1); err != nil || string(text) != want { // with coverage, twice plainly, with the mutant
		t.Errorf("%v, the first test has run %d times, want 4", err, bytes.Count(text, []byte("\n")))
	}
}
