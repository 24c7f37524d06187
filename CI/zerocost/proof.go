package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A report says what the proof found, package by package.
type report struct {
	packages []*verdict
	// binary are the findings that belong to no package.
	binary []finding
}

// A verdict is what the proof found in one package.
type verdict struct {
	path     string
	total    int      // functions
	hooked   []string // those with a hook or a drop-in in them
	noops    map[string]int
	findings []finding
	stripped *stripped
}

func (r *report) free() bool {
	dirty := func(v *verdict) bool { return len(v.findings) > 0 }
	return len(r.binary) == 0 && !slices.ContainsFunc(r.packages, dirty)
}

// prove compares the packages that match the patterns, built with tags, with the
// same packages of the normal build stripped of hooks. An error means that there
// is no proof either way.
func prove(t *tree, tags string, patterns ...string) (*report, error) {
	p := &proof{report: &report{}, seen: map[string]bool{}}
	if err := p.strip(t, patterns); err != nil {
		return nil, err
	}
	if !p.report.free() { // what cannot be stripped cannot be compared
		return p.report, nil
	}
	exports, err := p.checkStripped()
	if err != nil {
		if p.onlyForHooks(err) {
			return p.report, nil
		}
		return nil, err
	}
	if err := p.addProbe(t, tags, exports); err != nil {
		return nil, err
	}
	for _, compare := range []func() error{p.compareInlining, p.compareObjects, p.compareBinaries} {
		if err := compare(); err != nil {
			return nil, err
		}
	}
	return p.report, nil
}

// A proof is the work in progress.
type proof struct {
	report        *report
	targets       []*goPackage
	stripped      *tree
	with, without *tree // the trees that are compared, with the probe in them
	probe         string
	seen          map[string]bool // the symbols that have been reported
}

// paths returns the import paths of the packages that are proved.
func (p *proof) paths() []string {
	var paths []string
	for _, pkg := range p.targets {
		paths = append(paths, pkg.ImportPath)
	}
	return paths
}

// strip makes the tree without hooks.
func (p *proof) strip(t *tree, patterns []string) error {
	all, err := t.list(true, false, patterns...)
	if err != nil {
		return err
	}
	matched, err := t.list(false, false, patterns...)
	if err != nil {
		return err
	}
	packageNames := map[string]string{}
	for _, pkg := range all {
		packageNames[pkg.ImportPath] = pkg.Name
	}
	s := newStripper(t.module, packageNames)
	s.show = t.inModule
	files := map[string][]byte{}
	for _, pkg := range all { // imported packages first
		if !slices.ContainsFunc(matched, func(m *goPackage) bool { return m.ImportPath == pkg.ImportPath }) {
			continue
		}
		var paths []string
		for _, name := range slices.Concat(pkg.GoFiles, pkg.CgoFiles) {
			paths = append(paths, filepath.Join(pkg.Dir, name))
		}
		out, err := s.pkg(pkg.ImportPath, paths, t.read)
		if err != nil {
			return err
		}
		for name, text := range out.files {
			files[name] = text
		}
		v := &verdict{path: pkg.ImportPath, total: len(out.funcs), noops: map[string]int{}, findings: out.left, stripped: out}
		for _, fn := range out.funcs {
			if out.hooked[fn] {
				v.hooked = append(v.hooked, fn)
			}
		}
		p.targets = append(p.targets, pkg)
		p.report.packages = append(p.report.packages, v)
	}
	if len(p.targets) == 0 {
		return fmt.Errorf("no package matches %s", strings.Join(patterns, " "))
	}
	p.stripped, err = t.with("stripped", files)
	return err
}

// checkStripped compiles the stripped packages and makes sure that no hooks are
// left in them. It returns the object files.
func (p *proof) checkStripped() (exports map[string]string, err error) {
	deps, err := p.stripped.list(true, true, p.paths()...)
	if err != nil {
		return nil, err
	}
	s := newStripper(p.stripped.module, nil)
	exports = map[string]string{}
	for _, pkg := range deps {
		if s.isHooks(pkg.ImportPath) || pkg.ImportPath == s.module+"/internal/seam" {
			return nil, fmt.Errorf("the stripped tree still imports %s", pkg.ImportPath)
		}
		exports[pkg.ImportPath] = pkg.Export
	}
	return exports, nil
}

var unused = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: declared and not used: (\w+)$`)

// onlyForHooks turns the compiler's complaint about variables that nothing but
// hooks used into findings: they are work that the normal build does for nothing.
func (p *proof) onlyForHooks(err error) bool {
	found := unused.FindAllStringSubmatch(err.Error(), -1)
	for _, m := range found {
		file := p.stripped.inModule(m[1])
		line, _ := strconv.Atoi(m[2])
		p.add(finding{
			fn:   p.enclosing(filepath.Join(p.stripped.root, file), line),
			what: fmt.Sprintf("%s:%d: %s is used by hooks only: declare it behind `if hooks.Enabled`", file, line, m[3]),
		})
	}
	return len(found) > 0
}

// enclosing returns the function that a line of a stripped file is in.
func (p *proof) enclosing(name string, line int) string {
	path := p.stripped.module
	for _, pkg := range p.targets {
		if filepath.Dir(name) == pkg.Dir {
			path = pkg.ImportPath
		}
	}
	text, err := p.stripped.read(name)
	if err != nil {
		return path
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return path
	}
	for _, decl := range file.Decls {
		from, to := fset.Position(decl.Pos()).Line, fset.Position(decl.End()).Line
		if fn, ok := decl.(*ast.FuncDecl); ok && from <= line && line <= to {
			return linkName(path) + "." + funcName(fn)
		}
	}
	return path
}

// addProbe adds the generated main package to both trees. It is generated from
// the stripped packages and fits both.
func (p *proof) addProbe(t *tree, tags string, exports map[string]string) error {
	packages, err := importTypes(exports, p.paths())
	if err != nil {
		return err
	}
	probe := newProbe(packages)
	for _, fn := range probe.out {
		p.report.binary = append(p.report.binary, finding{fn: fn, what: "could not be instantiated, so its code was not seen"})
	}
	p.probe = t.module + "/internal/zerocostprobe"
	files := map[string][]byte{filepath.Join(t.root, "internal", "zerocostprobe", "main.go"): probe.source()}
	if p.without, err = p.stripped.with("probe", files); err != nil {
		return err
	}
	hooked := *t
	hooked.tags = tags
	p.with, err = hooked.with("hooked", files)
	return err
}

// importTypes loads packages from object files.
func importTypes(exports map[string]string, paths []string) ([]*types.Package, error) {
	open := func(path string) (io.ReadCloser, error) {
		file, ok := exports[path]
		if !ok || file == "" {
			return nil, fmt.Errorf("no object file of %s", path)
		}
		return os.Open(file)
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", open)
	var packages []*types.Package
	for _, path := range paths {
		pkg, err := imp.Import(path)
		if err != nil {
			return nil, err
		}
		packages = append(packages, pkg)
	}
	return packages, nil
}

// add files a finding under its package.
func (p *proof) add(f finding) {
	p.seen[f.fn] = true
	if v, _ := p.owner(f.fn); v != nil {
		v.findings = append(v.findings, f)
		return
	}
	p.report.binary = append(p.report.binary, f)
}
