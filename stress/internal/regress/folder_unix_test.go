//go:build unix

package regress

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Catches: a file that the go command ignores and that has no end, or cannot be read.
func TestReadFolderIgnores(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a_test.go": "package a\n\nfunc TestA() {}\n", "_b_test.go": "package b\n\nfunc TestB() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "_pipe_test.go"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{".#a_test.go": "me@host.1:2", "none_test.go": "none", "_zero_test.go": "/dev/zero"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := ReadFolder(dir)
	if err != nil || f.Package != "a" || len(f.tests) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}
