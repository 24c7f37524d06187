package unmodified

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

const (
	// modFlags let the go command complete go.mod and go.sum of the copy.
	modFlags = "GOFLAGS=-mod=mod"
	// noWorkspace: a go.work names modules that are not in the copy.
	noWorkspace = "GOWORK=off"
	// beforeModules is the language version for modules without a go.mod: the last in which rand.Seed seeds.
	beforeModules = "1.23"
)

// Fetch downloads a suite's module and returns a copy of it below folder, with its dependencies
// downloaded. A module without a go.mod gets one.
func (s *Suite) Fetch(ctx context.Context, folder string) (dir string, err error) {
	out, err := goCommand(ctx, folder, "mod", "download", "-json", s.Module+"@"+s.Version)
	if err != nil {
		return "", err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return "", err
	}
	dir = filepath.Join(folder, s.Name)
	if err := os.CopyFS(dir, os.DirFS(module.Dir)); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(name, 0o755)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o644); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		if _, err := goCommand(ctx, dir, "mod", "init", s.Module); err != nil {
			return "", err
		}
		if _, err := goCommand(ctx, dir, "mod", "edit", "-go="+beforeModules); err != nil {
			return "", err
		}
	}
	if err := dropFolders(ctx, dir); err != nil {
		return "", err
	}
	_, err = goCommand(ctx, dir, append([]string{"list", "-deps", "-test"}, s.Packages...)...)
	return dir, err
}

// dropFolders removes the replacements of go.mod that are folders: one of several modules in a repository
// names its neighbours, which are not in the copy.
func dropFolders(ctx context.Context, dir string) error {
	out, err := goCommand(ctx, dir, "mod", "edit", "-json")
	if err != nil {
		return err
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return err
	}
	for _, r := range mod.Replace {
		if r.New.Version != "" {
			continue
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		if _, err := goCommand(ctx, dir, "mod", "edit", "-dropreplace="+old); err != nil {
			return err
		}
	}
	return nil
}

// Native runs the tests of the suite with go test, and returns the failures. It leaves out examples, as
// stress test does.
func (s *Suite) Native(ctx context.Context, dir string) (failed string, err error) {
	args := []string{"test", "-vet=off", "-count=1", "-run", "^Test"}
	if s.Skip != "" {
		args = append(args, "-skip", s.Skip)
	}
	_, err = goCommand(ctx, dir, append(args, s.Packages...)...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return err.Error(), nil
	}
	return "", err
}

func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), modFlags, noWorkspace)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("go %q in %s: %w\n%s%s", args, dir, err, out, exit.Stderr)
	}
	return out, err
}
