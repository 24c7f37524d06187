//go:build chaos

package chaos_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/internal/faketest"
	"github.com/rouse-go/rouse/internal/racing"
)

// recordedIn explores the body until it fails, and returns the recording.
func recordedIn(t *testing.T, dir string, f func(r *faketest.Test, c *chaos.C), options ...chaos.Option) (string, *recording.Recording) {
	t.Helper()
	r := explore(dir, f, options...)
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.rouse"))
	if !r.Failed() || len(files) != 1 {
		t.Fatalf("failed: %v, files: %q: %s", r.Failed(), files, r.Log)
	}
	rec, err := recording.Read(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return files[0], rec
}

// A replay that was asked for fails, whatever comes: with the recorded failure, or
// because that is not reproduced, and why.
func TestReplayProvesSomething(t *testing.T) {
	file, rec := recordedIn(t, t.TempDir(), lost)
	hash := func(r *recording.Recording) { r.Hash++ }
	for _, c := range []struct {
		name string
		edit func(r *recording.Recording)
		body func(r *faketest.Test, c *chaos.C)
		want []string
	}{
		{"as recorded", nil, lost, []string{`^wrong-result again, as recorded in \S+, by the recorded trace: two increments made 1\n`, `reproduce: go test -tags chaos`}},
		{"other trace", hash, lost, []string{`^wrong-result again, as recorded in \S+, by another trace: the code, or what is out of control, has changed since: two increments made 1\n`, `the trace hash is [0-9a-f]{16}, recorded: [0-9a-f]{16}\n`}},
		{"another program", nil, func(_ *faketest.Test, c *chaos.C) { c.Go(func() {}) },
			[]string{`^not reproduced: \S+ is recorded as wrong-result \(two increments made 1\), but the execution passes; \d of \d decisions do not apply\n`, `\ngone: main`}},
		{"a program that applies nothing", func(r *recording.Recording) { r.Entries = nil }, func(*faketest.Test, *chaos.C) {},
			[]string{`^not reproduced: \S+ is recorded as wrong-result \(two increments made 1\), but the execution passes`}},
		{"another verdict", func(r *recording.Recording) { r.Entries = nil }, func(_ *faketest.Test, c *chaos.C) { new(sync.Mutex).Unlock() },
			[]string{`^not reproduced: .*, but the verdict is panic: `}},
		{"another site", func(r *recording.Recording) { r.Entries = nil }, func(_ *faketest.Test, c *chaos.C) { c.Errorf("something else") },
			[]string{`^not reproduced: .*, but it fails at another site: something else, recorded: two increments made #: something else\n`}},
		{"another test", func(r *recording.Recording) { r.Subject = "github.com/rouse-go/rouse/chaos TestOther" }, lost,
			[]string{`^chaos: -chaos.replay=\S+: it is a recording of github.com/rouse-go/rouse/chaos TestOther, and this is github.com/rouse-go/rouse/chaos Test/of_explore; use\ngo test `}},
		{"another package", func(r *recording.Recording) { r.Subject = "example.com/queue Test/of_explore" }, lost,
			[]string{`it is a recording of package example.com/queue, and these are the tests of github.com/rouse-go/rouse/chaos`}},
		{"a scenario", func(r *recording.Recording) { r.Setup = "{}" }, lost, []string{`not of a test: stress replay repeats it`}},
		{"an unmodified one", func(r *recording.Recording) { r.Kind, r.Clock = recording.Unmodified, "lazy" }, lost, []string{`it is a recording of stress test, which repeats it`}},
		{"a native scenario", func(r *recording.Recording) { r.Kind, r.Setup = recording.Native, "{}" }, lost, []string{`not of a test: stress replay repeats it`}},
		{"a native test", func(r *recording.Recording) { r.Kind = recording.Native }, lost, []string{`it is a recording of stress test, which repeats it`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			edited := *rec
			if c.edit != nil {
				c.edit(&edited)
			}
			name := filepath.Join(t.TempDir(), "edited.rouse")
			if err := edited.Write(name); err != nil {
				t.Fatal(err)
			}
			chaos.SetReplayFlag(t, name)
			r := explore(t.TempDir(), c.body)
			for _, want := range c.want {
				if !r.Failed() || !regexp.MustCompile(want).MatchString(r.Log) {
					t.Errorf("failed: %v, want a match of %s in:\n%s", r.Failed(), want, r.Log)
				}
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		chaos.SetReplayFlag(t, file+"x")
		if r := explore(t.TempDir(), lost); !r.Failed() || !strings.Contains(r.Log, "no such file") {
			t.Errorf("failed: %v: %s", r.Failed(), r.Log)
		}
	})
}

// The lock file of an editor is no recording.
func TestReplayIgnoresLockFiles(t *testing.T) {
	dir := t.TempDir()
	file, _ := recordedIn(t, dir, func(_ *faketest.Test, c *chaos.C) { tooLate(c) }, chaos.WithRacyTime())
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), ".#x.rouse"), []byte("me@host.1:2"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := explore(dir, func(*faketest.Test, *chaos.C) {}); r.Failed() {
		t.Error(r.Log)
	}
}

// The recording's settings are those that count, not those that the test has by now.
func TestReplayBringsItsSettings(t *testing.T) {
	body := func(_ *faketest.Test, c *chaos.C) { tooLate(c) }
	file, _ := recordedIn(t, t.TempDir(), body, chaos.WithRacyTime(), chaos.WithPoints())
	chaos.SetReplayFlag(t, file)
	if r := explore(t.TempDir(), body); !r.Failed() || !strings.Contains(r.Log, "again, as recorded in "+file+", by the recorded trace: ") {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
}

// tooLate goes wrong if its timeout hits while it still runs.
func tooLate(c *chaos.C) {
	var late atomic.Bool
	timeout := time.AfterFunc(time.Second, func() { late.Store(true) })
	defer timeout.Stop()
	if late.Load() {
		c.Errorf("the timeout hit")
	}
}

// A test that has passed says that timeouts were not explored, and how they are.
func TestTimersThatNeverRaced(t *testing.T) {
	body := func(_ *faketest.Test, c *chaos.C) { tooLate(c) }
	const want = "50 timers were armed, and none fired while a task could continue: -chaos.clock=racy, or chaos.WithRacyTime(), explores that"
	if r := explore(t.TempDir(), body, chaos.WithExecutions(50)); r.Failed() || !strings.Contains(r.Log, want) {
		t.Errorf("failed: %v: %s, want %s", r.Failed(), r.Log, want)
	}
	sleeps := func(*faketest.Test, *chaos.C) { time.Sleep(time.Second) }
	if r := explore(t.TempDir(), sleeps, chaos.WithExecutions(50)); r.Failed() || !strings.Contains(r.Log, want) {
		t.Errorf("failed: %v: %s, want %s", r.Failed(), r.Log, want)
	}
	if r := explore(t.TempDir(), sleeps, chaos.WithExecutions(50), chaos.WithRacyTime()); r.Failed() || strings.Contains(r.Log, "explores that") {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
	chaos.SetFlag(t, "chaos.clock", "racy")
	if r := explore(t.TempDir(), body); !r.Failed() || !strings.Contains(r.Log, "the timeout hit") || !strings.Contains(r.Log, "found with -chaos.clock=racy -chaos.seed=0x1 -chaos.execution=") {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
	chaos.SetFlag(t, "chaos.clock", "lazy")
	if r := explore(t.TempDir(), body, chaos.WithRacyTime()); r.Failed() {
		t.Errorf("the flag does not overrule: %s", r.Log)
	}
	chaos.SetFlag(t, "chaos.clock", "patient")
	if r := explore(t.TempDir(), body); !r.Failed() || !strings.Contains(r.Log, `-chaos.clock: found "patient", want lazy or racy`) {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
}

// Each Explore of a test has recordings of its own.
func TestReplayOfTheSecondExplore(t *testing.T) {
	pass := func(c *chaos.C) {}
	fails := func(c *chaos.C) { c.Errorf("the second") }
	dir := t.TempDir()
	run := func(bodies ...func(c *chaos.C)) *faketest.Test {
		return faketest.Run("Test", func(r *faketest.Test) {
			ending := &endingRecorder{Test: r}
			defer ending.end()
			for _, f := range bodies {
				chaos.Explore(ending, f, chaos.WithDir(dir), chaos.WithExecutions(2))
			}
		})
	}
	if r := run(pass, fails); !r.Failed() {
		t.Fatalf("passed: %s", r.Log)
	}
	if r := run(pass, fails); !r.Failed() || strings.Contains(r.Log, "no longer") || !strings.Contains(r.Log, "still happens") {
		t.Errorf("the first Explore has repeated what the second has recorded: %s", r.Log)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.rouse"))
	chaos.SetReplayFlag(t, files[0])
	if r := run(pass, fails); !r.Failed() || !strings.Contains(r.Log, "wrong-result again") {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
	if r := run(pass); !r.Failed() || !strings.Contains(r.Log, "not reproduced: it is a recording of Explore no. 2 of this test, which has made 1") {
		t.Errorf("failed: %v: %s", r.Failed(), r.Log)
	}
}

// An endingRecorder says when its test ends.
type endingRecorder struct {
	*faketest.Test
	ends []func()
}

func (r *endingRecorder) Cleanup(f func()) { r.ends = append(r.ends, f) }
func (r *endingRecorder) Errorf(format string, args ...any) {
	r.Logf(format, args...)
	r.Fail()
}
func (r *endingRecorder) end() {
	for i := range r.ends {
		r.ends[len(r.ends)-1-i]()
	}
}

// What a failure prints with its seed makes that execution again, verbatim.
func TestPrintedFlagsAreAccepted(t *testing.T) {
	dir := t.TempDir()
	body := func(_ *faketest.Test, c *chaos.C) {
		var x atomic.Int64
		c.Go(func() { x.Store(1) })
		c.Go(func() { x.Store(2) })
		if x.Load() == 1 && x.Load() == 2 {
			c.Errorf("both were seen")
		}
	}
	t.Setenv("CHAOS_STRATEGY", "pct(2)")
	r := explore(dir, body, chaos.WithSeed(0xabc))
	os.Unsetenv("CHAOS_STRATEGY")
	found := regexp.MustCompile(`(?m)^found with (.*)$`).FindStringSubmatch(r.Log)
	if found == nil {
		t.Fatalf("failed: %v: %s", r.Failed(), r.Log)
	}
	flags := strings.Fields(found[1])
	for _, f := range flags {
		name, value, _ := strings.Cut(strings.TrimPrefix(strings.Trim(f, "'"), "-"), "=") // as a shell would
		chaos.SetFlag(t, name, value)
	}
	if len(flags) != 3 || flags[2] == "-chaos.execution=0" {
		t.Fatalf("found with %q, want a strategy, a seed and a later execution", flags)
	}
	again := explore(t.TempDir(), body)
	head, _, _ := strings.Cut(r.Log, "\n")
	if line, _, _ := strings.Cut(again.Log, "\n"); line != head || !strings.Contains(again.Log, found[0]) {
		t.Errorf("%s: got\n%s\nwant\n%s", flags, again.Log, head)
	}
	cured := explore(t.TempDir(), func(*faketest.Test, *chaos.C) {})
	if want := "chaos: execution " + flags[2][len("-chaos.execution="):] + " ("; cured.Failed() || !strings.HasPrefix(cured.Log, want) {
		t.Errorf("cured: failed: %v: %s, want %s", cured.Failed(), cured.Log, want)
	}
	chaos.SetFlag(t, "chaos.strategy", "dfs")
	if r := explore(t.TempDir(), func(*faketest.Test, *chaos.C) {}); !r.Failed() || !strings.Contains(r.Log, "there is no execution") {
		t.Errorf("an execution that does not exist: %s", r.Log)
	}
}

// TestReplayedByFlag is run by TestReplayFlag, in another process.
func TestReplayedByFlag(t *testing.T) {
	if os.Getenv("ROUSE_TEST_REPLAYED") != "" {
		chaos.Explore(t, func(c *chaos.C) { lost(nil, c) }, chaos.WithDir(os.Getenv("ROUSE_TEST_REPLAYED")))
	}
}

// A binary that can prove nothing by a recording refuses it, though no test looks at it.
func TestReplayFlag(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) (string, int) {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), "ROUSE_TEST_REPLAYED="+dir)
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	if out, code := run("-test.run=^TestReplayedByFlag$"); code != 1 {
		t.Fatalf("exit code %d: %s", code, out)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.rouse"))
	if len(files) != 1 {
		t.Fatalf("files: %q", files)
	}
	rec, err := recording.Read(files[0])
	if err != nil {
		t.Fatal(err)
	}
	rec.Verdict = verdict.DataRace
	if !racing.Detector {
		rec.Build += " race"
	}
	race := filepath.Join(dir, "race.rouse")
	if err := rec.Write(race); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		run, file string
		code      int
		want      string
	}{
		{"^TestReplayedByFlag$", files[0], 1, "wrong-result again, as recorded in "},
		{"ByFlag|Other", files[0], 1, "wrong-result again, as recorded in "},
		{"^TestIs$", files[0], 2, "it is a recording of TestReplayedByFlag, which -run and -skip do not select"},
		{"^TestReplayedByFlag$", "missing.rouse", 2, "missing.rouse: no such file"},
		{"^TestIs$", "missing.rouse", 2, "missing.rouse: no such file"},
	} {
		if out, code := run("-test.run="+c.run, "-chaos.replay="+c.file); code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("-test.run=%s -chaos.replay=%s: exit code %d, want %d and %q in:\n%s", c.run, c.file, code, c.code, c.want, out)
		}
	}
	if out, code := run("-chaos.replay="+files[0], "-test.run", "^TestIs$"); code != 2 || !strings.Contains(out, "which -run and -skip do not select") {
		t.Errorf("-test.run after -chaos.replay: exit code %d:\n%s", code, out)
	}
	for args, want := range map[string]string{
		"-chaos.stop=1": "-chaos.stop=1: want -chaos.replay, too",
		"-chaos.stop=last -chaos.replay=" + files[0]: `-chaos.stop: found "last", want the number of a step, or 0`,
		"-chaos.stop=0 -chaos.replay=" + files[0]:    "stops before step ", // and a trap: no debugger runs it
		"-chaos.stop=9999 -chaos.replay=" + files[0]: "there is no step 9999: the execution has ",
	} {
		if out, code := run(append([]string{"-test.run=^TestReplayedByFlag$"}, strings.Fields(args)...)...); code == 0 || !strings.Contains(out, want) {
			t.Errorf("%s: exit code %d, want %q in:\n%s", args, code, want, out)
		}
	}
	want, code := "it is a data race, and this binary has no race detector: add -race", 2
	if racing.Detector {
		want, code = "not reproduced: ", 1
	}
	if out, got := run("-test.run=^TestReplayedByFlag$", "-chaos.replay="+race); got != code || !strings.Contains(out, want) {
		t.Errorf("exit code %d, want %d and %q in:\n%s", got, code, want, out)
	}
}
