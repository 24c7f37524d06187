package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A finding is a way in which hooks are not free.
type finding struct {
	where string // a function, a symbol, a line
	what  string
}

// A result is what the proof found in one package.
type result struct {
	path      string
	functions []string // all, by symbol
	hooked    []string // the functions with a hook or a drop-in in them
	findings  []finding
	points    []string // symbols
}

// prove compares the packages that match the patterns, built with tags, with the same packages without
// hooks. An error means that nothing is proved either way.
func prove(m *module, tags string, patterns []string) ([]*result, error) {
	packages, err := m.list(patterns...)
	if err != nil {
		return nil, err
	}
	hooked, stripped := map[string][]byte{}, map[string][]byte{}
	var results []*result
	var paths []string
	removed := true
	for _, p := range packages {
		r, err := stripPackage(m, p, hooked, stripped)
		if err != nil {
			return nil, err
		}
		results, paths, removed = append(results, r), append(paths, r.path), removed && len(r.findings) == 0
	}
	if !removed { // the two builds cannot be compared
		return results, nil
	}
	with, err := m.with("with", tags, hooked)
	if err != nil {
		return nil, err
	}
	without, err := m.with("without", "", stripped)
	if err != nil {
		return nil, err
	}
	for _, r := range results {
		if err := r.compare(with, without); err != nil {
			return nil, err
		}
	}
	if !free(results) {
		return results, nil
	}
	if results[0].findings, err = compareImports(with, without, paths); err != nil {
		return nil, err
	}
	return results, results[0].link(m, tags, paths)
}

// stripPackage adds the files of a package to hooked and stripped, the files that differ in the two builds.
func stripPackage(m *module, p *goPackage, hooked, stripped map[string][]byte) (*result, error) {
	s := newStripper(m.path)
	strip := func(files []string) error {
		for _, name := range files {
			name = filepath.Join(p.Dir, name)
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			out, err := s.file(name, text)
			if err != nil {
				return err
			}
			if bytes.Contains(text, []byte(s.hooks)) {
				stripped[name] = out
			}
		}
		return nil
	}
	if err := strip(p.GoFiles); err != nil {
		return nil, err
	}
	r := &result{path: p.ImportPath, findings: s.left}
	for _, fn := range s.functions {
		name := linkName(p.ImportPath) + "." + fn
		r.functions = append(r.functions, name)
		if s.hooked[fn] {
			r.hooked = append(r.hooked, name)
		}
	}
	for _, point := range s.points {
		r.points = append(r.points, linkName(p.ImportPath)+"."+point)
	}
	for _, files := range []map[string][]byte{hooked, stripped} {
		files[filepath.Join(p.Dir, "zerocost_test.go")] = []byte("package " + p.Name + "\n") // so that there is a test
		// A build cache may hold a package without what the compiler printed (it is removed by itself,
		// and the go command says nothing). A new file makes the compiler print it again.
		files[filepath.Join(p.Dir, "zerocost.go")] = []byte("package " + p.Name + " // " + rand.Text() + "\n")
	}
	return r, strip(slices.Concat(p.TestGoFiles, p.XTestGoFiles))
}

// compare builds the package in both ways: alone, and with its tests, which instantiate generic
// code, but whose imports may change what can be inlined. What the compiler makes of the tests does
// not count.
func (r *result) compare(with, without *module) error {
	var alone, tested [2]*listing
	for i, m := range []*module{with, without} {
		flags := "-gcflags=" + r.path + "=" + listingFlags
		_, out, err := m.goBuild("build", flags, r.path)
		if err != nil {
			return r.usedByHooksOnly(err)
		}
		alone[i] = parseListing(out)
		program := filepath.Join(m.scratch, "program")
		_, out, err = m.goBuild("test", "-c", "-o", program, flags, "-gcflags="+r.path+"_test="+listingFlags, r.path)
		if err != nil {
			return err
		}
		tested[i] = parseListing(out)
		tested[i].keep(r.functions)
	}
	r.add(compareListings(alone[0], alone[1])...)
	r.add(compareListings(tested[0], tested[1])...)
	for _, fn := range r.hooked {
		if !alone[0].hasCode(fn) && !tested[0].hasCode(fn) {
			r.add(finding{fn, "is hooked, but has no code: no test instantiates it"})
		}
	}
	for _, symbol := range slices.Sorted(maps.Keys(alone[0].code)) {
		for _, body := range alone[0].code[symbol] {
			r.forbid(with.path, strings.Join(body, "\n"))
		}
	}
	names, _, err := with.run("tool", "nm", filepath.Join(with.scratch, "program"))
	r.forbid(with.path, string(names))
	return err
}

// link reports the symbols of hooks in a program that imports packages and all of hooks.
func (r *result) link(m *module, tags string, paths []string) error {
	packages, err := m.list(append(slices.Clone(paths), "./hooks/...")...)
	if err != nil {
		return err
	}
	text := "package main\n\nimport (\n"
	for _, p := range packages {
		if p.Name != "main" {
			text += "\t_ " + strconv.Quote(p.ImportPath) + "\n"
		}
	}
	text += ")\n\nfunc main() {}\n"
	m, err = m.with("imports", tags, map[string][]byte{filepath.Join(m.root, "zerocost", "main.go"): []byte(text)})
	if err != nil {
		return err
	}
	program := filepath.Join(m.scratch, "program")
	if _, _, err := m.goBuild("build", "-o", program, "./zerocost"); err != nil {
		return err
	}
	names, _, err := m.run("tool", "nm", program)
	r.forbid(m.path, string(names))
	return err
}

// forbid reports the symbols in a text, of a listing or of a program, that do not belong in a
// normal build.
func (r *result) forbid(modulePath, text string) {
	for _, name := range strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || c == ',' }) {
		name = strings.TrimPrefix(strings.TrimSuffix(name, "(SB)"), "$")
		if slices.Contains(r.points, name) {
			r.add(finding{name, "a hook point is in the program"})
		} else if pkg := hookPackage(modulePath, name); pkg != "" {
			r.add(finding{name, "a symbol of " + pkg + " is in the program"})
		}
	}
}

// hookPackage returns the package of hooks, or internal/seam, that a symbol or an import path names.
func hookPackage(modulePath, name string) string {
	for _, pkg := range []string{"hooks", "internal/seam"} {
		if _, rest, ok := strings.Cut(name, modulePath+"/"+pkg); ok && (rest == "" || rest[0] == '.' || rest[0] == '/') {
			return pkg
		}
	}
	return ""
}

// add adds the findings that are not about something that has been reported.
func (r *result) add(findings ...finding) {
	known := slices.Clone(r.findings)
	for _, f := range findings {
		if !slices.ContainsFunc(known, func(k finding) bool { return k.where == f.where }) {
			r.findings = append(r.findings, f)
		}
	}
}

var unused = regexp.MustCompile(`(?m)^(\S+\.go:\d+)(?::\d+)?: declared and not used: (\w+)$`)

// usedByHooksOnly makes findings of the compiler's complaints about variables that only hooks use: the
// normal build computes them for nothing.
func (r *result) usedByHooksOnly(err error) error {
	for _, m := range unused.FindAllStringSubmatch(err.Error(), -1) {
		r.findings = append(r.findings, finding{m[1], m[2] + " is used by hooks only: declare it behind `if hooks.Enabled`"})
	}
	if len(r.findings) > 0 {
		return nil
	}
	return err
}

// compareImports returns the packages that are linked only because hooks import them.
func compareImports(with, without *module, paths []string) (findings []finding, err error) {
	var imports [2][]string
	for i, m := range []*module{with, without} {
		out, _, err := m.goBuild("list", append([]string{"-deps"}, paths...)...)
		if err != nil {
			return nil, err
		}
		imports[i] = strings.Fields(string(out))
	}
	for _, path := range imports[0] {
		if !slices.Contains(imports[1], path) && hookPackage(with.path, path) == "" {
			findings = append(findings, finding{path, "is linked and initialised only because hooks import it"})
		}
	}
	for _, path := range imports[1] {
		if hookPackage(with.path, path) != "" {
			return nil, fmt.Errorf("without hooks, %s is still imported", path)
		}
	}
	return findings, nil
}
