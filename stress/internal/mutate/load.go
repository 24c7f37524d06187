package mutate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/internal/input"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/operator"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

// A pkg is a package with its mutants.
type pkg struct {
	*packages.Package
	dir     string
	hash    string // hash of its test files
	files   string // hash of its files and its test files
	mutants []*mutant
	notes   []string
	problem string // why it cannot be tested

	tests    []*test // tests that pass without a mutant in some way
	untested bool    // it has no tests
	blocked  bool    // no test takes part in any way, though some should
	// together is how long all tests take in one process. It has the ways in which the sum of their times exceeds the
	// budget but this time does not.
	together map[string]time.Duration
	mu       sync.Mutex
	listings map[bool]listing // listings without a mutant, by whether they include the tests
}

// A mutant is a mutant that is tested, or was left out by a sample.
type mutant struct {
	operator.Mutant
	pkg    *pkg
	source []byte // source of its file
	hash   string // of source
	tests  []*test
	report report.MutantReport
	done   bool
}

// An env holds the used variables of go env.
type env struct{ GOFLAGS, GOVERSION, GOMODCACHE string }

// readEnv reads the variables from the go command.
func readEnv(ctx context.Context) (e env, err error) {
	cmd := process.Command(ctx, "go", "env", "-json", "GOFLAGS", "GOVERSION", "GOMODCACHE")
	out, err := process.CombinedOutput(cmd)
	if err == nil {
		err = json.Unmarshal(out, &e)
	}
	if err != nil && ctx.Err() == nil {
		return e, fmt.Errorf("the go command: %w %s", err, strings.TrimSpace(string(out)))
	}
	return e, context.Cause(ctx)
}

// load loads and type-checks the packages, and finds their mutants.
func (s *session) load(ctx context.Context) (err error) {
	for _, p := range s.Packages {
		if strings.HasSuffix(p, ".go") {
			return refused("%s: found a file, want a package such as ./queue or ./...", p)
		}
	}
	if s.env, err = readEnv(ctx); err != nil {
		return err
	}
	flags := s.Build.Flags()
	if s.replaced, err = goroot.UserOverlay(ctx, goroot.Options{BuildFlags: flags}); err != nil {
		return refused("%v", err)
	}
	config := packages.Config{Context: ctx, Mode: operator.Mode, BuildFlags: withoutOverlay(flags), Overlay: map[string][]byte{}}
	tmp, remove, err := suite.Temporary(temporaryPrefix) // files that a killed go command leaves are removed with it
	if err != nil {
		return err
	}
	defer remove() //nolint:errcheck // the next run tries again
	config.Env = append(os.Environ(), "GOTMPDIR="+tmp)
	for from, to := range s.replaced {
		if to == "" || filepath.Ext(from) != ".go" {
			continue
		}
		if config.Overlay[from], err = input.Read(to, mostBytes); err != nil {
			return refused("-overlay: %s: %v", to, err)
		}
	}
	patterns := s.Packages
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	all, err := packages.Load(&config, patterns...)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return refused("%s", strings.TrimSpace(strings.TrimPrefix(err.Error(), "err: exit status 1: stderr: ")))
	case len(all) == 0:
		return noPackages(ctx, patterns)
	}
	slices.SortFunc(all, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	for _, p := range all {
		if err := s.add(p); err != nil {
			return err
		}
	}
	return nil
}

// noPackages returns the error if no package matches, with the message of the go command.
func noPackages(ctx context.Context, patterns []string) error {
	out, _ := process.CombinedOutput(process.Command(ctx, "go", append([]string{"list", "--"}, patterns...)...)) //nolint:errcheck // the text says more
	text := strings.TrimSpace(strings.ReplaceAll(string(out), "go: warning: ", ""))
	return refused("no packages: %s", cmp.Or(text, strings.Join(patterns, " ")))
}

// withoutOverlay returns the flags for packages.Load, which makes an overlay of its own.
func withoutOverlay(flags []string) []string {
	return slices.DeleteFunc(slices.Clone(flags), func(f string) bool { return strings.HasPrefix(f, "-overlay=") })
}

// add adds a package with its mutants.
func (s *session) add(loaded *packages.Package) error {
	p := &pkg{Package: loaded, listings: map[bool]listing{}, together: map[string]time.Duration{}}
	if len(loaded.GoFiles) > 0 {
		p.dir = filepath.Dir(loaded.GoFiles[0])
	}
	if len(loaded.Errors) > 0 {
		if p.dir == "" {
			return refused("%s", strings.TrimSpace(loaded.Errors[0].Msg))
		}
		var lines []string
		for _, e := range loaded.Errors {
			lines = append(lines, strings.TrimPrefix(e.Error(), "-: "))
		}
		p.problem = strings.Join(slices.Compact(lines), "\n")
		s.packages = append(s.packages, p)
		return nil
	}
	if rel, err := filepath.Rel(s.env.GOMODCACHE, p.dir); err == nil && filepath.IsLocal(rel) {
		return refused("%s is in the module cache (%s), where the go command replaces no file: want a copy of the module", p.PkgPath, p.dir)
	}
	found := operator.Find(loaded)
	if len(found) == 0 {
		return nil
	}
	tests, err := input.GoFiles(p.dir, "_test.go")
	if err == nil {
		p.hash, err = hashOf(tests)
	}
	if err == nil {
		p.files, err = hashOf(slices.Concat(loaded.GoFiles, loaded.OtherFiles, tests))
	}
	if err != nil {
		return err
	}
	for _, file := range loaded.GoFiles {
		if _, ok := s.replaced[file]; ok {
			p.note("%s is replaced by -overlay: it has no mutants", filepath.Base(file))
		}
	}
	sources := map[string][]byte{}
	for _, m := range found {
		if _, ok := s.replaced[m.File]; ok {
			continue
		}
		if sources[m.File] == nil {
			if sources[m.File], err = input.Read(m.File, mostBytes); err != nil {
				return fmt.Errorf("%s: %w", m.File, err)
			}
		}
		p.mutants = append(p.mutants, s.newMutant(p, m, sources[m.File]))
	}
	s.packages = append(s.packages, p)
	return nil
}

func (s *session) newMutant(p *pkg, m operator.Mutant, source []byte) *mutant {
	name := prose.Relative(m.File)
	sum := sha256.Sum256(source)
	return &mutant{Mutant: m, pkg: p, source: source, hash: hex.EncodeToString(sum[:8]), report: report.MutantReport{
		Package: p.PkgPath, ID: m.ID(), Operator: m.Operator.Name, File: name, Line: m.Position.Line, Column: m.Position.Column,
		Function: m.Function, What: m.What, Diff: m.Diff(source, filepath.ToSlash(name)),
	}}
}

// note adds a note.
func (p *pkg) note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// mostBytes is the maximum size of a package's file.
const mostBytes = 64 << 20

// hashOf returns a hash of files.
func hashOf(files []string) (string, error) {
	h := sha256.New()
	for _, name := range files {
		text, err := input.Read(name, mostBytes)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// overlay writes the mutated file, and an overlay with it on top of the files already replaced, into a
// folder.
func (m *mutant) overlay(dir, name string, replaced map[string]string) (file string, err error) {
	to := filepath.Join(dir, filepath.Base(m.File))
	if err := os.WriteFile(to, m.Apply(m.source), 0o600); err != nil {
		return "", err
	}
	all := maps.Clone(replaced)
	if all == nil {
		all = map[string]string{}
	}
	all[m.File] = to
	file = filepath.Join(dir, name)
	return file, goroot.WriteOverlay(file, all)
}
