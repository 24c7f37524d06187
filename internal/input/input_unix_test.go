//go:build unix

package input

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// Catches: a //line directive by which a report shows a file that is no source, or waits for one without an end.
func TestSource(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	link := func(name, to string) string {
		name = filepath.Join(dir, name)
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
		return name
	}
	secret := write("secret", "secret")
	write("m/go.mod", "module m\n")
	own := write("m/a/x.go", "package a\n")
	old := write("cache/example.com/old@v1.0.0/sub/x.go", "package old\n")
	cache := func() string { return filepath.Join(dir, "cache") }
	vendored := write("m/vendor/example.com/old/x.go", "package old\n")
	write("replaced@v1/go.mod", "module old\n")
	toolchain := write("cache/golang.org/toolchain@v0.0.1-go1.26.0.linux-amd64/lib/x.go", "package x\n")
	pipe := filepath.Join(dir, "m", "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	large := write("m/large.go", "")
	if err := os.Truncate(large, 1<<40); err != nil {
		t.Fatal(err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		own: "", old: "", vendored: "", toolchain: "", write("replaced@v1/x.go", "package old\n"): "",
		write("me@vpn.example/keys/id_rsa", "secret"): "a file of no module", write("old@v1.0.0/x.go", "package old\n"): "a file of no module",
		write("cache/config", "secret"): "a file of no module", write("cache/cache/download/example.com/old/@v/v1.0.0.info", "secret"): "a file of no module",
		write("cache/cache/vcs/old@v1/config", "secret"): "a file of no module", link("cache/example.com/old@v1.0.0/secret.go", secret): "a file of no module",
		write("cached/old@v1.0.0/x.go", "package old\n"): "a file of no module",
		write("m/parser.y", "%%"):                        "", link("link.go", own): "", filepath.Join(strings.TrimSpace(string(root)), "src", "sync", "mutex.go"): "",
		secret: "a file of no module", "/etc/passwd": "a file of no module", link("m/passwd.go", secret): "a file of no module", filepath.Join(dir, "m", "..", "secret"): "a file of no module",
		"x.go": "a relative name", "": "a relative name", pipe: "a pipe", link("m/zero.go", "/dev/zero"): "a file of no module", filepath.Join(dir, "m"): "a file of no module",
		filepath.Join(dir, "m", "a"): "a folder", large: fmt.Sprintf("%d bytes", 1<<40),
	} {
		text, err := source(path, cache)
		if want == "" && (err != nil || len(text) == 0) || want != "" && (err == nil || !strings.HasPrefix(err.Error(), "found "+want+", want ")) {
			t.Errorf("%q: %q, %v, want found %s", path, text, err, want)
		}
	}
	if _, err := Source(filepath.Join(dir, "none.go")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Source(filepath.Join(dir, "me@vpn.example", "keys", "id_rsa")); err == nil {
		t.Error("the folder of no module is taken for the module cache")
	}
}

// Without a cache no folder is in it, such as that where it is unknown.
func TestCachedNowhere(t *testing.T) {
	if dir := filepath.Join(t.TempDir(), "old@v1.0.0"); cached(dir, "") || cached("old@v1.0.0", "") {
		t.Error(dir)
	}
}

// TestModuleCache: it is that of the go command.
func TestModuleCache(t *testing.T) {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	if dir, err := filepath.EvalSymlinks(strings.TrimSpace(string(out))); err == nil && dir != moduleCache() {
		t.Errorf("%q, want %q", moduleCache(), dir)
	}
}

// Catches: a file that the go command ignores and that has no end, or cannot be read.
func TestGoFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[a]*")
	if files, err := GoFiles(dir, ".go"); len(files) > 0 || err != nil {
		t.Errorf("%q, %v", files, err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "folder_test.go"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.go", "b_test.go", ".hidden_test.go", "_old_test.go", "b_test.go~"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"_pipe_test.go", "pipe_test.go"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{".#b_test.go": "me@host.1:2", "none_test.go": "none", "zero_test.go": "/dev/zero", "loop_test.go": "loop_test.go", "link_test.go": "b_test.go"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for ending, want := range map[string]string{".go": "a.go b_test.go link_test.go", "_test.go": "b_test.go link_test.go"} {
		files, err := GoFiles(dir, ending)
		for i := range files {
			files[i] = strings.TrimPrefix(files[i], dir+"/")
		}
		if got := strings.Join(files, " "); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", ending, got, err, want)
		}
	}
}
