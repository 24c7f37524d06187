package mutate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
)

// A listing holds, for a package and its tests, a hash of the compiled instructions and data of each, without
// positions.
type listing map[string]string

// listed returns the listing of the package, or of the package with its tests, which instantiate generic
// functions.
func (s *session) listed(ctx context.Context, p *pkg, dir, overlay string, withTests bool) (listing, map[string]bool, error) {
	args := []string{"build"}
	if withTests {
		args = []string{"test", "-c", "-vet=off"}
	}
	if withTests || p.Name == "main" { // the result of another package is discarded
		args = append(args, "-o", filepath.Join(dir, "listed"))
	}
	args = append(args, s.Build.Flags()...)
	out, err := s.goCommand(ctx, dir, args, overlay, []string{"-gcflags=" + p.PkgPath + "=-S", p.PkgPath})
	if err != nil {
		return nil, nil, err
	}
	l, functions := readListing(out)
	return l, functions, nil
}

var (
	positionIn = regexp.MustCompile(`^(\t0x[0-9a-f]+ \d+) \([^\t]*\)\t`)
	symbolLine = regexp.MustCompile(`^(\S.*) S([A-Z]+) `)
	arguments  = regexp.MustCompile(`\[[^\[\]]*\]`)
)

// readListing parses the compiler's output. It returns the listing, and the functions that have code, without type
// arguments.
func readListing(out string) (listing, map[string]bool) {
	texts, functions := map[string]*strings.Builder{}, map[string]bool{}
	section, debug := new(strings.Builder), false
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(line, "# "); ok {
			section = texts[name]
			if section == nil {
				section = new(strings.Builder)
				texts[name] = section
			}
			continue
		}
		m := symbolLine.FindStringSubmatch(line)
		if m != nil {
			debug = strings.HasPrefix(m[2], "DWARF") // it has positions
		}
		if debug {
			continue
		}
		if m != nil && m[2] == "TEXT" {
			name := m[1]
			for arguments.MatchString(name) {
				name = arguments.ReplaceAllString(name, "")
			}
			functions[name] = true
		}
		section.WriteString(positionIn.ReplaceAllString(line, "$1\t"))
	}
	l := listing{}
	for name, text := range texts {
		l[name] = fmt.Sprintf("%x", sha256.Sum256([]byte(text.String())))
	}
	return l, functions
}

// equivalent reports whether the mutant compiles to the same code as the package, so that no test can
// distinguish them. It returns false for a function that is not compiled because no test instantiates it.
func (s *session) equivalent(ctx context.Context, m *mutant, dir, overlay string) (bool, error) {
	for _, withTests := range []bool{false, true} {
		changed, functions, err := s.listed(ctx, m.pkg, dir, overlay, withTests)
		if err != nil {
			return false, err
		}
		unmutated, err := s.unmutated(ctx, m.pkg, withTests)
		if err != nil || !maps.Equal(changed, unmutated) {
			return false, err
		}
		if m.compiled(functions) {
			return true, nil
		}
		if m.pkg.untested {
			break
		}
	}
	return false, nil
}

// unmutated returns the listing of the package without a mutant, which is made once.
func (s *session) unmutated(ctx context.Context, p *pkg, withTests bool) (listing, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.listings[withTests]; l != nil {
		return l, nil
	}
	dir, remove, err := s.folder()
	if err != nil {
		return nil, err
	}
	defer remove()
	l, _, err := s.listed(ctx, p, dir, "", withTests)
	if err == nil {
		p.listings[withTests] = l
	}
	return l, err
}

// compiled reports whether the mutant's function has compiled code.
func (m *mutant) compiled(functions map[string]bool) bool {
	if _, ok := m.pkg.Types.Scope().Lookup(m.Function).(*types.Var); ok {
		return true // its initializer is
	}
	path, last := "", m.pkg.PkgPath
	if slash := strings.LastIndexByte(last, '/'); slash >= 0 {
		path, last = last[:slash+1], last[slash+1:]
	}
	name := path + strings.ReplaceAll(last, ".", "%2e") + "." + m.Function
	return functions[name] || m.pkg.Name == "main" && functions["main."+m.Function]
}
