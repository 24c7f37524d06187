//go:build unix

package input

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRead(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, size := range []int{0, 1, 511, 512, 4096, 100_000} {
		want := bytes.Repeat([]byte("x"), size)
		if err := os.WriteFile("f", want, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Read("f", int64(size)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
		_, err := Read("f", int64(size)-1)
		if want := fmt.Sprintf("found %d bytes, want at most %d", size, size-1); err == nil || err.Error() != want {
			t.Errorf("%d bytes, one too many: %v", size, err)
		}
	}
	if _, err := Read("none", 1); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// What has no end, or cannot be read twice, is not even opened.
func TestReadRefuses(t *testing.T) {
	dir, err := os.MkdirTemp("", "in") // the name of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(pipe, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for path, want := range map[string]string{
		pipe: "a pipe", filepath.Join(dir, "link"): "a pipe", socket: "a socket", dir: "a folder", os.DevNull: "a device", "/dev/zero": "a device",
	} {
		if _, err := Read(path, 1<<20); err == nil || err.Error() != "found "+want+", want a regular file" {
			t.Errorf("%s: %v, want found %s", path, err, want)
		}
	}
}
