package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rouse-go/rouse/internal/process"
)

// A tree is the module as one of the builds sees it: the files on disk, some of
// them replaced.
type tree struct {
	ctx     context.Context // ends the go commands
	root    string          // the folder of go.mod
	module  string
	tags    string
	overlay map[string][]byte // by absolute path
	scratch string            // a folder of its own, for what the go command wants as files
}

// A goPackage is what the go command says of a package.
type goPackage struct {
	ImportPath string
	Dir        string
	Name       string
	GoFiles    []string
	CgoFiles   []string
	Imports    []string
	Export     string // the object file
	Standard   bool
}

// openTree finds the module that dir is in.
func openTree(ctx context.Context, dir, scratch string) (*tree, error) {
	t := &tree{ctx: ctx, root: dir, scratch: scratch, overlay: map[string][]byte{}}
	out, err := t.goCommand("list", "-m", "-json")
	if err != nil {
		return nil, err
	}
	var m struct{ Path, Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return nil, err
	}
	t.root, t.module = m.Dir, m.Path
	return t, os.MkdirAll(scratch, 0o777)
}

// with returns the tree with more files replaced, or added.
func (t *tree) with(scratch string, files map[string][]byte) (*tree, error) {
	u := *t
	u.scratch = filepath.Join(t.scratch, scratch)
	u.overlay = map[string][]byte{}
	for _, layer := range []map[string][]byte{t.overlay, files} {
		for name, text := range layer {
			u.overlay[name] = text
		}
	}
	return &u, u.writeOverlay()
}

func (t *tree) overlayFile() string { return filepath.Join(t.scratch, "overlay.json") }

// writeOverlay puts the replaced files into the scratch folder, at the paths that
// they have in the module.
func (t *tree) writeOverlay() error {
	replace := map[string]string{}
	for name, text := range t.overlay {
		rel, err := filepath.Rel(t.root, name)
		if err != nil {
			return err
		}
		at := filepath.Join(t.scratch, "tree", rel)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(at, text, 0o666); err != nil {
			return err
		}
		replace[name] = at
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(t.overlayFile(), text, 0o666)
}

// inModule returns the path of a file relative to the module, be it the file
// itself or what the overlay has in its place. A relative name is taken as the go
// command means it, which names files relative to the module if they are near.
func (t *tree) inModule(name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(t.root, name)
	}
	for _, root := range []string{filepath.Join(t.scratch, "tree"), t.root} {
		if rel, err := filepath.Rel(root, name); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return name
}

// read reads a file as this tree has it.
func (t *tree) read(name string) ([]byte, error) {
	if text, ok := t.overlay[name]; ok {
		return text, nil
	}
	return os.ReadFile(name)
}

// buildFlags are the same for all builds of a tree: archives that the go command
// has listed are those that it links.
func (t *tree) buildFlags() []string {
	flags := []string{"-trimpath", "-buildvcs=false", "-tags=" + t.tags}
	if len(t.overlay) > 0 {
		flags = append(flags, "-overlay", t.overlayFile())
	}
	return flags
}

// list describes the packages that match, and with deps all that they import,
// imported packages first.
func (t *tree) list(deps, export bool, patterns ...string) ([]*goPackage, error) {
	args := append([]string{"list"}, t.buildFlags()...)
	args = append(args, "-json=ImportPath,Dir,Name,GoFiles,CgoFiles,Imports,Export,Standard")
	if deps {
		args = append(args, "-deps")
	}
	if export {
		args = append(args, "-export")
	}
	out, err := t.goCommand(append(args, patterns...)...)
	if err != nil {
		return nil, err
	}
	var packages []*goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(goPackage)
		if err := d.Decode(p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
}

// build links the package into an executable and returns its path.
func (t *tree) build(importPath string) (string, error) {
	exe := filepath.Join(t.scratch, "probe.exe")
	args := append([]string{"build", "-o", exe}, t.buildFlags()...)
	_, err := t.goCommand(append(args, importPath)...)
	return exe, err
}

// goCommand runs the go command in the root of the module and returns what it
// printed.
func (t *tree) goCommand(args ...string) ([]byte, error) {
	stdout, _, err := t.runGo(args)
	return stdout, err
}

// goStderr is goCommand for what the compiler has to say.
func (t *tree) goStderr(args ...string) ([]byte, error) {
	_, stderr, err := t.runGo(args)
	return stderr, err
}

func (t *tree) runGo(args []string) (stdout, stderr []byte, err error) {
	var out, complaints bytes.Buffer
	cmd := process.Command(t.ctx, "go", args...)
	cmd.Dir = t.root
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err = process.Run(cmd)
	if t.ctx.Err() != nil {
		return nil, nil, context.Cause(t.ctx)
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = &goError{args: args, stderr: complaints.String()}
	}
	return out.Bytes(), complaints.Bytes(), err
}

// A goError is what the go command complained about.
type goError struct {
	args   []string
	stderr string
}

func (e *goError) Error() string {
	return fmt.Sprintf("go %s:\n%s", strings.Join(e.args, " "), strings.TrimSpace(e.stderr))
}
