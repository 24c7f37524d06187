package unmodified

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// An Omission is a patch or a point of the overlay, and what notices if it is left out.
type Omission struct {
	Kind, Name string
	// By is the first test that notices, and what it says; "build" if nothing can be built; "" if nothing
	// notices.
	By string
}

// ReadOmissions reads a table, which need not be there.
func ReadOmissions(name string) (all []Omission, err error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s: %q has %d fields, want 3", name, line, len(fields))
		}
		all = append(all, Omission{fields[0], fields[1], fields[2]})
	}
	return all, err
}

// WriteOmissions writes a table.
func WriteOmissions(name string, all []Omission) error {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Omission) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name))
	})
	var text strings.Builder
	for _, o := range all {
		fmt.Fprintf(&text, "%s\t%s\t%s\n", o.Kind, o.Name, o.By)
	}
	return os.WriteFile(name, []byte(text.String()), 0o644)
}

// A Measurement finds out what notices that parts of the overlay are left out.
type Measurement struct {
	Source     string         // the root of a checkout of rouse
	Folder     string         // for a copy of it, and binaries
	Executions int            // of each test
	Procs      int            // at a time
	Only       *regexp.Regexp // matches the kind and the name of a part
	Known      []Omission
	Log        io.Writer

	switcher *switcher
	programs []*program
	tests    *program // those of chaos/goroot itself
	worker   string   // the binary of those of chaos/goroot/worker
}

// limit is how long the requests to one process may take: the machine may have other work.
const limit = 3 * time.Minute

// Run measures what Known has no test for, and calls done with each result.
func (m *Measurement) Run(ctx context.Context, done func(Omission)) error {
	if err := m.prepare(ctx); err != nil {
		return err
	}
	if by, err := m.noticed(ctx, 0); err != nil || by != "" {
		return fmt.Errorf("with nothing left out: %s, %v", by, err)
	}
	var one, all []part // that are left out by one process, or of the build of all
	for _, p := range m.switcher.parts {
		known := slices.ContainsFunc(m.Known, func(o Omission) bool { return o.By != "" && o.Kind == p.kind && o.Name == p.name })
		switch {
		case known || !m.Only.MatchString(p.kind+" "+p.name):
		case p.number == 0:
			all = append(all, p)
		default:
			one = append(one, p)
		}
	}
	// What takes longer is tried if nothing else has noticed, and done is called again.
	var rest []part
	err := m.atATime(one, func(p part) (string, error) { return m.noticed(ctx, p.number) }, func(p part, by string) {
		if by == "" {
			rest = append(rest, p)
		}
		done(Omission{p.kind, p.name, by})
	})
	if err != nil {
		return err
	}
	err = m.atATime(rest, func(p part) (string, error) { return m.noticedByOwn(ctx, p.number) }, func(p part, by string) {
		done(Omission{p.kind, p.name, by})
	})
	if err != nil {
		return err
	}
	for _, p := range all {
		by, err := m.noticedWithout(ctx, p)
		if err != nil {
			return err
		}
		done(Omission{p.kind, p.name, by})
	}
	return nil
}

// atATime calls a function for parts, several at a time, and another with what each has returned.
func (m *Measurement) atATime(parts []part, measure func(part) (by string, err error), done func(p part, by string)) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed error
	next := 0
	take := func() (p part, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if ok = next < len(parts) && failed == nil; ok {
			p = parts[next]
			next++
		}
		return p, ok
	}
	for range m.Procs {
		wg.Go(func() {
			for p, ok := take(); ok; p, ok = take() {
				by, err := measure(p)
				mu.Lock()
				if err != nil {
					failed = err
				} else {
					done(p, by)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failed
}

// prepare copies the source, puts switches into it, and builds the tests.
func (m *Measurement) prepare(ctx context.Context) error {
	made, err := goroot.Make(ctx, goroot.Options{Dir: m.Source})
	if err != nil {
		return err
	}
	minor := strings.TrimPrefix(made.GoVersion, "go")
	minor = minor[:strings.LastIndex(minor, ".")]
	m.switcher = &switcher{root: filepath.Join(m.Folder, "source")}
	if err := copySource(ctx, m.Source, m.switcher.root); err != nil {
		return err
	}
	if err := m.switcher.change(minor); err != nil {
		return err
	}
	return m.build(ctx)
}

// copySource copies the files of a checkout that git knows.
func copySource(ctx context.Context, source, to string) error {
	list := exec.CommandContext(ctx, "git", "ls-files", "-z")
	list.Dir = source
	names, err := list.Output()
	if err != nil {
		return err
	}
	for _, name := range strings.Split(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return err
		}
		path := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// makeCommand is the source of a command that makes the overlay of the copy.
const makeCommand = `package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/rouse-go/rouse/chaos/goroot"
)

func main() {
	made, err := goroot.Make(context.Background(), goroot.Options{Dir: os.Args[1], Cache: os.Args[2], Race: len(os.Args) > 3})
	if err != nil {
		panic(err)
	}
	json.NewEncoder(os.Stdout).Encode(made)
}
`

// make makes the overlay of the copy.
func (m *Measurement) make(ctx context.Context, dir string, race ...string) (*goroot.Overlay, error) {
	command := filepath.Join(m.switcher.root, "cmd/makeoverlay")
	if err := os.MkdirAll(command, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(command, "main.go"), []byte(makeCommand), 0o644); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"run", "./cmd/makeoverlay", dir, filepath.Join(m.Folder, "overlays")}, race...)...)
	cmd.Dir, cmd.Stderr = m.switcher.root, m.Log
	text, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	made := new(goroot.Overlay)
	return made, json.Unmarshal(text, made)
}

// modules have the tests that are to notice; those of a package that come later take longer.
var modules = []struct {
	name     string
	packages []string
}{
	{"traps", []string{"points", "ends", "chance", "bubbles", "pool", "coroutines", "outside", "clock", "races", "sources", "spinners", "polls", "memory"}},
	{"planted", []string{"locks", "queues", "groups", "timers", "caches"}},
}

// build builds the tests.
func (m *Measurement) build(ctx context.Context) error {
	m.programs = nil
	for _, module := range modules {
		dir := filepath.Join(m.switcher.root, "chaos/goroot/testdata", module.name)
		made, err := m.make(ctx, dir)
		if err != nil {
			return err
		}
		for _, name := range module.packages {
			p := &program{name: name, dir: filepath.Join(dir, name), tmp: filepath.Join(m.Folder, module.name, name)}
			p.binary = filepath.Join(p.tmp, "test")
			if err := os.MkdirAll(p.tmp, 0o755); err != nil {
				return err
			}
			fmt.Fprintf(m.Log, "building %s/%s\n", module.name, name)
			cmd := exec.CommandContext(ctx, made.Go, slices.Concat([]string{"test", "-vet=off", "-ldflags=-s -w", "-c", "-o", p.binary}, made.Flags, []string{"./" + name})...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), made.Env...)
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%w\n%s", err, out)
			}
			m.programs = append(m.programs, p)
		}
	}
	m.tests = &program{dir: filepath.Join(m.switcher.root, "chaos/goroot"), binary: filepath.Join(m.Folder, "goroot.test")}
	m.worker = filepath.Join(m.Folder, "worker.test")
	for binary, pkg := range map[string]string{m.tests.binary: "./chaos/goroot", m.worker: "./chaos/goroot/worker"} {
		cmd := exec.CommandContext(ctx, "go", "test", "-c", "-tags", "chaos", "-o", binary, pkg)
		cmd.Dir = m.switcher.root
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
	}
	return nil
}

// ownTests are those of chaos/goroot that build with the overlay, after all of the worker's.
var ownTests = []string{"", "TestDriver$", "TestEngine$", "TestStandardLibrary$", "TestDriverRaces$", "TestJoin$"}

// noticed returns which trap or planted bug notices first that a process leaves a part out.
func (m *Measurement) noticed(ctx context.Context, number int) (by string, err error) {
	for _, p := range m.programs {
		if by = p.noticed(ctx, number, m.Executions); by != "" || ctx.Err() != nil {
			return by, ctx.Err()
		}
	}
	return "", nil
}

// noticedByOwn is noticed for tests of chaos/goroot itself, which build what they run.
func (m *Measurement) noticedByOwn(ctx context.Context, number int) (by string, err error) {
	for _, test := range ownTests {
		binary, dir := m.tests.binary, m.tests.dir
		if test == "" {
			binary, dir = m.worker, filepath.Join(dir, "worker")
		}
		cmd := exec.CommandContext(ctx, binary, "-test.run=^"+test, "-test.timeout=10m")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), fmt.Sprintf("%s=%d", omitVariable, number), "XDG_CACHE_HOME="+m.Folder)
		if out, err := cmd.CombinedOutput(); ctx.Err() != nil {
			return "", ctx.Err()
		} else if err != nil {
			if line := failedLine.FindSubmatch(out); line != nil {
				return string(line[1]), nil
			}
			return test + ": " + firstLine(string(out)), nil
		}
	}
	return "", nil
}

// failedLine is the first that names a test without further ones below it.
var failedLine = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+) \(.*\)\n +\w+\.go:`)

// noticedWithout is noticed for a part that has to be left out of the build.
func (m *Measurement) noticedWithout(ctx context.Context, p part) (by string, err error) {
	at := slices.IndexFunc(m.switcher.parts, func(q part) bool { return q.kind == p.kind && q.name == p.name })
	without := slices.Delete(slices.Clone(m.switcher.patches), at+1, at+2)
	if err := m.switcher.use(without); err != nil {
		return "", err
	}
	made, err := m.make(ctx, m.switcher.root)
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, made.Go, slices.Concat([]string{"build"}, made.Flags, []string{path.Dir(p.patch.File)})...)
	cmd.Dir, cmd.Env = m.switcher.root, append(os.Environ(), made.Env...)
	if out, err := cmd.CombinedOutput(); ctx.Err() != nil {
		return "", ctx.Err()
	} else if err != nil {
		fmt.Fprintf(m.Log, "%s: %s\n", p.name, out)
		return "build", nil
	}
	if err := m.build(ctx); err != nil {
		return "", err
	}
	if by, err = m.noticed(ctx, 0); by != "" || err != nil {
		return by, err
	}
	return m.noticedByOwn(ctx, 0)
}

// verdicts are what tests of planted bugs may come to, by name.
func verdicts(dir string) map[string][]verdict.Verdict {
	bugs, err := corpus.Bugs(filepath.Dir(dir))
	if err != nil {
		return nil
	}
	all := map[string][]verdict.Verdict{}
	for _, b := range bugs {
		all[b.Test] = b.Verdicts
	}
	return all
}

// noticed returns which test of a program is not as it should be if a part is left out, and how.
func (p *program) noticed(ctx context.Context, number, executions int) string {
	env := []string{"GOMAXPROCS=1", fmt.Sprintf("%s=%d", omitVariable, number)}
	listed, err := p.answers(ctx, env, limit, wire.Request{Do: wire.List})
	if err != nil {
		return p.name + ": " + err.Error()
	}
	if len(listed[0].Tests) == 0 {
		return fmt.Sprintf("%s: %s: no tests", p.name, listed[0].Kind)
	}
	bugs := verdicts(p.dir)
	var passing []string
	for _, test := range listed[0].Tests {
		if test == "TestLoopStop" {
			continue // a livelock, which takes longer than all other tests
		}
		if p.race != (strings.HasSuffix(test, "Race") || strings.HasPrefix(test, "TestRace")) && (p.race || bugs != nil) {
			continue // of the other build
		}
		want := bugs[test]
		if strings.HasPrefix(test, "TestFound") {
			want = verdict.All()
		} else if want == nil {
			passing = append(passing, test)
			continue
		}
		if by := p.finds(ctx, env, test, want); by != "" {
			return p.name + " " + test + ": " + by
		}
	}
	return p.passes(ctx, env, passing, executions)
}

// finds returns "" if a test fails as it should, and its recording is repeated by another process.
func (p *program) finds(ctx context.Context, env []string, test string, want []verdict.Verdict) string {
	a, err := p.answers(ctx, env, limit, p.explore(test, 1000))
	if err != nil {
		return err.Error()
	}
	f := a[0].Failure
	if a[0].Kind != wire.Failed || f.Verdict == verdict.Uncontrolled || !slices.Contains(want, f.Verdict) {
		if f != nil {
			return string(f.Verdict) + ": " + firstLine(f.Summary)
		}
		return "it passes " + a[0].Reason
	}
	a, err = p.answers(ctx, append(env, "GOMAXPROCS=2"), limit, wire.Request{Do: wire.Settle, Test: test, Recording: f.Recording, Attempts: 10})
	switch {
	case err != nil:
		return err.Error()
	case a[0].Kind != wire.Settled || a[0].Failure.Verdict != f.Verdict:
		return fmt.Sprintf("%s: %s", a[0].Kind, a[0].Reason)
	}
	return ""
}

// passes returns "" if tests pass, and two processes do the same.
func (p *program) passes(ctx context.Context, env, tests []string, executions int) string {
	var requests []wire.Request
	for _, test := range tests {
		requests = append(requests, p.explore(test, executions))
	}
	first, err := p.answers(ctx, env, limit, requests...)
	for i, a := range first {
		if a.Kind == wire.Failed {
			return fmt.Sprintf("%s %s: %s: %s", p.name, tests[i], a.Failure.Verdict, firstLine(a.Failure.Summary))
		}
		if a.Kind != wire.Explored {
			return fmt.Sprintf("%s %s: %s: %s", p.name, tests[i], a.Kind, a.Reason)
		}
	}
	if err != nil {
		return fmt.Sprintf("%s %s: %v", p.name, tests[len(first)], err)
	}
	if !slices.Contains([]string{"chance", "points", "bubbles", "memory", "pool", "races"}, p.name) {
		return "" // it is about something else
	}
	second, err := p.answers(ctx, append(env, "GOMAXPROCS=2"), limit, requests...)
	for i, a := range second {
		if a.Kind != wire.Explored || a.Counts.Traces != first[i].Counts.Traces {
			return fmt.Sprintf("%s %s: another process does not do the same", p.name, tests[i])
		}
	}
	if err != nil {
		return fmt.Sprintf("%s %s: %v", p.name, tests[len(second)], err)
	}
	return ""
}

func (p *program) explore(test string, to int) wire.Request {
	if p.name == "memory" {
		to = min(to, 8) // each of which runs the garbage collector
	}
	return wire.Request{Do: wire.Explore, Test: test, To: to, Settings: wire.Settings{
		Seed: 1, Batch: 256, Leaks: strings.HasSuffix(test, "Leaks"), MaxSteps: 300_000,
	}}
}
