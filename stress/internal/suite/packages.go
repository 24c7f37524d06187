package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// A listed is a package as go list describes it.
type listed struct {
	ImportPath   string
	Dir          string
	TestGoFiles  []string
	XTestGoFiles []string
	Standard     bool
	Module       *module
	Error        *struct{ Err string }
}

// A module is a module as go list describes it.
type module struct {
	Path string
	Main bool
	Dir  string
}

// tested reports whether the package has test files.
func (p *listed) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// root returns the folder of the module of the package, or GOROOT; "" if it has none.
func (p *listed) root(goroot string) string {
	switch {
	case p.Standard:
		return goroot
	case p.Module != nil:
		return p.Module.Dir
	}
	return ""
}

// An InputError is the error of a request of the user that cannot be served.
type InputError struct{ Problem string }

func (e *InputError) Error() string { return e.Problem }

// list returns the packages that match the patterns, in the order of the go command.
func (o *Options) list(ctx context.Context) ([]*listed, error) {
	if o.listed != nil {
		return o.listed(ctx)
	}
	for _, p := range o.Packages {
		if strings.HasSuffix(p, ".go") {
			return nil, &InputError{fmt.Sprintf("%s: found a file, want a package such as ./queue or ./...", p)}
		}
	}
	all, warnings, err := goList[listed](ctx, o, "-find", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,Standard,Module,Error")
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.Error != nil && p.Dir == "" {
			return nil, &InputError{strings.TrimSpace(p.Error.Err)}
		}
	}
	if len(all) == 0 {
		return nil, &InputError{"no packages: " + strings.TrimSpace(strings.ReplaceAll(warnings, "go: warning: ", ""))}
	}
	return all, nil
}

// goList runs go list with these flags on the patterns, and returns what it describes, in its order. P has the fields
// that the flag -json names.
func goList[P any](ctx context.Context, o *Options, flags ...string) (all []*P, warnings string, err error) {
	args := slices.Concat([]string{"list", "-e"}, flags, o.Build.Flags(), []string{"--"}, o.Packages)
	cmd := process.Command(ctx, "go", args...)
	cmd.Dir = o.dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := process.Run(cmd); err != nil {
		if ctx.Err() != nil {
			return nil, "", context.Cause(ctx)
		}
		return nil, "", goFailed(err, errs.String())
	}
	for d := json.NewDecoder(&out); ; {
		p := new(P)
		if err := d.Decode(p); err == io.EOF {
			return all, errs.String(), nil
		} else if err != nil {
			return nil, "", fmt.Errorf("go list: %w", err)
		}
		all = append(all, p)
	}
}

// goFailed returns the error of a go command that failed with the given text on standard error.
func goFailed(err error, text string) error {
	if text = strings.TrimSpace(text); text == "" || errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("the go command: %w", err)
	}
	return &InputError{text}
}

// A place is a line of a file.
type place struct {
	file string
	line int
}

// PackageFolder returns the folder of the package of a test's recording, and whether it is the user's own: not of the
// standard library, and of a main module or none. It looks from the current folder and from the folder of the file.
func PackageFolder(ctx context.Context, o Options, file string, rec *recording.Recording) (dir string, own bool, err error) {
	path, _, err := rec.Test()
	if err != nil {
		return "", false, &InputError{fmt.Sprintf("%s: %v", file, err)}
	}
	o.Build.as(rec)
	s := &session{Options: o}
	p, err := s.packageOf(ctx, file, path)
	if err != nil {
		return "", false, err
	}
	return p.Dir, !p.Standard && (p.Module == nil || p.Module.Main), nil
}

// declarations returns where the tests of a package are declared, for annotations. File names are relative to
// the current folder if the files are below it.
func (p *listed) declarations() map[string]place {
	all := map[string]place{}
	for _, name := range append(append([]string(nil), p.TestGoFiles...), p.XTestGoFiles...) {
		set, path := token.NewFileSet(), filepath.Join(p.Dir, name)
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if f == nil || err != nil {
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				name := fn.Name.Name
				if _, ok := all[name]; ok {
					name += recording.SecondTest
				}
				all[name] = place{prose.Relative(path), set.PositionFor(fn.Pos(), false).Line}
			}
		}
	}
	return all
}
