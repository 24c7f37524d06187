package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
)

// Handout runs the test of a failure, and writes what a newcomer gets into a folder: page.html, and lines.txt with
// what stress test prints of it. It returns the explanation, which has the order that decides.
//
// The sources have no comments but those of a library, and no test of what is fixed. The module of a library is
// the one that is tested, with the driver in its folder failure, so that places are in its sources.
func (w *Workshop) Handout(ctx context.Context, tool goroot.Tool, f *Failure, out string) (explained string, err error) {
	p, pkg, err := w.plain(ctx, f)
	if err != nil {
		return "", err
	}
	recordings := filepath.Join(w.Dir, "recordings", fmt.Sprintf("%02d", f.Number))
	if err := os.RemoveAll(recordings); err != nil { // what an earlier run has left would be repeated first
		return "", err
	}
	args := []string{"--quiet", "--seed", "1", "--executions", fmt.Sprint(max(1000, f.Bug.Executions)), "--run", "^" + f.Bug.Test + "$"}
	r, err := tool.Test(ctx, p.dir, recordings, p.env, append(append(args, f.Bug.Args...), pkg)...)
	if err != nil {
		return "", err
	}
	if len(r.Tests) != 1 || !r.Tests[0].Failed() {
		return "", fmt.Errorf("%s: the bug is not found", f.Bug.ID())
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return "", err
	}
	explained, err = tool.Explain(ctx, p.dir, r.Tests[0].Recording, filepath.Join(out, "page.html"), p.env)
	if err != nil {
		return "", err
	}
	return explained, os.WriteFile(filepath.Join(out, "lines.txt"), []byte(linesOf(r.Printed)), 0o644)
}

// plain makes the module in which the test of a failure is run, and returns it with the pattern of its package.
func (w *Workshop) plain(ctx context.Context, f *Failure) (place, string, error) {
	p, err := w.place(ctx, f.Bug, false)
	if err != nil {
		return p, "", err
	}
	dir := filepath.Join(w.Dir, "newcomers", fmt.Sprintf("%02d", f.Number))
	fixed := map[string]bool{}
	for _, b := range f.Bug.Set.Bugs {
		fixed[b.Fixed] = true
	}
	from, pkg := p.dir, f.Bug.Package
	if f.Bug.Released() {
		if from, err = source(ctx, p, f.Bug); err != nil {
			return p, "", err
		}
		pkg = "./failure"
	}
	return place{dir, p.env}, pkg, w.once(dir, func() error {
		if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
			return err
		}
		if f.Bug.Fixed != "" {
			if err := keepTest(filepath.Join(dir, filepath.FromSlash(pkg)), f.Bug.Test); err != nil {
				return err
			}
		}
		if !f.Bug.Released() {
			return stripAll(dir, fixed)
		}
		folder := filepath.Join(dir, "failure")
		if err := os.CopyFS(folder, os.DirFS(filepath.Join(w.Root, f.Bug.Set.Dir))); err != nil {
			return err
		}
		return errors.Join(os.Remove(filepath.Join(folder, file)), stripAll(folder, fixed), whole(ctx, dir, f.Bug.Module))
	})
}

// keepTest removes the other test files of a folder than the one that has the test.
func keepTest(dir, test string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, name := range names {
		text, e := os.ReadFile(name)
		if err = errors.Join(err, e); e == nil && !bytes.Contains(text, []byte("func "+test+"(")) {
			err = errors.Join(err, os.Remove(name))
		}
	}
	return err
}

// source is the folder that has a library.
func source(ctx context.Context, p place, b *Bug) (string, error) {
	text, err := goCommand(ctx, p.dir, p.env, "mod", "download", "-json", b.Module+"@"+b.Broken)
	if err != nil {
		return "", err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(text, &module); err != nil {
		return "", err
	}
	return module.Dir, nil
}

// whole completes the go.mod of a library, so that the driver can be a package of it.
func whole(ctx context.Context, dir, module string) error {
	name := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		if err := os.WriteFile(name, []byte("module "+module+"\n"), 0o644); err != nil {
			return err
		}
	}
	_, err := goCommand(ctx, dir, []string{modFlags}, "mod", "edit", "-go=1.25.0")
	if err == nil {
		_, err = goCommand(ctx, dir, []string{modFlags}, "list", "-deps", "-test", "./failure")
	}
	return err
}

// stripAll blanks the comments and the named functions in the Go files of a folder and those below.
func stripAll(dir string, functions map[string]bool) error {
	return filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if text, err = strip(text, functions); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return os.WriteFile(name, text, 0o644)
	})
}

// strip blanks comments, but for directives, and the functions with those names: lines keep their numbers.
func strip(text []byte, functions map[string]bool) ([]byte, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	text = slices.Clone(text)
	blank := func(n ast.Node) {
		for i := set.Position(n.Pos()).Offset; i < set.Position(n.End()).Offset; i++ {
			if text[i] != '\n' {
				text[i] = ' '
			}
		}
	}
	for _, group := range tree.Comments {
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, "//go:") {
				blank(c)
			}
		}
	}
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && functions[f.Name.Name] {
			blank(f)
		}
	}
	lines := bytes.Split(text, []byte("\n"))
	for i := range lines {
		lines[i] = bytes.TrimRight(lines[i], " \t")
	}
	return bytes.Join(lines, []byte("\n")), nil
}

var (
	failedLine   = regexp.MustCompile(`^FAIL \S+ \S+  `)
	labelledLine = regexp.MustCompile(`^[a-z]+ {2,}\S`) // of an explanation
	kept         = regexp.MustCompile(`^\s+reproduce: `)
)

// linesOf are what stress test says of a failure in a few lines: that it fails and how, the explanation, and the
// command that repeats it. The table and the stacks are on the page.
func linesOf(printed string) string {
	var b strings.Builder
	paragraph, head := false, false
	for line := range strings.Lines(printed) {
		text, of := strings.CutPrefix(strings.TrimLeft(line, " "), "|")
		text = strings.TrimPrefix(text, " ")
		switch {
		case failedLine.MatchString(line):
			paragraph, head = false, true
		case kept.MatchString(line):
			paragraph, head = false, false
		case !of:
			continue
		case strings.TrimSpace(text) == "":
			paragraph, head = false, false
			continue
		case labelledLine.MatchString(text):
			paragraph = true
		case !paragraph && !head, paragraph && !strings.HasPrefix(text, " "):
			paragraph = false
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}
