package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rouse-go/rouse/internal/process"
)

// A module is the checkout as one of the two builds sees it.
type module struct {
	ctx        context.Context // ends the go commands
	root, path string          // the folder of go.mod, the module's path
	scratch    string          // a folder for the overlay and the binaries
	flags      []string        // of every build
}

// A goPackage holds the fields of go list for a package.
type goPackage struct {
	ImportPath, Dir, Name              string
	GoFiles, TestGoFiles, XTestGoFiles []string
}

// openModule finds the module around the current folder.
func openModule(ctx context.Context, scratch string) (*module, error) {
	m := &module{ctx: ctx, root: ".", scratch: scratch}
	out, _, err := m.run("list", "-m", "-json")
	if err != nil {
		return nil, err
	}
	var of struct{ Path, Dir string }
	if err := json.Unmarshal(out, &of); err != nil {
		return nil, err
	}
	m.root, m.path = of.Dir, of.Path
	return m, nil
}

// with returns the module with some files replaced or added, and build tags.
func (m *module) with(name, tags string, files map[string][]byte) (*module, error) {
	n := *m
	n.scratch = filepath.Join(m.scratch, name)
	replace := map[string]string{}
	for path, text := range files {
		at := filepath.Join(n.scratch, "tree", strings.TrimPrefix(path, m.root))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(at, text, 0o666); err != nil {
			return nil, err
		}
		replace[path] = at
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return nil, err
	}
	overlay := filepath.Join(n.scratch, "overlay.json")
	n.flags = []string{"-buildvcs=false", "-tags=" + tags, "-overlay", overlay}
	return &n, os.WriteFile(overlay, text, 0o666)
}

// list describes the packages that match.
func (m *module) list(patterns ...string) (packages []*goPackage, err error) {
	out, _, err := m.goBuild("list", append([]string{"-json=ImportPath,Dir,Name,GoFiles,TestGoFiles,XTestGoFiles"}, patterns...)...)
	for d := json.NewDecoder(bytes.NewReader(out)); err == nil && d.More(); {
		packages = append(packages, new(goPackage))
		err = d.Decode(packages[len(packages)-1])
	}
	return packages, err
}

// goBuild runs a go command with the flags of this build.
func (m *module) goBuild(command string, args ...string) (stdout, stderr []byte, err error) {
	return m.run(append(append([]string{command}, m.flags...), args...)...)
}

// run runs the go command in the root of the module. The error has its standard error.
func (m *module) run(args ...string) (stdout, stderr []byte, err error) {
	var out, complaints bytes.Buffer
	cmd := process.Command(m.ctx, "go", args...)
	cmd.Dir = m.root
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err = process.Run(cmd)
	if m.ctx.Err() != nil {
		return nil, nil, context.Cause(m.ctx)
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("go %s:\n%s", strings.Join(args, " "), bytes.TrimSpace(complaints.Bytes()))
	}
	return out.Bytes(), complaints.Bytes(), err
}
