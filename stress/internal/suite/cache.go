package suite

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/internal/input"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// A Cache keeps the results of packages that have passed. Like go test, a run reports them instead of testing a package
// again if nothing that the tests may depend on differs: the test binary, this program, the options, and what the tests
// have asked package os for. It does so only for executions that follow from a seed and a number, and for packages that
// are named, as go test does; and not while there are recordings of failures of the package, which are repeated.
type Cache struct {
	// Dir is the folder; "" is one beside the overlays.
	Dir string
	// AnySeed means that nobody has asked for a seed: a pass with any other counts.
	AnySeed bool
	// Again means that all packages are tested again.
	Again bool
}

// cacheFormat is the version of the files of a cache.
const cacheFormat = 1

// Bounds of a cache. go test, too, keeps for five days or more what is used.
const (
	longestEntry = 4 << 20
	largestCache = 64 << 20
	keepUnused   = 10 * 24 * time.Hour
	touchEntry   = time.Hour
)

// A cacheKey is what the result of a package depends on, besides its inputs. Its fields are judged by
// TestCacheKeyHasAllOptions.
type cacheKey struct {
	Format  int
	Tool    string // hash of this program: strategies and verdicts are its own, too
	Binary  string // hash of the test binary, which has the engine, too
	Overlay string
	Package string
	Dir     string
	Root    string
	Own     []string
	Env     map[string]string // what programs read without package os
	MayLeak []string

	Build      Build
	Run, Skip  string
	Settings   wire.Settings // without the seed if AnySeed
	AnySeed    bool
	Executions int
	AtMost     bool // Options.thrifty
	Timeout    time.Duration
	Memory     int64
}

// A cached is the entry of a package in the cache, while the package is tested.
type cached struct {
	dir, file string
	key       cacheKey
	inputs    *inputs
	around    surrounding
	pkg       *listed
	stores    bool // whether a pass is stored; false if the options forbid it
}

// A passed is a file of the cache.
type passed struct {
	Key      cacheKey
	Inputs   []wire.Input
	State    string // of the inputs
	Seed     uint64
	Time     time.Time
	Tests    []report.StoredTest
	Packages []report.PackageReport // notes
}

// reusable reports whether the options allow results of earlier runs. Time finds more the more there is of it, and so
// do goroutines in parallel; the meaning of arguments is not known.
func (o *Options) reusable() bool {
	return o.For == 0 && !o.Native && len(o.Args) == 0 && len(o.Packages) > 0
}

// tool is a hash of this program.
var tool = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	return hashFile(path)
})

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err = io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// cacheOf returns the entry of a package, or nil if it cannot have one.
func (s *session) cacheOf(p *listed, program *program) *cached {
	if s.Cache == nil || s.Cache.Dir == "" && s.overlay.Dir == "" {
		return nil
	}
	c := &cached{dir: s.Cache.Dir, inputs: program.inputs, pkg: p}
	if c.dir == "" {
		c.dir = filepath.Join(filepath.Dir(s.overlay.Dir), goroot.ResultsName)
	}
	own, err := tool()
	if err != nil {
		return nil
	}
	binary, err := hashFile(program.binary)
	if err != nil {
		return nil
	}
	c.around = surrounding{dir: p.Dir, root: program.setup.Root, env: environment(program.environment())}
	c.key = cacheKey{
		Format: cacheFormat, Tool: own, Binary: binary, Overlay: s.overlay.Dir, Package: p.ImportPath, Dir: p.Dir, Root: program.setup.Root,
		Own: program.setup.Own, Env: map[string]string{}, MayLeak: s.MayLeak, Build: s.Build, Run: s.Run, Skip: s.Skip, Settings: s.Settings, AnySeed: s.Cache.AnySeed,
		Executions: s.Executions, AtMost: s.thrifty, Timeout: s.Timeout, Memory: s.Memory,
	}
	if s.Cache.AnySeed {
		c.key.Settings.Seed = 0
	}
	for name, value := range c.around.env {
		if unlogged(name) && name != wire.RaceVariable { // it has a path of this run
			c.key.Env[name] = value
		}
	}
	c.key.Env[wire.RaceVariable] = os.Getenv(wire.RaceVariable)
	c.file = filepath.Join(c.dir, c.prefix()+c.key.hash()[:32]+entryEnding)
	c.stores = s.reusable() && program.setup.Root != ""
	return c
}

const entryEnding = ".json"

// prefix begins the names of all entries of the test binary.
func (c *cached) prefix() string { return c.key.Binary[:32] + "-" }

func (k *cacheKey) hash() string {
	text, err := json.Marshal(k)
	if err != nil {
		panic(err) // everything in it can be JSON
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// find returns the result of an earlier run, or nil.
func (c *cached) find(s *session) *passed {
	if !c.stores || s.Cache.Again || c.recorded(&s.Options) {
		return nil
	}
	text, err := input.Read(c.file, longestEntry)
	if err != nil {
		return nil
	}
	sum, rest, ok := bytes.Cut(text, []byte("\n"))
	if !ok || string(sum) != fmt.Sprintf("%x", sha256.Sum256(rest)) { // torn
		return nil
	}
	was := new(passed)
	if json.Unmarshal(rest, was) != nil || was.Key.hash() != c.key.hash() || !was.valid() {
		return nil
	}
	if state, err := c.around.state(was.Inputs); err != nil || state != was.State {
		return nil
	}
	if info, err := os.Stat(c.file); err == nil && time.Since(info.ModTime()) > touchEntry {
		now := time.Now()
		os.Chtimes(c.file, now, now) //nolint:errcheck // it is removed early then
	}
	return was
}

// valid reports whether all is of the package, and has passed.
func (was *passed) valid() bool {
	for i := range was.Tests {
		if t := &was.Tests[i]; t.Package != was.Key.Package || !t.Passed() {
			return false
		}
	}
	for i := range was.Packages {
		if p := &was.Packages[i]; p.Package != was.Key.Package || p.Problem != "" || p.Without != "" || p.Ended {
			return false
		}
	}
	return len(was.Tests) > 0
}

// tests returns the entries of the result in the order of a run.
func (was *passed) tests(p *listed) (all []*test) {
	for i := range was.Packages {
		all = append(all, &test{stage: done, what: &was.Packages[i]})
	}
	places := p.declarations()
	for i := range was.Tests {
		r := was.Tests[i].Report()
		r.File, r.Line = places[r.Test].file, places[r.Test].line // relative to this folder
		r.Cached = &report.Cached{Seed: was.Seed, Time: was.Time}
		all = append(all, &test{pkg: p, name: r.Test, stage: done, finished: true, result: r})
	}
	return all
}

// recorded reports whether there is a recording of a failure of the package, or may be one.
func (c *cached) recorded(o *Options) bool {
	below := filepath.FromSlash(c.pkg.ImportPath)
	folders := []string{filepath.Join(c.pkg.Dir, "testdata", "chaos"), filepath.Join(DefaultOut, below)}
	if o.Out != "" {
		folders = append(folders, filepath.Join(o.Out, below))
	}
	return slices.ContainsFunc(folders, func(dir string) bool {
		found := false
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			found = found || err == nil && !d.IsDir() && filepath.Ext(path) == outcome.RecordingEnding
			return err
		})
		return found || err != nil && !errors.Is(err, fs.ErrNotExist)
	})
}

// keep stores the result of the package if all of it has passed. If something of it has not, what earlier runs of the
// same test binary have stored is removed: it has been shown to fail. tests are the entries of the package, and the
// run is complete.
func (c *cached) keep(s *session, tests []*test, ended bool) {
	was := &passed{Key: c.key, Seed: s.Settings.Seed, Time: s.start.UTC().Round(0)}
	failed, timeUp := ended, false
	for _, t := range tests {
		if t.what != nil {
			was.Packages = append(was.Packages, *t.what)
			continue
		}
		r := t.result
		failed = failed || !t.finished || !r.Passed()
		timeUp = timeUp || r.TimeUp // with more time, more may be found
		was.Tests = append(was.Tests, r.Stored())
	}
	if failed {
		c.forget()
		return
	}
	if c.stores && !timeUp && was.valid() && !c.recorded(&s.Options) {
		c.write(was, s.start.Add(-settle))
	}
}

// write writes the file, unless the inputs are not known or have changed since then.
func (c *cached) write(was *passed, since time.Time) {
	var known bool
	if was.Inputs, known = c.inputs.list(); !known {
		return
	}
	around := c.around
	around.since = since
	var err error
	if was.State, err = around.state(was.Inputs); err != nil {
		return
	}
	text, err := json.Marshal(was)
	if err != nil || len(text) > longestEntry-sha256.Size*2-1 {
		return
	}
	again := new(passed)
	if json.Unmarshal(text, again) != nil || !reflect.DeepEqual(again, was) { // something would be lost
		return
	}
	if os.MkdirAll(c.dir, 0o700) != nil {
		return
	}
	text = fmt.Appendf(nil, "%x\n%s", sha256.Sum256(text), text)
	atomicfile.Write(c.file, text) //nolint:errcheck // the package is tested again then
}

// forget removes all entries of the test binary.
func (c *cached) forget() {
	all, _ := filepath.Glob(filepath.Join(escapeGlob(c.dir), c.prefix()+"*"+entryEnding)) // the pattern is valid
	for _, file := range all {
		os.Remove(file) //nolint:errcheck // it may be gone
	}
}

// prune removes the entries of a cache that have not been used for long, and of the others those that were not used
// last if they are too large together.
func prune(dir string, now time.Time, largest int64) {
	entries, _ := os.ReadDir(dir) // one that is not there has none
	var all []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			all = append(all, info)
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	size := int64(0)
	for _, info := range all {
		if size += info.Size(); size > largest || now.Sub(info.ModTime()) > keepUnused {
			os.Remove(filepath.Join(dir, info.Name())) //nolint:errcheck // it may be gone
		}
	}
}

// passedBefore returns the tests of a package with the results of an earlier run, or nil if it is to be tested.
func (s *session) passedBefore(p *listed, program *program) []*test {
	c := s.cacheOf(p, program)
	if c == nil {
		return nil
	}
	if was := c.find(s); was != nil {
		return was.tests(p)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries == nil {
		s.entries = map[*listed]*cached{}
	}
	s.entries[p] = c
	return nil
}

// keepPassed stores the results of packages, when a run is complete.
func (s *session) keepPassed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.entries) == 0 {
		return
	}
	if s.err != nil { // what has failed, has; of the rest nobody knows
		for _, t := range s.tests {
			if c := s.entries[t.pkg]; c != nil && t.what == nil && t.finished && !t.result.Passed() {
				c.forget()
			}
		}
		return
	}
	byPackage := map[*listed][]*test{}
	for _, t := range s.tests {
		byPackage[t.pkg] = append(byPackage[t.pkg], t)
	}
	dirs := map[string]bool{}
	for p, c := range s.entries {
		c.keep(s, byPackage[p], s.ends[p.ImportPath] != nil)
		dirs[c.dir] = true
	}
	for dir := range dirs {
		prune(dir, time.Now(), largestCache)
	}
}
