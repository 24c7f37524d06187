//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInputsAreFiles: what has no end, or would be waited for, is refused before it is opened.
func TestInputsAreFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"pipe", "out/journal.jsonl"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"validate pipe":              "pipe: found a pipe, want a regular file",
		"list --file pipe":           "pipe: found a pipe, want a regular file",
		"run --file pipe passes":     "pipe: found a pipe, want a regular file",
		"replay pipe":                "pipe: found a pipe, want a regular file",
		"explain pipe":               "pipe: found a pipe, want a regular file",
		"shrink pipe":                "pipe: found a pipe, want a regular file",
		"merge pipe":                 "pipe: found a pipe, want a regular file",
		"merge out":                  "out/journal.jsonl: found a pipe, want a regular file",
		"run --resume --out out":     "out/journal.jsonl: found a pipe, want a regular file; delete it to begin anew",
		"validate /dev/zero":         "/dev/zero: found a device, want a regular file",
		"merge /dev/zero":            "/dev/zero: found a device, want a regular file",
		"explain .":                  ".: found a folder, want a regular file",
		"validate /dev/stdin":        "/dev/stdin: found a pipe, want a regular file",
		"validate --quiet /dev/fd/0": "/dev/fd/0: found a pipe, want a regular file",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // if it waits
		cmd := exec.CommandContext(ctx, chaosBinary, strings.Fields(line)...)
		cmd.Dir = dir
		cmd.Stdin = bytes.NewReader([]byte(scenarioFile))
		got := finish(t, cmd)
		cancel()
		got.want(t, 2)
		if got.out != "" || got.errs != "stress: "+want+"\n" {
			t.Errorf("%s: %s%s, want %s", line, got.out, got.errs, want)
		}
	}
}
