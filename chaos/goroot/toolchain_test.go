package goroot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Catches: a downloaded toolchain that is used where it is, that is copied each time, or that is
// copied as half of one.
func TestDownloadedToolchain(t *testing.T) {
	modules, cache := t.TempDir(), t.TempDir()
	root := filepath.Join(modules, "golang.org", "toolchain@v0.0.1-go1.26.1.linux-amd64")
	fakeRoot(t, root)
	if err := os.MkdirAll(filepath.Join(root, "doc", "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", modules)
	made := mustMake(t, Options{Cache: cache, CompileOnly: true})
	if !strings.HasPrefix(made.GOROOT, cache) || made.Go != filepath.Join(made.GOROOT, "bin", "go") {
		t.Errorf("GOROOT %s, %s, want both below %s", made.GOROOT, made.Go, cache)
	}
	if want := []string{"GOROOT=" + made.GOROOT, "GOTOOLCHAIN=local"}; !slices.Equal(made.Env, want) {
		t.Errorf("environment %q, want %q", made.Env, want)
	}
	for from := range replaced(t, made) {
		if !strings.HasPrefix(from, made.GOROOT) {
			t.Errorf("%s is replaced, which is not below %s", from, made.GOROOT)
		}
	}
	same := func(name string) bool {
		a, err := os.Stat(filepath.Join(root, name))
		b, err2 := os.Stat(filepath.Join(made.GOROOT, name))
		return err == nil && err2 == nil && os.SameFile(a, b)
	}
	if !same("src/runtime/proc.go") {
		t.Error("a file was copied where a link could be")
	}
	if _, err := os.Stat(filepath.Join(made.GOROOT, "doc")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("doc: %v", err)
	}
	if err := os.WriteFile(filepath.Join(made.GOROOT, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if again := mustMake(t, Options{Cache: cache, CompileOnly: true}); again.GOROOT != made.GOROOT {
		t.Errorf("GOROOT %s, then %s", made.GOROOT, again.GOROOT)
	}
	if _, err := os.Stat(filepath.Join(made.GOROOT, "mine")); err != nil {
		t.Errorf("the toolchain was copied twice: %v", err)
	}
	remove(t, filepath.Join(made.GOROOT, "src", "testing", "testing.go"))
	mustMake(t, Options{Cache: cache, CompileOnly: true})
	if !same("src/testing/testing.go") {
		t.Error("half a toolchain stays")
	}
}

// Catches: a copy that differs from what was copied.
func TestCopyFile(t *testing.T) {
	from := filepath.Join(t.TempDir(), "from")
	if err := os.WriteFile(from, []byte("text"), 0o555); err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1e9, 0)
	if err := os.Chtimes(from, at, at); err != nil {
		t.Fatal(err)
	}
	to := from + ".copy"
	if err := copyFile(from, to); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(to)
	info, err2 := os.Stat(to)
	if err != nil || err2 != nil || string(text) != "text" || !info.ModTime().Equal(at) || info.Mode().Perm()&0o111 == 0 {
		t.Errorf("%q %v, %v %v", text, info, err, err2)
	}
	if err := copyFile(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file: %v", err)
	}
}
