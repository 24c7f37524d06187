package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// A dependency is a package, or a variant of one that go list makes for tests, with what --since needs of it.
type dependency struct {
	ImportPath, Dir string
	Standard        bool
	Module          *moduleOrigin
	Error           *struct{ Err string }
	DepsErrors      []struct{ Err string }
	Deps            []string

	GoFiles, CgoFiles, SFiles []string

	EmbedPatterns, TestEmbedPatterns, XTestEmbedPatterns []string
}

// A moduleOrigin says where the sources of a module are.
type moduleOrigin struct {
	Dir, GoMod, Version string
	Replace             *moduleOrigin
}

// fixed reports whether the sources are those of a version, in the module cache, which does not change.
func (m *moduleOrigin) fixed() bool {
	if m.Replace != nil {
		return m.Replace.Version != ""
	}
	return m.Version != ""
}

// changedSince returns the packages that have changed since the commit Since, or that depend on one that has, they or
// their tests: packages with changed sources or embedded files, and with other changed files below their folders, such
// as testdata, which only their own tests may read. What is not known counts as changed.
func (s *session) changedSince(ctx context.Context, packages []*listed) (changed []*listed, err error) {
	c := &changes{session: s}
	if err = c.find(ctx); err != nil {
		return nil, err
	}
	all, err := c.dependencies(ctx)
	if err != nil {
		return nil, err
	}
	if c.ofModules(all) {
		return packages, nil
	}
	c.attribute(all)
	tests := map[string]*dependency{}
	for _, d := range all {
		tests[d.ImportPath] = d
	}
	for _, p := range packages {
		if c.affects(p, tests) {
			changed = append(changed, p)
		}
	}
	return changed, nil
}

// changes are what has changed since a commit.
type changes struct {
	*session
	top     string          // the folder of the repository, without symbolic links
	files   []string        // absolute; a changed submodule is one
	ignored []string        // that git ignores, and packages may be built from
	sources map[string]bool // import paths of packages that others may see changes of
	own     map[string]bool // of packages whose own tests may
}

// git runs a git command in a folder. Its error has git's reason.
func (c *changes) git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := process.Command(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := process.Run(cmd)
	switch reason := strings.TrimSpace(errs.String()); {
	case err == nil:
		return out.String(), nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case reason == "" || errors.Is(err, exec.ErrNotFound):
		return "", &InputError{fmt.Sprintf("--since %s: the git command: %v", c.Since, err)}
	default:
		return "", &InputError{fmt.Sprintf("--since %s: git: %s", c.Since, reason)}
	}
}

// find lists the files that differ between the commit and the working tree, and those that are not in the repository.
func (c *changes) find(ctx context.Context) error {
	top, err := c.git(ctx, c.dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	if c.top, err = filepath.EvalSymlinks(strings.TrimSuffix(top, "\n")); err != nil {
		return err
	}
	commit, err := c.git(ctx, c.top, "rev-parse", "--verify", "--end-of-options", c.Since+"^{commit}")
	if err != nil {
		var input *InputError
		if errors.As(err, &input) {
			_, reason, _ := strings.Cut(input.Problem, ": ")
			input.Problem = fmt.Sprintf("--since %s: want a commit of the repository %s; %s", c.Since, c.top, reason)
		}
		if shallow, e := c.git(ctx, c.top, "rev-parse", "--is-shallow-repository"); errors.As(err, &input) && e == nil && strings.TrimSpace(shallow) == "true" {
			err = &InputError{input.Problem + "; this clone is shallow, and may lack it"}
		}
		return err
	}
	diff, err := c.git(ctx, c.top, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=none", strings.TrimSpace(commit), "--")
	if err != nil {
		return err
	}
	untracked, err := c.git(ctx, c.top, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return err
	}
	// Of the files that git ignores, nobody knows when they have changed. They count if a package is built from them.
	ignored, err := c.git(ctx, c.top, "ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--", "*.go", "*.s", "*.c", "*.h")
	if err != nil {
		return err
	}
	c.files, c.ignored = c.paths(diff+untracked), c.paths(ignored)
	return nil
}

// paths returns the files that git lists with -z.
func (c *changes) paths(list string) (all []string) {
	for name := range strings.SplitSeq(list, "\x00") {
		if name != "" {
			all = append(all, filepath.Join(c.top, filepath.FromSlash(name)))
		}
	}
	return all
}

// dependencies lists the packages, those of their tests, and all that they depend on.
func (c *changes) dependencies(ctx context.Context) (all []*dependency, err error) {
	all, _, err = goList[dependency](ctx, &c.Options, "-deps", "-test",
		"-json=ImportPath,Dir,Standard,Module,Error,DepsErrors,Deps,GoFiles,CgoFiles,SFiles,EmbedPatterns,TestEmbedPatterns,XTestEmbedPatterns")
	for _, p := range all {
		if real, err := filepath.EvalSymlinks(p.Dir); err == nil {
			p.Dir = real
		}
	}
	return all, err
}

// ofModules reports whether a file has changed by which the go command chooses modules, or whether the sources of all
// packages may be elsewhere.
func (c *changes) ofModules(all []*dependency) bool {
	flags := append(strings.Fields(os.Getenv("GOFLAGS")), c.Build.More...)
	for _, f := range flags {
		if name := strings.TrimLeft(f, "-"); strings.HasPrefix(name, "overlay") || strings.HasPrefix(name, "modfile") {
			return true
		}
	}
	folders := map[string]bool{}
	for _, d := range all {
		if m := d.Module; m != nil && !m.fixed() {
			for _, dir := range []string{m.Dir, filepath.Dir(m.GoMod)} {
				if real, err := filepath.EvalSymlinks(dir); err == nil {
					folders[real] = true
				}
			}
		}
	}
	return slices.ContainsFunc(c.files, func(file string) bool {
		dir, name := filepath.Split(file)
		dir = filepath.Clean(dir)
		switch name {
		case "go.mod", "go.sum":
			return folders[dir]
		case "modules.txt":
			return filepath.Base(dir) == "vendor"
		case "go.work", "go.work.sum": // above a module, or beside those that it uses
			return true
		}
		return false
	})
}

// base returns the import path of a package that go list gives for a test: "p [q.test]" is a variant of p.
func base(importPath string) string {
	path, _, _ := strings.Cut(importPath, " [")
	return path
}

// attribute finds the packages that changed files belong to.
func (c *changes) attribute(all []*dependency) {
	c.sources, c.own = map[string]bool{}, map[string]bool{}
	folders := map[string][]*dependency{}
	for _, d := range all {
		switch {
		case d.Standard || d.Dir == "":
		case below(c.top, d.Dir):
			folders[d.Dir] = append(folders[d.Dir], d)
		case d.Module == nil || !d.Module.fixed(): // of a folder that this repository does not have
			c.sources[base(d.ImportPath)] = true
		}
	}
	for _, file := range c.ignored {
		for _, d := range folders[filepath.Dir(file)] {
			c.own[base(d.ImportPath)] = true
			c.sources[base(d.ImportPath)] = c.sources[base(d.ImportPath)] || isSource(file)
		}
	}
	for _, file := range c.files {
		for dir, packages := range folders { // a submodule, or what else git lists as one
			if below(file, dir) {
				for _, d := range packages {
					c.sources[base(d.ImportPath)] = true
				}
			}
		}
		for _, d := range folders[filepath.Dir(file)] {
			if isSource(file) {
				c.sources[base(d.ImportPath)] = true
			}
		}
		for _, d := range all {
			if d.Standard || !below(d.Dir, file) {
				continue
			}
			if embeds(d.EmbedPatterns, d.Dir, file) {
				c.sources[base(d.ImportPath)] = true
			}
			if embeds(d.TestEmbedPatterns, d.Dir, file) || embeds(d.XTestEmbedPatterns, d.Dir, file) {
				c.own[base(d.ImportPath)] = true
			}
		}
		for _, d := range folders[nearest(file, folders, c.top)] {
			c.own[base(d.ImportPath)] = true
			if len(d.CgoFiles)+len(d.SFiles) > 0 { // it may include the file
				c.sources[base(d.ImportPath)] = true
			}
		}
	}
}

// isSource reports whether a file may be compiled into the package of its folder, but not only into its tests.
func isSource(file string) bool {
	if strings.HasSuffix(file, "_test.go") {
		return false
	}
	switch filepath.Ext(file) {
	case ".go", ".s", ".S", ".sx", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".m", ".f", ".F", ".for", ".f90", ".swig", ".swigcxx", ".syso":
		return true
	}
	return false
}

// nearest returns the folder of the package that a file lies below, or "". Another package or module between the two
// is one that the packages do not depend on.
func nearest(file string, folders map[string][]*dependency, top string) string {
	for dir := filepath.Dir(file); below(top, dir); dir = filepath.Dir(dir) {
		if folders[dir] != nil {
			return dir
		}
		if rel, err := filepath.Rel(top, dir); err == nil && !inTestdata(rel) {
			for _, other := range []string{"go.mod", "*.go"} {
				if all, _ := filepath.Glob(filepath.Join(escapeGlob(dir), other)); len(all) > 0 {
					return ""
				}
			}
		}
	}
	return ""
}

// inTestdata reports whether the go command takes a folder for data.
func inTestdata(dir string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(dir), "/"), func(name string) bool {
		return name == "testdata" || name != "." && strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
	})
}

// embeds reports whether one of the patterns of //go:embed matches a file, or a folder that it is in.
func embeds(patterns []string, dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	if err != nil {
		return false
	}
	for name := filepath.ToSlash(rel); name != "."; name = path.Dir(name) {
		for _, p := range patterns {
			if ok, _ := path.Match(strings.TrimPrefix(p, "all:"), name); ok || strings.TrimPrefix(p, "all:") == "." {
				return true
			}
		}
	}
	return false
}

// below reports whether a file is a folder, or below it.
func below(folder, file string) bool {
	rel, err := filepath.Rel(folder, file)
	return err == nil && filepath.IsLocal(rel)
}

// affects reports whether the tests of a package may depend on a change.
func (c *changes) affects(p *listed, all map[string]*dependency) bool {
	d := all[p.ImportPath]
	if d == nil || d.Standard || d.Error != nil || p.Error != nil || len(d.DepsErrors) > 0 || c.own[p.ImportPath] || c.sources[p.ImportPath] {
		return true
	}
	of := []*dependency{d}
	if p.tested() {
		main := all[p.ImportPath+".test"]
		if main == nil || main.Error != nil || len(main.DepsErrors) > 0 {
			return true
		}
		of = append(of, main)
	}
	for _, d := range of {
		if slices.ContainsFunc(d.Deps, func(path string) bool { return c.sources[base(path)] }) {
			return true
		}
	}
	return false
}

// noneChanged reports that there is nothing to test.
func (s *session) noneChanged() report.SuiteReport {
	r := &s.report
	r.Suite = s.describe(0)
	s.Observers.Notify(&r.Suite)
	r.Duration = time.Since(s.start)
	s.Observers.Notify(r)
	return *r
}
