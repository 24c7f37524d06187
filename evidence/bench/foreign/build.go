package foreign

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rouse-go/rouse/internal/process"
)

//go:embed rust/Cargo.toml rust/src/*.rs tbb/*.cpp
var sources embed.FS

// Registry is where Debian's packages put the sources of crates.
const Registry = "/usr/share/cargo/registry"

// Rayon builds the program on rayon in a folder, which it may fill. It does not rebuild a program
// that was built from the same sources. The error says what to install, or is the compiler's. It
// takes some 20 s.
func Rayon(ctx context.Context, folder string) (*Program, error) {
	if _, err := exec.LookPath("cargo"); err != nil {
		return nil, fmt.Errorf("there is no cargo: install Rust, and Debian's librust-rayon-dev")
	}
	if found, _ := filepath.Glob(filepath.Join(Registry, "rayon-1*")); found == nil {
		return nil, fmt.Errorf("no rayon in %s: apt install librust-rayon-dev", Registry)
	}
	crate := filepath.Join(folder, "rust")
	program := &Program{Name: "rayon", Version: rayonVersion(ctx), path: filepath.Join(crate, "target", "release", "rayon-peer")}
	if fresh, err := unpack(folder, "rust"); err != nil || !fresh && program.built() {
		return program, err
	}
	source := fmt.Sprintf("[source.crates-io]\nreplace-with = 'debian'\n[source.debian]\ndirectory = '%s'\n", Registry)
	if err := os.MkdirAll(filepath.Join(crate, ".cargo"), 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(crate, ".cargo", "config.toml"), []byte(source), 0o666); err != nil {
		return nil, err
	}
	if err := compile(ctx, crate, "cargo", "build", "--release", "--offline", "--quiet", "--target-dir", "target"); err != nil {
		return nil, err
	}
	return program, nil
}

// TBB is like Rayon, for the program on TBB.
func TBB(ctx context.Context, folder string) (*Program, error) {
	if _, err := exec.LookPath("c++"); err != nil {
		return nil, fmt.Errorf("there is no C++ compiler: apt install g++ libtbb-dev")
	}
	program := &Program{Name: "TBB", Version: tbbVersion(ctx), path: filepath.Join(folder, "tbb", "tbb-peer")}
	if fresh, err := unpack(folder, "tbb"); err != nil || !fresh && program.built() {
		return program, err
	}
	if err := compile(ctx, filepath.Join(folder, "tbb"), "c++", "-std=c++17", "-O3", "-o", program.path, "main.cpp", "-ltbb", "-pthread"); err != nil {
		return nil, fmt.Errorf("%w (apt install libtbb-dev, if it is TBB that is missing)", err)
	}
	return program, nil
}

// compile runs a compiler. The error holds the end of its output.
func compile(ctx context.Context, folder, name string, args ...string) error {
	c := process.Command(ctx, name, args...) // a compiler starts others
	c.Dir = folder
	said, err := process.CombinedOutput(c)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(said)), "\n")
		return fmt.Errorf("%s: %w: %s", name, err, lines[len(lines)-1])
	}
	return nil
}

// built reports whether the program is there.
func (p *Program) built() bool {
	_, err := os.Stat(p.path)
	return err == nil
}

// unpack copies sources into a folder, and reports whether any of them was not there before.
func unpack(folder, name string) (fresh bool, err error) {
	err = fs.WalkDir(sources, name, func(path string, entry fs.DirEntry, err error) error {
		to := filepath.Join(folder, filepath.FromSlash(path))
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.MkdirAll(to, 0o777)
		}
		content, err := sources.ReadFile(path)
		if err != nil {
			return err
		}
		if there, err := os.ReadFile(to); err == nil && bytes.Equal(there, content) {
			return nil
		}
		fresh = true
		return os.WriteFile(to, content, 0o666)
	})
	return fresh, err
}
