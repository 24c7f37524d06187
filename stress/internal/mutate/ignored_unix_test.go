//go:build unix

package mutate

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Catches: a file that the go command ignores and that has no end, or cannot be read.
func TestIgnoredFiles(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod": "module example.com/ignored\n\ngo 1.25\n", "a.go": "package ignored\n\nfunc F(c chan int) { close(c) }\n", "a_test.go": "package ignored\n",
	})
	want := ids(t, Options{Seed: 1})
	if err := syscall.Mkfifo("_zz_test.go", 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{".#a_test.go": "me@host.1:2", "_zero_test.go": "/dev/zero"} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	if got := ids(t, Options{Seed: 1}); len(want) == 0 || strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%q, want %q", got, want)
	}
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(out, journalName), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openJournal(out); err == nil || !strings.Contains(err.Error(), "want a regular file") {
		t.Errorf("a pipe as a journal: %v", err)
	}
	if err := syscall.Mkfifo("pipe.go", 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := hashOf([]string{"pipe.go"}); err == nil || err.Error() != "pipe.go: found a pipe, want a regular file" {
		t.Errorf("a pipe: %v", err)
	}
}
