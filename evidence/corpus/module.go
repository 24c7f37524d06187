package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/internal/process"
)

// modFlags lets the go command complete the go.mod of a generated module.
const modFlags = "GOFLAGS=-mod=mod"

// A place is where a bug's tests run.
type place struct {
	dir string   // of the module
	env []string // of stress and the go command
}

// A Workshop is a folder with the modules that are made for bugs.
type Workshop struct {
	Source string // the repository of rouse
	Root   string // of the corpus
	Dir    string

	mu   sync.Mutex
	made map[string]error // what this process has made in Dir
}

// place returns the place of the bug's test, or with fixed of the test that should pass. It makes modules that
// do not exist.
func (w *Workshop) place(ctx context.Context, b *Bug, fixed bool) (place, error) {
	switch {
	case b.Set.Name == "goroot":
		dir := filepath.Join(w.Dir, "goroot")
		return place{dir: dir}, w.once(dir, func() error {
			if err := os.Mkdir(dir, 0o755); err != nil {
				return err
			}
			_, err := goroot.GoKer(ctx, dir)
			return err
		})
	case b.Released():
		version := b.Broken
		if fixed {
			version = b.FixedVersion
		}
		dir := filepath.Join(w.Dir, b.Set.Dir+"@"+version)
		return place{dir, []string{modFlags}}, w.once(dir, func() error { return w.driver(ctx, b, version, dir) })
	}
	return place{dir: filepath.Join(w.Root, b.Set.Dir)}, nil
}

// driver makes a module from a driver and a version of its library.
func (w *Workshop) driver(ctx context.Context, b *Bug, version, dir string) error {
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(w.Root, b.Set.Dir))); err != nil {
		return err
	}
	mod := fmt.Sprintf("module example.com/%s\n\ngo 1.25.0\n\nrequire %s %s\n", filepath.Base(b.Set.Dir), b.Module, version)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644); err != nil {
		return err
	}
	_, err := goCommand(ctx, dir, []string{modFlags}, "list", "-deps", "-test", ".")
	return err
}

// once calls fill once for a path of the workshop, after removing what another process has left there.
func (w *Workshop) once(path string, fill func() error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err, ok := w.made[path]; ok {
		return err
	}
	err := errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o755))
	if err == nil {
		err = fill()
	}
	if w.made == nil {
		w.made = map[string]error{}
	}
	w.made[path] = err
	return err
}

func goCommand(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := process.Command(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := process.Run(cmd); err != nil {
		return nil, fmt.Errorf("go %q in %s: %w\n%s%s", args, dir, errors.Join(err, context.Cause(ctx)), out.Bytes(), complaints.Bytes())
	}
	return out.Bytes(), nil
}
