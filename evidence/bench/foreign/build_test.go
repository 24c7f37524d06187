package foreign

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Catches: a machine without compilers on which the run fails, or which is not told what to install.
func TestNothingInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Rayon(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "install Rust, and Debian's librust-rayon-dev") {
		t.Errorf("rayon: %v", err)
	}
	if _, err := TBB(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "apt install g++ libtbb-dev") {
		t.Errorf("TBB: %v", err)
	}
}

// tool puts a compiler that is a shell script at the front of the path.
func tool(t *testing.T, name, script string) {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// Catches: a compiler's complaint that is lost, sources that are not where it looks for them, a
// program that is not the one that was built.
func TestBuild(t *testing.T) {
	tool(t, "c++", "echo first; echo tbb.h: not found >&2; exit 1")
	if _, err := TBB(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "tbb.h: not found") || !strings.Contains(err.Error(), "apt install libtbb-dev") {
		t.Errorf("%v, want what the compiler has said", err)
	}
	tool(t, "c++", "cp main.cpp tbb-peer")
	p, err := TBB(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if built, err := os.ReadFile(p.path); err != nil || !strings.Contains(string(built), "parallel_invoke") {
		t.Errorf("%s, %v", built, err)
	}
	trouble := errors.New("trouble")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(trouble)
	if _, err := TBB(ctx, t.TempDir()); !errors.Is(err, trouble) {
		t.Errorf("%v, want the cause", err)
	}
}

// Catches: a program that is built again although it is there, or is not although its source has
// changed.
func TestBuiltAlready(t *testing.T) {
	tool(t, "c++", "[ $1 = -dumpfullversion ] || { echo >> compiled; cp main.cpp tbb-peer; }")
	folder := t.TempDir()
	source := filepath.Join(folder, "tbb", "main.cpp")
	for i, want := range []int{1, 1, 2} {
		if i == 2 {
			if err := os.WriteFile(source, []byte("older"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := TBB(t.Context(), folder); err != nil {
			t.Fatal(err)
		}
		if times, err := os.ReadFile(filepath.Join(folder, "tbb", "compiled")); err != nil || len(times) != want {
			t.Errorf("compiled %d times, want %d, %v", len(times), want, err)
		}
	}
}

// Catches: a source that is not embedded: the build would fail where nobody looks.
func TestSources(t *testing.T) {
	folder := t.TempDir()
	if _, err := unpack(folder, "rust"); err != nil {
		t.Fatal(err)
	}
	main, err := os.ReadFile(filepath.Join(folder, "rust", "src", "main.rs"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(main)) {
		if name, ok := strings.CutPrefix(strings.TrimSuffix(line, ";\n"), "mod "); ok {
			if _, err := os.Stat(filepath.Join(folder, "rust", "src", name+".rs")); err != nil {
				t.Error(err)
			}
		}
	}
}
