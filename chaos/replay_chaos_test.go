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
	"github.com/rouse-go/rouse/internal/racing"
)

// recordedIn explores the body until it fails, and returns the recording.
func recordedIn(t *testing.T, dir string, f func(r *recorder, c *chaos.C), options ...chaos.Option) (string, *recording.Recording) {
	t.Helper()
	r := explore(dir, f, options...)
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.rouse"))
	if !r.failed || len(files) != 1 {
		t.Fatalf("failed: %v, files: %q: %s", r.failed, files, r.said)
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
		body func(r *recorder, c *chaos.C)
		want []string
	}{
		{"as recorded", nil, lost, []string{`^wrong-result again, as recorded in \S+, by the recorded trace: two increments made 1\n`, `reproduce: go test -tags chaos`}},
		{"other trace", hash, lost, []string{`^wrong-result again, as recorded in \S+, by another trace: the code has changed since: two increments made 1\n`, `the trace hash is [0-9a-f]{16}, recorded: [0-9a-f]{16}\n`}},
		{"another program", nil, func(_ *recorder, c *chaos.C) { c.Go(func() {}) },
			[]string{`^not reproduced: \S+ is recorded as wrong-result \(two increments made 1\), but the execution passes; \d of \d decisions do not apply\n`, `\ngone: main`}},
		{"a program that applies nothing", func(r *recording.Recording) { r.Entries = nil }, func(*recorder, *chaos.C) {},
			[]string{`^not reproduced: \S+ is recorded as wrong-result \(two increments made 1\), but the execution passes`}},
		{"another verdict", func(r *recording.Recording) { r.Entries = nil }, func(_ *recorder, c *chaos.C) { new(sync.Mutex).Unlock() },
			[]string{`^not reproduced: .*, but the verdict is panic: `}},
		{"another site", func(r *recording.Recording) { r.Entries = nil }, func(_ *recorder, c *chaos.C) { c.Errorf("something else") },
			[]string{`^not reproduced: .*, but it fails at another site: something else, recorded: two increments made 1: something else\n`}},
		{"another test", func(r *recording.Recording) { r.Subject = "github.com/rouse-go/rouse/chaos TestOther" }, lost,
			[]string{`^chaos: -chaos.replay=\S+: it is a recording of github.com/rouse-go/rouse/chaos TestOther, and this is github.com/rouse-go/rouse/chaos Test/of explore; use\ngo test `}},
		{"another package", func(r *recording.Recording) { r.Subject = "example.com/queue Test/of explore" }, lost,
			[]string{`it is a recording of package example.com/queue, and these are the tests of github.com/rouse-go/rouse/chaos`}},
		{"a scenario", func(r *recording.Recording) { r.Setup = "{}" }, lost, []string{`not of a test: stress replay repeats it`}},
		{"a native one", func(r *recording.Recording) { r.Kind = recording.Native }, lost, []string{`not of a test: stress replay repeats it`}},
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
				if !r.failed || !regexp.MustCompile(want).MatchString(r.said) {
					t.Errorf("failed: %v, want a match of %s in:\n%s", r.failed, want, r.said)
				}
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		chaos.SetReplayFlag(t, file+"x")
		if r := explore(t.TempDir(), lost); !r.failed || !strings.Contains(r.said, "no such file") {
			t.Errorf("failed: %v: %s", r.failed, r.said)
		}
	})
}

// The recording's settings are those that count, not those that the test has by now.
func TestReplayBringsItsSettings(t *testing.T) {
	body := func(_ *recorder, c *chaos.C) { tooLate(c) }
	file, _ := recordedIn(t, t.TempDir(), body, chaos.WithRacyTime(), chaos.WithPoints())
	chaos.SetReplayFlag(t, file)
	if r := explore(t.TempDir(), body); !r.failed || !strings.Contains(r.said, "again, as recorded in "+file+", by the recorded trace: ") {
		t.Errorf("failed: %v: %s", r.failed, r.said)
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
	body := func(_ *recorder, c *chaos.C) { tooLate(c) }
	const want = "chaos: timers: 50 were armed, and none fired while a task could go on: -chaos.clock=racy, or chaos.WithRacyTime(), "
	if r := explore(t.TempDir(), body, chaos.WithExecutions(50)); r.failed || !strings.HasPrefix(r.said, want) {
		t.Errorf("failed: %v: %s, want %s", r.failed, r.said, want)
	}
	sleeps := func(*recorder, *chaos.C) { time.Sleep(time.Second) }
	if r := explore(t.TempDir(), sleeps, chaos.WithExecutions(50)); r.failed || !strings.HasPrefix(r.said, want) {
		t.Errorf("failed: %v: %s, want %s", r.failed, r.said, want)
	}
	if r := explore(t.TempDir(), sleeps, chaos.WithExecutions(50), chaos.WithRacyTime()); r.failed || r.said != "" {
		t.Errorf("failed: %v: %s", r.failed, r.said)
	}
	chaos.SetFlag(t, "chaos.clock", "racy")
	if r := explore(t.TempDir(), body); !r.failed || !strings.Contains(r.said, "the timeout hit") || !strings.Contains(r.said, "found with -chaos.clock=racy -chaos.seed=0x1 -chaos.execution=") {
		t.Errorf("failed: %v: %s", r.failed, r.said)
	}
	chaos.SetFlag(t, "chaos.clock", "lazy")
	if r := explore(t.TempDir(), body, chaos.WithRacyTime()); r.failed {
		t.Errorf("the flag does not overrule: %s", r.said)
	}
	chaos.SetFlag(t, "chaos.clock", "patient")
	if r := explore(t.TempDir(), body); !r.failed || !strings.Contains(r.said, `-chaos.clock: found "patient", want lazy or racy`) {
		t.Errorf("failed: %v: %s", r.failed, r.said)
	}
}

// Each Explore of a test has recordings of its own.
func TestReplayOfTheSecondExplore(t *testing.T) {
	pass := func(c *chaos.C) {}
	fails := func(c *chaos.C) { c.Errorf("the second") }
	dir := t.TempDir()
	run := func(bodies ...func(c *chaos.C)) *recorder {
		r := &recorder{name: "Test"}
		ending := &endingRecorder{recorder: r}
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer ending.end()
			for _, f := range bodies {
				chaos.Explore(ending, f, chaos.WithDir(dir), chaos.WithExecutions(2))
			}
		}()
		<-done
		return r
	}
	if r := run(pass, fails); !r.failed {
		t.Fatalf("passed: %s", r.said)
	}
	if r := run(pass, fails); !r.failed || strings.Contains(r.said, "no longer") || !strings.Contains(r.said, "still happens") {
		t.Errorf("the first Explore has repeated what the second has recorded: %s", r.said)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.rouse"))
	chaos.SetReplayFlag(t, files[0])
	if r := run(pass, fails); !r.failed || !strings.Contains(r.said, "wrong-result again") {
		t.Errorf("failed: %v: %s", r.failed, r.said)
	}
	if r := run(pass); !r.failed || !strings.Contains(r.said, "not reproduced: it is a recording of Explore no. 2 of this test, which has made 1") {
		t.Errorf("failed: %v: %s", r.failed, r.said)
	}
}

// An endingRecorder says when its test ends.
type endingRecorder struct {
	*recorder
	ends []func()
}

func (r *endingRecorder) Cleanup(f func()) { r.ends = append(r.ends, f) }
func (r *endingRecorder) Errorf(format string, args ...any) {
	r.Logf(format, args...)
	r.failed = true
}
func (r *endingRecorder) end() {
	for i := range r.ends {
		r.ends[len(r.ends)-1-i]()
	}
}

// What a failure prints beside its seed makes that execution again, verbatim.
func TestPrintedFlagsAreAccepted(t *testing.T) {
	dir := t.TempDir()
	body := func(_ *recorder, c *chaos.C) {
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
	found := regexp.MustCompile(`(?m)^found with (.*)$`).FindStringSubmatch(r.said)
	if found == nil {
		t.Fatalf("failed: %v: %s", r.failed, r.said)
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
	head, _, _ := strings.Cut(r.said, "\n")
	if line, _, _ := strings.Cut(again.said, "\n"); line != head || !strings.Contains(again.said, found[0]) {
		t.Errorf("%s: got\n%s\nwant\n%s", flags, again.said, head)
	}
	cured := explore(t.TempDir(), func(*recorder, *chaos.C) {})
	if want := "chaos: execution " + flags[2][len("-chaos.execution="):] + " ("; cured.failed || !strings.HasPrefix(cured.said, want) {
		t.Errorf("cured: failed: %v: %s, want %s", cured.failed, cured.said, want)
	}
	chaos.SetFlag(t, "chaos.strategy", "dfs")
	if r := explore(t.TempDir(), func(*recorder, *chaos.C) {}); !r.failed || !strings.Contains(r.said, "there is no execution") {
		t.Errorf("an execution that does not exist: %s", r.said)
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
	rec.Build += " race"
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
	want, code := "it is a data race, and this binary has no race detector: add -race", 2
	if racing.Detector {
		want, code = "not reproduced: ", 1
	}
	if out, got := run("-test.run=^TestReplayedByFlag$", "-chaos.replay="+race); got != code || !strings.Contains(out, want) {
		t.Errorf("exit code %d, want %d and %q in:\n%s", got, code, want, out)
	}
}
