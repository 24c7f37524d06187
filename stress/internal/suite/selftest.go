package suite

import (
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// A SelfTestError says what a version of Go does otherwise than those before under the overlay.
type SelfTestError struct {
	Version string // as runtime.Version has it
	Root    string
	Reason  string
}

func (e *SelfTestError) Error() string {
	return fmt.Sprintf("%s (%s) does not pass the self-test: %s; GOTOOLCHAIN can select another Go, and stress doctor --self-test tries this one again", e.Version, e.Root, e.Reason)
}

// selfTests is a module whose tests depend on what control depends on, and what their executions do.
//
//go:embed all:_selftest
var selfTests embed.FS

const (
	selfTestFolder = "_selftest"
	selfTestPath   = "selftest"
	selfTestSeed   = 1
)

// asInput makes what a Go fails by a matter of what the user has installed.
func asInput(err error) error {
	if failed := (*SelfTestError)(nil); errors.As(err, &failed) {
		return &InputError{err.Error()}
	}
	return err
}

// Verify tries a Go that is none of the releases that have been tried: whether programs run under its overlay as they
// do with others. The result is kept with the overlay. The error is a *SelfTestError if they do not, or did not when any
// Go was tried before.
func Verify(ctx context.Context, overlay *goroot.Overlay, build Build, doing func(string)) error {
	if tried, err := SelfTested(overlay, build.Race); tried || overlay.Unverified == "" {
		return err
	}
	doing(overlay.Unverified + ": trying it first ...")
	if err := SelfTest(ctx, overlay, build); err != nil {
		return err
	}
	doing("its anchors and the self-test pass")
	return nil
}

// What a file with the result of a self-test begins with. One with anything else has no result.
const (
	selfTestPassed = "passed\n"
	selfTestFailed = "failed: "
)

// SelfTested reports whether the self-test has been run with an overlay, and the *SelfTestError if it has failed.
func SelfTested(overlay *goroot.Overlay, race bool) (tried bool, err error) {
	file := resultFile(overlay, race)
	var result string
	if known, ok := selfTested.Load(file); ok { // the cache may be read-only, or full
		result = known.(string)
	} else if text, err := os.ReadFile(file); err == nil {
		result = string(text)
	}
	if reason, failed := strings.CutPrefix(result, selfTestFailed); failed {
		return true, &SelfTestError{Version: overlay.GoVersion, Root: overlay.GOROOT, Reason: strings.TrimSpace(reason)}
	}
	return result == selfTestPassed, nil
}

// SelfTest runs the self-test with an overlay and keeps the result. The error is a *SelfTestError if it fails; one that
// cannot be built or run is tried again the next time.
func SelfTest(ctx context.Context, overlay *goroot.Overlay, build Build) error {
	failed := func(err error) error {
		return &SelfTestError{Version: overlay.GoVersion, Root: overlay.GOROOT, Reason: err.Error()}
	}
	want := expectedOf(build.Race)
	lines, err := selfTest(ctx, overlay, build, want)
	switch {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return failed(err)
	}
	result := selfTestPassed
	if err = compareSelfTest(lines, want); err != nil {
		result = selfTestFailed + err.Error() + "\n"
	}
	file := resultFile(overlay, build.Race)
	selfTested.Store(file, result)
	atomicfile.Write(file, []byte(result)) //nolint:errcheck // the cache may be read-only: the next process tries again
	if err != nil {
		return failed(err)
	}
	return nil
}

// selfTested has the results of this process, by their files.
var selfTested sync.Map

// resultFile has the result of a self-test: that it passed, or the first difference.
func resultFile(overlay *goroot.Overlay, race bool) string {
	return filepath.Join(overlay.Dir, "selftest-"+selfTestKey(overlay, race))
}

// selfTestKey names what is tried: the tests, the platform and the race detector.
func selfTestKey(overlay *goroot.Overlay, race bool) string {
	h := sha256.New()
	fs.WalkDir(selfTests, ".", func(name string, d fs.DirEntry, err error) error { //nolint:errcheck // all of it is in memory
		if err == nil && !d.IsDir() {
			text, _ := selfTests.ReadFile(name)
			fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
		}
		return err
	})
	key := fmt.Sprintf("%s-%s-%x", overlay.GOOS, overlay.GOARCH, h.Sum(nil)[:8])
	if race {
		key += "-race"
	}
	return key
}

// expectedOf returns what the tests are to do.
func expectedOf(race bool) []string {
	name := "expected.txt"
	if race {
		name = "expected-race.txt"
	}
	text, _ := selfTests.ReadFile(path.Join(selfTestFolder, name))
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// compareSelfTest says what tests do otherwise than expected.
func compareSelfTest(got, want []string) error {
	for i, line := range got {
		if i >= len(want) {
			return fmt.Errorf("found %q, want no such test", line)
		}
		if line != want[i] {
			return fmt.Errorf("found %q, want %q", line, want[i])
		}
	}
	if len(got) < len(want) {
		return fmt.Errorf("found no %q", want[len(got)])
	}
	return nil
}

// selfTestRuns are the runs of the module.
var selfTestRuns = []struct {
	run, skip, strategy, clock string
	executions                 int
}{
	{skip: "^TestCount", strategy: DefaultStrategy, clock: DefaultClock, executions: 32},
	{run: "^TestCount", strategy: "dpor", clock: "lazy", executions: 1000},
}

// selfTestLine is what the executions of a test have done: of one that has failed, in which execution and how; of those
// that wait for a child process, whose time is real, no more than that they do not fail.
func selfTestLine(r *report.TestReport) string {
	switch {
	case strings.HasPrefix(r.Test, "TestChild") && r.Status != report.TestFailed:
		return r.Test + ": no failure"
	case r.Status == report.TestPassed:
		line := fmt.Sprintf("%s: %s, %d executions, %d steps, traces %016x", r.Test, r.Status, r.Executions, r.Steps, r.Traces)
		if claim, _, _ := strings.Cut(r.Exhausted, " ("); claim != "" { // in parentheses is what each search leaves out
			line += ", " + claim
		}
		return line
	}
	return fmt.Sprintf("%s: %s, execution %d, %s: %s", r.Test, r.Status, r.Execution, r.Verdict, r.Summary)
}

// selfTestLines are those of a self-test, which ends at the first that is not as wanted: tests may take a minute each
// where control fails.
type selfTestLines struct {
	all, want []string // want is nil if there is nothing to compare with
	end       func()
	ended     bool
}

// add adds the line of a test.
func (l *selfTestLines) add(r report.TestReport) {
	if l.ended {
		return
	}
	i := len(l.all)
	l.all = append(l.all, selfTestLine(&r))
	if l.want != nil && (i >= len(l.want) || l.all[i] != l.want[i]) {
		l.ended = true
		l.end()
	}
}

// listSelfTest is the package of the module, as the go command lists it.
func listSelfTest(dir string) (*listed, error) {
	p := &listed{ImportPath: selfTestPath, Dir: dir}
	p.Module = &module{Path: selfTestPath, Main: true, Dir: dir}
	entries, err := selfTests.ReadDir(selfTestFolder)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			p.TestGoFiles = append(p.TestGoFiles, e.Name())
		}
	}
	return p, err
}

// selfTest builds the module with the overlay, once, and runs it. It returns a line for each test: what its executions
// have done, the same for each version of Go. With lines to compare with, the first that differs is the last.
func selfTest(ctx context.Context, overlay *goroot.Overlay, build Build, want []string) ([]string, error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	lines := &selfTestLines{want: want, end: end}
	dir, remove, err := Temporary(temporaryPrefix)
	if err != nil {
		return nil, err
	}
	defer remove() //nolint:errcheck // the next run tries again
	err = fs.WalkDir(selfTests, selfTestFolder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "expected") {
			return err
		}
		text, err := selfTests.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, strings.TrimSuffix(path.Base(name), ".txt")), text, 0o666)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	p, err := listSelfTest(dir)
	if err != nil {
		return nil, err
	}
	own := *overlay
	own.Flags, own.Unverified = own.Bare, ""
	own.Env = append(own.Env[:len(own.Env):len(own.Env)], "GOTOOLCHAIN=local", "GOFLAGS=", "GOWORK=off", "GO111MODULE=on")
	o := Options{
		dir: dir, env: []string{"GODEBUG="}, Build: Build{Race: build.Race, Exec: build.Exec}, Overlay: &own, Unrecorded: true,
		Args:      []string{"-test.parallel=2"}, // few, so that TestCountParallel has more
		Observers: report.Observers{report.EachTest(lines.add)},
		listed:    func(context.Context) ([]*listed, error) { return []*listed{p}, nil },
	}
	binary, err := buildSelfTest(ctx, o, dir, p)
	if err != nil {
		return nil, err
	}
	o.build = func(context.Context, *listed) (string, string, error) { return binary, "", nil }
	for _, r := range selfTestRuns {
		o.Run, o.Skip, o.Executions = r.run, r.skip, r.executions
		o.Settings = wire.Settings{Seed: selfTestSeed, Strategy: r.strategy, Clock: r.clock}
		result, err := Run(ctx, o)
		if lines.ended {
			break
		}
		if err != nil {
			return nil, err
		}
		for _, p := range result.Packages {
			if p.Problem != "" {
				return nil, errors.New(p.Problem)
			}
		}
	}
	return lines.all, nil
}

// buildSelfTest builds the test binary in dir, which has the module.
func buildSelfTest(ctx context.Context, o Options, dir string, p *listed) (binary string, err error) {
	o.complete()
	if o.guard, err = process.NewGuard(); err != nil {
		return "", err
	}
	defer o.guard.Close()
	b := &builder{Options: &o, tmp: dir, overlay: o.Overlay}
	binary, problem, err := b.goTest(ctx, p)
	if problem != "" {
		err = errors.New(problem)
	}
	return binary, err
}
