//go:build unix

package main

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignals: a signal ends the program and the go command with what that has started, and no
// folder stays.
func TestSignals(t *testing.T) {
	if received := make(chan os.Signal, 1); signal.Ignored(os.Interrupt) { // as in the background of a shell; a child inherits that
		signal.Notify(received, os.Interrupt)
		defer signal.Stop(received)
	}
	for s, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		dir, temporary := t.TempDir(), t.TempDir()
		ready := filepath.Join(dir, "ready")
		script := "#!/bin/sh\nsleep 1000 &\necho $! >'" + ready + ".new'\nmv '" + ready + ".new' '" + ready + "'\nwait\n"
		if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), programEnv+"=1", "TMPDIR="+temporary, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var pid int
		for pid == 0 {
			text, _ := os.ReadFile(ready) // it is there at once or later
			pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
			time.Sleep(time.Millisecond)
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() //nolint:errcheck // the exit code says it
		if got := cmd.ProcessState.ExitCode(); got != code {
			t.Errorf("%v: exit code %d, want %d", s, got, code)
		}
		if out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output(); err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z") {
			t.Errorf("%v: process %d lives on: %s", s, pid, out)
			syscall.Kill(pid, syscall.SIGKILL) //nolint:errcheck // it may be gone
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("%v: left %v, %v", s, left, err)
		}
	}
}
