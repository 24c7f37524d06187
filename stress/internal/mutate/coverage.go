package mutate

import (
	"context"
	"fmt"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A test is a top-level test of a package, an example or a fuzz test.
type test struct {
	name   string
	blocks map[string][]block       // blocks of the package, by file
	passes map[string]time.Duration // time that it takes in each way in which it passes without a mutant
	// unmutated has an entry for each way under stress test in which it passes.
	unmutated map[string]*unmutatedTest
}

// A block is a range of a file in which either all statements run or none.
type block struct {
	from, to place
	ran      bool // the test ran it
}

type place struct{ line, column int }

func (p place) before(other place) bool {
	return p.line < other.line || p.line == other.line && p.column < other.column
}

func (b block) has(p place) bool { return !p.before(b.from) && p.before(b.to) }

// overlaps reports whether the block and a range overlap.
func (b block) overlaps(from, to place) bool { return b.from.before(to) && from.before(b.to) }

// measure runs a test with coverage, or takes the result from the journal. It reports whether it passes.
func (s *session) measure(ctx context.Context, p *pkg, binary func() (string, error), t *test) (passes bool, err error) {
	key := s.unmutatedKey(p, stepCover, t.name)
	u, passes := s.journal.passed(key)
	var profile []byte
	if passes {
		profile, err = uncompressed(u.Profile)
	} else if profile, passes, err = s.profile(ctx, p, binary, t); passes && err == nil {
		err = s.journal.passes(unmutated{Key: key, Profile: compressed(profile)})
	}
	if err == nil && passes {
		t.blocks, err = readProfile(string(profile))
	}
	return passes, err
}

// profile runs a test with coverage: it returns the profile, and whether the test passes.
func (s *session) profile(ctx context.Context, p *pkg, binary func() (string, error), t *test) (profile []byte, passes bool, err error) {
	covering, err := binary()
	if err != nil {
		return nil, false, err
	}
	dir, remove, err := s.folder()
	if err != nil {
		return nil, false, err
	}
	defer remove()
	file := filepath.Join(dir, "profile")
	r, err := s.runTests(ctx, p, covering, []*test{t}, dir, s.patience(), 1, "-test.coverprofile="+file)
	if err != nil || r.code != 0 {
		return nil, false, err
	}
	profile, err = os.ReadFile(file)
	if err != nil {
		return nil, true, nil // TestMain has ended the process: the coverage is unknown
	}
	return profile, true, nil
}

// readProfile returns the blocks of a coverage profile, by the base name of the file.
func readProfile(text string) (map[string][]block, error) {
	all := map[string][]block{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "mode:") {
			continue
		}
		colon := strings.LastIndexByte(line, ':')
		if colon < 0 {
			return nil, fmt.Errorf("a line of the coverage profile is %q: it names no file", line)
		}
		var b block
		var statements, count int
		if _, err := fmt.Sscanf(line[colon+1:], "%d.%d,%d.%d %d %d", &b.from.line, &b.from.column, &b.to.line, &b.to.column, &statements, &count); err != nil {
			return nil, fmt.Errorf("a line of the coverage profile is %q: %w", line, err)
		}
		b.ran = count > 0
		file := path.Base(line[:colon])
		all[file] = append(all[file], b)
	}
	return all, nil
}

// covers reports whether the test runs over the mutant, and whether it runs the mutant's function. Code outside of
// blocks, such as the cases of a select, runs with the rest of its function; the initializer of a variable runs
// with all tests.
func (t *test) covers(m *mutant) (line, function bool) {
	at, in := place{m.Position.Line, m.Position.Column}, false
	blocks := t.blocks[filepath.Base(m.File)]
	for _, b := range blocks {
		line = line || b.ran && b.has(at)
		in = in || b.has(at)
	}
	from, to, ok := m.function()
	function = !ok || slices.ContainsFunc(blocks, func(b block) bool { return b.ran && b.overlaps(from, to) })
	return line || !in && function, function
}

// function returns the range of the function that contains the mutant, or false if it is in none.
func (m *mutant) function() (from, to place, ok bool) {
	for _, file := range m.pkg.Syntax {
		if m.pkg.Fset.PositionFor(file.FileStart, false).Filename != m.File {
			continue
		}
		for _, d := range file.Decls {
			fn, is := d.(*ast.FuncDecl)
			if !is {
				continue
			}
			start, end := m.pkg.Fset.PositionFor(fn.Pos(), false), m.pkg.Fset.PositionFor(fn.End(), false)
			if start.Offset <= m.Position.Offset && m.Position.Offset < end.Offset {
				return place{start.Line, start.Column}, place{end.Line, end.Column}, true
			}
		}
	}
	return from, to, false
}

// directed returns the base names of the files that have //line directives, or that such directives name. A coverage
// profile has the names and lines of the directives, without columns and perhaps several times.
func (p *pkg) directed() map[string]bool {
	names := map[string]bool{}
	for _, file := range p.Syntax {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
					names[filepath.Base(p.Fset.PositionFor(c.Pos(), false).Filename)] = true
					names[filepath.Base(p.Fset.PositionFor(c.End()+1, true).Filename)] = true
				}
			}
		}
	}
	return names
}

// see finds the tests that see each mutant of the package: those that run over its line. If none does, it takes
// the tests that run its function, since the lines that they run may depend on the schedule. If the coverage is
// unknown, it takes all tests.
func (p *pkg) see() {
	directed, noted := p.directed(), map[string]bool{}
	for _, m := range p.mutants {
		if name := filepath.Base(m.File); directed[name] {
			m.tests, m.report.NoCoverage = slices.Clone(p.tests), true
			if !noted[name] {
				p.note("%s has lines of //line directives, by which coverage is unknown: all tests run for its mutants", name)
				noted[name] = true
			}
			continue
		}
		var functions []*test
		for _, t := range p.tests {
			line, function := t.covers(m)
			if line {
				m.tests = append(m.tests, t)
				m.report.Tests = append(m.report.Tests, t.name)
			}
			if function {
				functions = append(functions, t)
			}
		}
		if len(m.tests) == 0 {
			m.tests = functions
		}
	}
}
