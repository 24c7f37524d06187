package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// driverLines is the maximum length of a driver, in lines.
const driverLines = 30

// Check returns an error if a test of a table does not exist, a driver is too long, or a program has a
// test that its table does not mention.
func Check(root string, sets []*Set) (err error) {
	for _, s := range sets {
		if s.Name == "goroot" {
			continue // its tests are generated from GOROOT
		}
		tests := map[string][]string{} // by folder
		for _, b := range s.Bugs {
			dir := filepath.Join(root, s.Dir, filepath.FromSlash(b.Package))
			if tests[dir] == nil {
				names, e := testsIn(dir)
				tests[dir], err = names, errors.Join(err, e)
			}
			for _, test := range []string{b.Test, b.Fixed} {
				if test != "" && !slices.Contains(tests[dir], test) {
					err = errors.Join(err, fmt.Errorf("%s: %s has no %s", b.place(), filepath.ToSlash(b.Package), test))
				}
			}
		}
		err = errors.Join(err, s.unmentioned(tests))
		if strings.HasPrefix(s.Dir, "released/") || strings.HasPrefix(s.Dir, "hunt/") {
			err = errors.Join(err, s.drivers(root))
		}
	}
	return err
}

// unmentioned returns an error if a folder has a test that no bug mentions.
func (s *Set) unmentioned(tests map[string][]string) (err error) {
	var mentioned []string
	for _, b := range s.Bugs {
		mentioned = append(mentioned, b.Test, b.Fixed)
	}
	for dir, names := range tests {
		for _, name := range names {
			if name != "TestMain" && !slices.Contains(mentioned, name) {
				err = errors.Join(err, fmt.Errorf("%s/%s: no bug has the test %s of %s", s.Dir, file, name, filepath.Base(dir)))
			}
		}
	}
	return err
}

// drivers returns an error if a Go file of the set is not a test of at most driverLines.
func (s *Set) drivers(root string) (err error) {
	names, err := filepath.Glob(filepath.Join(root, s.Dir, "*.go"))
	for _, name := range names {
		text, e := os.ReadFile(name)
		err = errors.Join(err, e)
		if n := bytes.Count(text, []byte("\n")); n > driverLines {
			err = errors.Join(err, fmt.Errorf("%s/%s: %d lines, want at most %d", s.Dir, filepath.Base(name), n, driverLines))
		}
		if !strings.HasSuffix(name, "_test.go") {
			err = errors.Join(err, fmt.Errorf("%s/%s: want a driver to be a test", s.Dir, filepath.Base(name)))
		}
	}
	return err
}

// testsIn returns the names of the tests in a folder.
func testsIn(dir string) (tests []string, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && strings.HasPrefix(d.Name.Name, "Test") {
				tests = append(tests, d.Name.Name)
			}
		}
	}
	return tests, nil
}
