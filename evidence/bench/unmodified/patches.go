package unmodified

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
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

// A Measurement finds the tests that notice that parts of the overlay are left out.
type Measurement struct {
	Source     string         // the root of a checkout of rouse
	Folder     string         // for a copy of it, and binaries
	Executions int            // of each test
	Procs      int            // at a time
	Only       *regexp.Regexp // matches the kind and the name of a part
	// Tests names the packages of traps and planted bugs, and the tests of chaos/goroot, to try;
	// those of chaos/goroot/worker are "worker". If it is empty, all are tried.
	Tests []string
	Known []Omission
	Log   io.Writer

	switcher *switcher
	programs []*program
	tests    *program // the tests of chaos/goroot itself
	worker   string   // the binary of the tests of chaos/goroot/worker
	races    string   // the binary of the tests of chaos/goroot, built with the race detector
}

// limit is how long the requests to one process may take: the machine may have other work.
const limit = 3 * time.Minute

// Run measures the parts for which Known has no test, and calls done with each result.
func (m *Measurement) Run(ctx context.Context, done func(Omission)) error {
	if err := m.prepare(ctx); err != nil {
		return err
	}
	var one, rest, all []part // that one process leaves out, the same that the traps are known not to notice, the build
	for _, p := range m.switcher.parts {
		at := slices.IndexFunc(m.Known, func(o Omission) bool { return o.Kind == p.kind && o.Name == p.name })
		switch {
		case at >= 0 && m.Known[at].By != "" || !m.Only.MatchString(p.kind+" "+p.name):
		case p.number == 0:
			all = append(all, p)
		case at >= 0:
			rest = append(rest, p)
		default:
			one = append(one, p)
		}
	}
	all, err := m.doNotBuild(ctx, all, done)
	if err != nil || len(one)+len(rest)+len(all) == 0 {
		return err
	}
	if err := m.build(ctx); err != nil {
		return err
	}
	if err := m.baseline(ctx); err != nil {
		return err
	}
	// Slower tests are tried if none of these has noticed, and done is called again.
	err = m.atATime(ctx, one, m.noticed, func(o Omission) {
		if o.By == "" {
			rest = append(rest, one[slices.IndexFunc(one, func(p part) bool { return p.kind == o.Kind && p.name == o.Name })])
		}
		done(o)
	})
	if err != nil {
		return err
	}
	if err := m.tryOwn(ctx, rest, done); err != nil {
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

// baseline returns an error if a test fails with nothing left out.
func (m *Measurement) baseline(ctx context.Context) error {
	by, err := m.noticed(ctx, 0)
	if by == "" && err == nil {
		by, err = m.noticedByAllOwn(ctx)
	}
	if err != nil || by != "" {
		return fmt.Errorf("with nothing left out: %s, %v", by, err)
	}
	return nil
}

// atATime calls a function for parts, several at a time, and another with what each has returned.
func (m *Measurement) atATime(ctx context.Context, parts []part, measure func(ctx context.Context, number int) (by string, err error), done func(Omission)) error {
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
				by, err := measure(ctx, p.number)
				mu.Lock()
				if err != nil {
					failed = err
				} else {
					done(Omission{p.kind, p.name, by})
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failed
}

// prepare copies the source, and puts switches into it.
func (m *Measurement) prepare(ctx context.Context) error {
	made, err := goroot.Make(ctx, goroot.Options{Dir: m.Source})
	if err != nil {
		return err
	}
	minor := strings.TrimPrefix(made.GoVersion, "go")
	minor = minor[:strings.LastIndex(minor, ".")]
	m.switcher = &switcher{root: filepath.Join(m.Folder, "source")}
	if err := os.RemoveAll(m.switcher.root); err != nil { // files that the source no longer has
		return err
	}
	if err := copySource(ctx, m.Source, m.switcher.root); err != nil {
		return err
	}
	return m.switcher.change(minor)
}

// copySource copies the files of a checkout that git tracks.
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

// modules lists the tests to try; later packages take longer.
var modules = []struct {
	name     string
	packages []string
}{
	{"traps", []string{"points", "ends", "chance", "bubbles", "pool", "coroutines", "outside", "clock", "races", "sources", "spinners", "polls", "settings", "native", "memory", "background", "stacks", "world", "leakprofile"}},
	{"planted", []string{"locks", "queues", "groups", "timers", "caches"}},
}

// leavesOut reports whether a test is not among m.Tests.
func (m *Measurement) leavesOut(test string) bool {
	if test == "" {
		test = "worker"
	}
	return len(m.Tests) > 0 && !slices.Contains(m.Tests, strings.TrimSuffix(test, "$"))
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
		for _, name := range slices.DeleteFunc(slices.Clone(module.packages), m.leavesOut) {
			p := &program{name: name, dir: filepath.Join(dir, name), tmp: filepath.Join(m.Folder, module.name, name), native: name == "native"}
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
	return m.buildOwn(ctx)
}

// noticed returns the first trap or planted bug that notices, two times, that a process leaves a part out.
func (m *Measurement) noticed(ctx context.Context, number int) (by string, err error) {
	for _, p := range m.programs {
		if by = p.noticed(ctx, number, m.Executions); by != "" && ctx.Err() == nil && p.noticed(ctx, number, m.Executions) != "" {
			return by, nil
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	return "", nil
}

// verdicts returns the verdicts that tests of planted bugs may end with, by name.
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

// leftAside lists tests that are not run, by package: they fail now and then on a busy machine, or have a
// process for each execution.
var leftAside = map[string][]string{"clock": {"TestOutside"}, "outside": {"TestPipe"}, "world": {"TestFoundIgnored"}}

// noticed returns the test of a program that behaves differently if a part is left out, and how.
func (p *program) noticed(ctx context.Context, number, executions int) string {
	env := []string{"GOMAXPROCS=1", fmt.Sprintf("%s=%d", omitVariable, number)}
	if p.native {
		env[0] = "GOMAXPROCS=2"
	}
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
		if slices.Contains(leftAside[p.name], test) || strings.HasPrefix(test, "TestChild") || strings.HasPrefix(test, "TestUncontrolled") {
			continue
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
	if by := p.passes(ctx, env, passing, executions); by != "" || p.name != "chance" {
		return by
	}
	// The runtime has other hash functions for processors without instructions for AES.
	return p.passes(ctx, append(env, "GODEBUG=cpu.aes=off"), passing, executions)
}

// finds returns "" if a test fails as it should, and its recording is repeated by another process.
func (p *program) finds(ctx context.Context, env []string, test string, want []verdict.Verdict) string {
	executions := 1000
	if p.native {
		executions = 20_000 // a matter of chance
	}
	r := p.explore(test, executions)
	a, err := p.answers(ctx, env, limit, r)
	for err == nil && a[0].Kind == wire.Explored && r.From < a[0].Next && a[0].Next < r.To { // the rest is for another process
		r.From = a[0].Next
		a, err = p.answers(ctx, env, limit, r)
	}
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
	if p.native {
		return "" // a native run has no schedule to repeat
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

// passes returns "" if tests pass, and two processes behave the same.
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
	if !slices.Contains([]string{"chance", "points", "bubbles", "memory", "pool", "races", "settings"}, p.name) {
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
		Seed: 1, Batch: 256, Leaks: strings.HasSuffix(test, "Leaks"), MaxSteps: 2_000_000,
	}}
}
