package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestScriptSignals: a signal ends one of the scripts and all that its step has started, and nothing
// of it stays in the folder for temporary files.
func TestScriptSignals(t *testing.T) {
	for _, c := range []struct {
		kind   string
		signal syscall.Signal
		code   int
	}{{"step", syscall.SIGINT, 130}, {"step_on", syscall.SIGTERM, 143}, {"step", syscall.SIGHUP, 129}, {"nested", syscall.SIGTERM, 143}} {
		t.Run(c.kind+" "+c.signal.String(), func(t *testing.T) {
			t.Parallel()
			dir, temporary := t.TempDir(), t.TempDir()
			ready := filepath.Join(dir, "ready")
			p := &planting{mark: "ROUSE_TEST_MARK=script-" + strconv.Itoa(os.Getpid()) + c.kind + c.signal.String() + "\x00"}
			p.cmd = exec.Command("bash", "-c", `
source CI/steps.sh
long() { run sh -c 'sleep 1000 & : >"$0"; wait' "$1"; }
within() { run bash -c 'source CI/steps.sh; step within sh -c "sleep 1000 & : >\"$0\"; wait"' "$1"; }
if [[ $ROUSE_TEST_KIND == nested ]]; then step 'a script' within "$0"; else $ROUSE_TEST_KIND 'a long one' long "$0"; fi
step 'another one' touch "$0.2"`, ready)
			p.cmd.Dir = checkout
			p.cmd.Env = append(os.Environ(), strings.TrimSuffix(p.mark, "\x00"), "TMPDIR="+temporary, "ROUSE_TEST_KIND="+c.kind)
			p.cmd.Stderr = &p.errs
			p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := p.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { p.processes(t, syscall.SIGKILL) })
			for {
				if _, err := os.Stat(ready); err == nil {
					break
				}
				time.Sleep(time.Millisecond)
			}
			if n := p.end(t, c.signal); n > 0 {
				t.Errorf("%d processes live on", n)
			}
			if got := p.cmd.ProcessState.ExitCode(); got != c.code {
				t.Errorf("exit code %d, want %d\n%s", got, c.code, &p.errs)
			}
			if left := tree(t, temporary); len(left) != 1 {
				t.Errorf("left %q", left)
			}
			if _, err := os.Stat(ready + ".2"); err == nil {
				t.Error("the next step has run")
			}
		})
	}
}

// TestScriptSteps: a step that fails ends the script with its exit code, also within; one that may fail does not.
func TestScriptSteps(t *testing.T) {
	for _, c := range []struct {
		script, out string
		code        int
	}{
		{`step one echo 1; step two echo 2`, "1 2", 0},
		{`f() { false; echo 1; }; step one f; step two echo 2`, "", 1},
		{`f() { (exit 3); echo 1; }; step one f; step two echo 2`, "", 3},
		{`f() { exit 3; }; step_on one f; step two echo 2`, "2", 1},
		{`f() { false; echo 1; }; step_on one f; step two echo 2`, "2", 1},
		{`f() { printf '1\n' | run cat; }; step one f`, "+ cat 1", 0},
	} {
		cmd := exec.Command("bash", "-c", "source CI/steps.sh; "+c.script)
		cmd.Dir = checkout
		got := finish(t, cmd)
		got.want(t, c.code)
		var said []string
		steps, _, _ := strings.Cut(got.out, "\n=== summary")
		for line := range strings.Lines(steps) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "===") {
				said = append(said, line)
			}
		}
		if strings.Join(said, " ") != c.out {
			t.Errorf("%s: it says %q, want %s\n%s", c.script, said, c.out, got.errs)
		}
	}
}
