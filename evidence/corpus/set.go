package corpus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// The ways to run a bug's test.
const (
	HowTest    = "test"    // stress test, which is the default
	HowExplore = "explore" // go test -tags chaos: the test calls chaos.Explore
)

// Kinds are the words for what a bug is.
var Kinds = []string{
	"lock order", "double locking", "lost wakeup", "channel never sent", "channel never closed", "select", "context",
	"WaitGroup misuse", "missing lock", "atomicity", "order", "double close", "send on closed", "data race", "leak", "once",
	"timer", "lost update", "use after close", "ABA", "memory order", "livelock",
}

// A Set is a folder with a bugs.yaml.
type Set struct {
	Name   string // of a folder of programs, or "goroot", "released" or "hunt"
	Dir    string // of bugs.yaml, relative to the corpus
	About  string
	Source string
	Bugs   []*Bug
}

// A Bug is an entry of a bugs.yaml.
type Bug struct {
	Set      *Set
	Line     int
	Name     string
	Package  string // pattern of the go command
	Test     string
	Fixed    string // the test without the bug, or ""
	Kind     string
	Verdicts []verdict.Verdict // each is right
	Args     []string          // further flags of stress test, or of the test if it explores
	How      string
	What     string
	// Executions is the maximum number that a seed needs; 0 if the default is enough.
	Executions int
	Missed     string // why it is not found; "" if it should be found

	// Of a released library.
	Module       string
	Broken       string // version
	FixedVersion string // "" if no version is fixed
	Issue        string
}

// ID returns the set's name and the bug's.
func (b *Bug) ID() string { return b.Set.Name + "/" + b.Name }

// Released reports whether the bug is one of a released library, which a driver tests.
func (b *Bug) Released() bool { return b.Module != "" }

// Root returns the folder of this module, seen from a folder of rouse's repository.
func Root(from string) (string, error) {
	dir, err := filepath.Abs(from)
	if err != nil {
		return "", err
	}
	for {
		for _, dir := range []string{dir, filepath.Join(dir, "evidence", "corpus")} {
			text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			if err == nil && strings.HasPrefix(string(text), "module github.com/rouse-go/rouse/evidence/corpus\n") {
				return dir, nil
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("%s is not in the repository of rouse, which has the folder evidence/corpus", from)
		}
		dir = up
	}
}

// Repository returns the folder of the repository, given that of this module.
func Repository(root string) string { return filepath.Dir(filepath.Dir(root)) }

// Load reads all sets below root, in the order of their folders.
func Load(root string) (sets []*Set, err error) {
	var dirs []string
	for _, pattern := range []string{"goroot", "programs/*", "released/*", "hunt/*"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, found...)
	}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue // a file of the folder above
		}
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			return nil, err
		}
		s, err := read(root, filepath.ToSlash(rel))
		if err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	return sets, distinct(sets)
}

// distinct returns an error if two bugs have the same ID.
func distinct(sets []*Set) (err error) {
	first := map[string]*Bug{}
	for _, b := range All(sets) {
		if other := first[b.ID()]; other != nil {
			err = errors.Join(err, fmt.Errorf("%s: the name %s is that of %s", b.place(), b.Name, other.place()))
		}
		first[b.ID()] = b
	}
	return err
}

// place returns the file and line at which the entry of a bug begins.
func (b *Bug) place() string { return fmt.Sprintf("%s/bugs.yaml:%d", b.Set.Dir, b.Line) }

// All returns the bugs of all sets.
func All(sets []*Set) (bugs []*Bug) {
	for _, s := range sets {
		bugs = append(bugs, s.Bugs...)
	}
	return bugs
}

// Names returns the names that Select accepts: sets, bugs, and bugs with their sets.
func Names(sets []*Set) (names []string) {
	for _, b := range All(sets) {
		names = append(names, b.Name, b.Set.Name, b.ID())
	}
	slices.Sort(names)
	return slices.Compact(names)
}
