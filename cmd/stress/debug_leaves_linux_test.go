package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// leavingFiles are those of a module whose test leaves what it can: processes in its group, in groups and sessions of
// their own, and without a parent, and a folder elsewhere. It stays in its beginning if a variable says so.
var leavingFiles = map[string]string{
	"go.mod": "module example.com/leaving\n\ngo 1.25\n",
	"leaving_test.go": `package leaving

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
)

func TestLeaves(t *testing.T) {
	os.Setenv("TMPDIR", "mine")
	os.WriteFile(t.TempDir()+"/file", nil, 0o600)
	exec.Command("sleep", "1000").Start()
	if os.Getenv("ROUSE_TEST_PLAIN") == "" {
		for _, attr := range []syscall.SysProcAttr{{Setsid: true}, {Setpgid: true}} {
			cmd := exec.Command("sleep", "1000")
			cmd.SysProcAttr = &attr
			cmd.Start()
		}
		exec.Command("sh", "-c", "setsid sleep 1000 & exit").Run()
	}
	if ready := os.Getenv("ROUSE_TEST_READY"); ready != "" {
		os.WriteFile(ready, nil, 0o600)
		syscall.Pause()
	}
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
	wg.Go(func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
	wg.Wait()
}
`,
}

// leaving makes the module and a recording, and returns what makes a command of stress there.
func leaving(t *testing.T) (command func(args ...string) *planting, recording string) {
	t.Helper()
	t.Setenv("GOFLAGS", "")
	module := t.TempDir()
	for name, text := range leavingFiles {
		write(t, module, name, text)
	}
	if err := os.Mkdir(filepath.Join(module, "mine"), 0o700); err != nil {
		t.Fatal(err)
	}
	command = func(args ...string) *planting {
		cmd := exec.Command(plainBinary, args...)
		cmd.Dir, cmd.Env = module, os.Environ()
		return newPlanting(t, cmd)
	}
	p := command("test", "--run", "TestLeaves", "--seed", "1")
	finish(t, p.cmd).want(t, 1)
	p.leaves(t)
	files, err := filepath.Glob(filepath.Join(module, "testdata/chaos/TestLeaves/*.rouse"))
	if err != nil || len(files) != 1 {
		t.Fatalf("recordings %q, %v, want one", files, err)
	}
	return command, files[0]
}

// leaves fails if the command, which has ended, has left a process or a folder of the test.
func (p *planting) leaves(t *testing.T) {
	t.Helper()
	if n := p.processes(t, 0); n > 0 {
		t.Errorf("%q: %d processes live on", p.cmd.Args[1:], n)
	}
	if left := tree(t, filepath.Join(p.cmd.Dir, "mine")); len(left) != 1 {
		t.Errorf("%q: left %q", p.cmd.Args[1:], left)
	}
}

// Catches: processes of a test that stay when its debugger, or the run that looks for the step, has ended, and a folder
// that it has made elsewhere than stress would.
func TestDebugEndsAll(t *testing.T) {
	delve(t)
	command, recording := leaving(t)
	for _, c := range []struct{ text, step string }{{"continue\n", ""}, {"quit\n", ""}, {"quit\n", "2"}} {
		p := command("debug", recording)
		if c.step != "" {
			p.cmd.Args = append(p.cmd.Args, "--step", c.step)
		}
		p.cmd.Stdin = strings.NewReader(c.text)
		if got := finish(t, p.cmd); got.code != 0 || !stopped.MatchString(got.errs+got.out) {
			t.Errorf("exit code %d\n%s%s", got.code, got.errs, got.out)
		}
		p.leaves(t)
	}
	p := command("debug", recording, "--step", "2")
	p.cmd.Env = append(p.cmd.Env, "PATH="+withoutDelve(t))
	if got := finish(t, p.cmd); got.code != 0 || !strings.Contains(got.out, "dlv is not on the PATH") {
		t.Errorf("exit code %d\n%s%s", got.code, got.errs, got.out)
	}
	p.leaves(t)
}

// Catches: a debugger that goes on when a signal ends stress debug, with what it runs, and what the run that looks for
// the step leaves when stress debug is killed.
func TestDebugEndsBySignals(t *testing.T) {
	delve(t)
	command, recording := leaving(t)
	for _, c := range []struct {
		args  string
		until string // a line
		send  syscall.Signal
	}{
		{"", "stops before step ", syscall.SIGTERM},
		{"", "stops before step ", syscall.SIGHUP},
		{"--listen 127.0.0.1:0", "API server listening at: ", syscall.SIGTERM},
		{"", "", syscall.SIGTERM},
		{"--step 1000", "", syscall.SIGTERM},
		{"--step 1000", "", syscall.SIGKILL},
	} {
		p := command(append([]string{"debug", recording}, strings.Fields(c.args)...)...)
		ready := ""
		if c.until == "" {
			ready = filepath.Join(t.TempDir(), "ready")
			p.cmd.Env = append(p.cmd.Env, "ROUSE_TEST_READY="+ready)
		}
		if c.send == syscall.SIGKILL { // what has left the group may not have been seen: see SECURITY.md
			p.cmd.Env = append(p.cmd.Env, "ROUSE_TEST_PLAIN=1")
		}
		in, err := p.cmd.StdinPipe() // nothing is typed
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		out, err := p.cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		p.cmd.Stderr = p.cmd.Stdout
		if err := p.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		text := ""
		lines := bufio.NewReader(out)
		for c.until != "" && !strings.Contains(text, c.until) {
			line, err := lines.ReadString('\n')
			if text += line; err != nil {
				t.Fatalf("%v: %s", err, text)
			}
		}
		for ready != "" {
			if _, err := os.Stat(ready); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		p.cmd.Process.Signal(c.send) //nolint:errcheck // it runs
		// If it does not end, this closes its input, and kills what it has started.
		late := time.AfterFunc(time.Minute, func() { in.Close(); p.processes(t, syscall.SIGKILL) })
		io.Copy(io.Discard, lines) //nolint:errcheck // it ends with the processes that write
		p.cmd.Wait()               //nolint:errcheck // see below
		if !late.Stop() {
			t.Errorf("%q: %v does not end it", c.args, c.send)
			continue
		}
		want := 128 + int(c.send)
		if c.send == syscall.SIGKILL {
			want = -1
			for tries := 0; p.processes(t, 0) > 0 && tries < 60_000; tries++ { // the guard kills them
				time.Sleep(time.Millisecond)
			}
			clean := command("clean")
			finish(t, clean.cmd).want(t, 0)
			clean.leaves(t)
		}
		if code := p.cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("%q, %v: exit code %d, want %d", c.args, c.send, code, want)
		}
		p.leaves(t)
	}
}
