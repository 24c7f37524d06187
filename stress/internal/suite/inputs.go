package suite

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
)

// inputs are what the workers of a package have asked for from outside of the test binary.
type inputs struct {
	mu   sync.Mutex
	seen map[wire.Input]bool
	lost bool // there are others
}

// add adds those of an answer.
func (in *inputs) add(a *wire.Answer) {
	if in == nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.lost = in.lost || a.InputsLost
	for _, x := range a.Inputs {
		if in.seen == nil {
			in.seen = map[wire.Input]bool{}
		}
		in.seen[x] = true
	}
}

// list returns all inputs, sorted; known is false if there are others.
func (in *inputs) list() (all []wire.Input, known bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for x := range in.seen {
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b wire.Input) int {
		if a.Kind != b.Kind {
			return strings.Compare(string(a.Kind), string(b.Kind))
		}
		return strings.Compare(a.Name, b.Name)
	})
	return all, !in.lost
}

// settle is how long before a run a file must have been as it is: one that changes twice within the resolution of its
// times may look unchanged. go test has the same bound.
const settle = 2 * time.Second

// errTooNew is returned for an input that may have changed while the tests ran.
var errTooNew = errors.New("an input has changed during the run, or just before")

// A surrounding is where the inputs of a package have their values.
type surrounding struct {
	dir   string            // of the package
	root  string            // of its module; files elsewhere are no inputs, as with go test
	env   map[string]string // of its workers
	since time.Time         // no input is newer; zero is no bound
}

// state returns a hash of the values of all inputs: of variables, and as go test does, of the sizes, modes and times of
// files and of what is directly in folders.
func (s *surrounding) state(all []wire.Input) (string, error) {
	h := sha256.New()
	for _, x := range all {
		switch x.Kind {
		case wire.InputEnv:
			if x.Name == wire.Variable {
				continue
			}
			value, ok := s.env[x.Name]
			fmt.Fprintf(h, "env %q %v %q\n", x.Name, ok, value)
		case wire.InputOpen, wire.InputStat:
			path := x.Name
			if !filepath.IsAbs(path) {
				path = filepath.Join(s.dir, path)
			}
			if rel, err := filepath.Rel(s.root, path); err != nil || !filepath.IsLocal(rel) {
				continue
			}
			fmt.Fprintf(h, "%s %q\n", x.Kind, path)
			if err := s.file(h, path, x.Kind == wire.InputOpen); err != nil {
				return "", err
			}
		default:
			return "", fmt.Errorf("found an input of kind %q", x.Kind)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// file adds the state of a file to a hash, and if it is opened and a folder, that of what is in it.
func (s *surrounding) file(h io.Writer, path string, opened bool) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		link, err := os.Readlink(path)
		fmt.Fprintf(h, "link %q %v\n", link, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		fmt.Fprintf(h, "error %v\n", err)
		return nil
	}
	if err := s.info(h, info); err != nil || !opened || !info.IsDir() {
		return err
	}
	entries, err := os.ReadDir(path)
	fmt.Fprintf(h, "%d %v\n", len(entries), err)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return errTooNew // it is gone already
		}
		fmt.Fprintf(h, "in %q\n", e.Name())
		if err := s.info(h, info); err != nil {
			return err
		}
	}
	return nil
}

func (s *surrounding) info(h io.Writer, info fs.FileInfo) error {
	if !s.since.IsZero() && info.ModTime().After(s.since) {
		return errTooNew
	}
	fmt.Fprintf(h, "%d %v %d\n", info.Size(), info.Mode(), info.ModTime().UnixNano())
	return nil
}

// unlogged reports whether programs read an environment variable in other ways than by package os: the runtime, the
// linker, package time.
func unlogged(name string) bool {
	for _, prefix := range []string{"GO", "CGO_", "LD_", "DYLD_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "TZ" || name == "ZONEINFO"
}

// environment returns the variables of a list, the last of each name.
func environment(list []string) map[string]string {
	all := map[string]string{}
	for _, v := range list {
		if name, value, ok := strings.Cut(v, "="); ok {
			all[name] = value
		}
	}
	return all
}
