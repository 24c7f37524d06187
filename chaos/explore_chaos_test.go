//go:build chaos

package chaos_test

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/reproduce"
)

// A recorder is a test that is run to see what becomes of it.
type recorder struct {
	name   string
	failed bool
	said   string
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return r.name }
func (r *recorder) Failed() bool { return r.failed }
func (r *recorder) Logf(format string, args ...any) {
	r.said += fmt.Sprintf(format, args...) + "\n"
}
func (r *recorder) FailNow() { r.failed = true; runtime.Goexit() }
func (r *recorder) Fatalf(format string, args ...any) {
	r.Logf(format, args...)
	r.FailNow()
}

// explore runs Explore for a test called Test, and returns the test.
func explore(dir string, f func(r *recorder, c *chaos.C), options ...chaos.Option) *recorder {
	r := &recorder{name: "Test/of explore"}
	done := make(chan struct{})
	go func() {
		defer close(done)
		chaos.Explore(r, func(c *chaos.C) { f(r, c) }, append([]chaos.Option{chaos.WithDir(dir)}, options...)...)
	}()
	<-done
	return r
}

// reproduced checks every recording that explore has written to dir, of that body.
// options are what Explore was told and a recording does not say.
func reproduced(t *testing.T, dir string, f func(r *recorder, c *chaos.C), o control.Options) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.rouse"))
	if len(files) == 0 {
		t.Error("nothing was recorded")
	}
	for _, file := range files {
		rec, err := recording.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		reproduce.Recording(t, o, rec, chaos.Body(func(c *chaos.C) { f(&recorder{name: t.Name()}, c) }))
	}
}

// lost is an increment that is two operations.
func lost(_ *recorder, c *chaos.C) {
	var x atomic.Int64
	var wg sync.WaitGroup
	wg.Add(2)
	for range 2 {
		c.Go(func() {
			defer wg.Done()
			x.Store(x.Load() + 1)
		})
	}
	wg.Wait()
	if n := x.Load(); n != 2 {
		c.Errorf("two increments made %d", n)
	}
}

func TestExploreFindsShrinksAndRecords(t *testing.T) {
	dir := t.TempDir()
	r := explore(dir, lost)
	if !r.failed {
		t.Fatal("a lost increment was not found")
	}
	for _, want := range []string{
		`^wrong-result in execution \d+ \(portfolio\): two increments made 1\n`,
		`(?m)^main +\| main/0 +\| main/1 *$`,
		`atomic/load \[\d+\] explore_chaos_test.go:\d+`,
		`recorded(, and shrunk from \d+ decisions? to [12]| with [12] decisions?)\n`,
		`(?m)^found with -chaos.seed=0x1 -chaos.execution=\d+$`,
		`reproduce: go test -tags chaos( -race)?( -cpu \d+)? -run '\^Test\$/\^of explore\$' github.com/rouse-go/rouse/chaos -chaos.replay=` + regexp.QuoteMeta(dir),
	} {
		if !regexp.MustCompile(want).MatchString(r.said) {
			t.Errorf("the message does not match %s:\n%s", want, r.said)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "Test_of_explore", "*"))
	if len(files) != 1 {
		t.Fatalf("files: %q, want one", files)
	}
	rec, err := recording.Read(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if rec.Verdict != verdict.WrongResult || len(rec.Entries) > 2 || rec.Subject != "github.com/rouse-go/rouse/chaos Test/of explore" || rec.Seed != 1 {
		t.Errorf("the recording is\n%s", rec)
	}

	reproduced(t, dir, lost, control.Options{})

	// The next run finds it at once, from the file.
	again := explore(dir, lost, chaos.WithExecutions(1), chaos.WithStrategy(&strategy.Replay{}))
	if want := "wrong-result: the recorded failure " + files[0] + " still happens, by the recorded trace: two increments made 1\n"; !again.failed || !strings.HasPrefix(again.said, want) {
		t.Errorf("the recording was not run first, or it is not said: %s, want %s", again.said, want)
	}
	// Cured, it passes, and says that the file is of no use any more.
	cured := explore(dir, func(_ *recorder, c *chaos.C) { c.Go(func() {}) })
	if cured.failed || !strings.Contains(cured.said, "no longer happens") || !strings.Contains(cured.said, "\ngone: main") {
		t.Errorf("failed: %v: %s", cured.failed, cured.said)
	}
}

// What is found twice is one file.
func TestTheSameFailureIsOneFile(t *testing.T) {
	dir := t.TempDir()
	for range 3 {
		os.RemoveAll(filepath.Join(dir, "nothing"))
		explore(dir, lost)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*", "*")); len(files) != 1 {
		t.Errorf("files: %q, want one", files)
	}
}

func TestExploreReportsEachWayToFail(t *testing.T) {
	for _, c := range []struct {
		name string
		body func(r *recorder, c *chaos.C)
		want string
	}{
		{"deadlock", func(_ *recorder, c *chaos.C) {
			var mu sync.Mutex
			mu.Lock()
			mu.Lock()
		}, "deadlock in execution 0"},
		{"leak", func(_ *recorder, c *chaos.C) {
			var mu sync.Mutex
			mu.Lock()
			c.Go(mu.Lock)
		}, "leak in execution 0"},
		{"panic", func(_ *recorder, c *chaos.C) { c.Go(func() { panic("bang") }) }, "panic in execution 0"},
		{"Fatalf", func(_ *recorder, c *chaos.C) {
			c.Fatalf("%d", 42)
			panic("Fatalf returned")
		}, "wrong-result in execution 0 (portfolio): 42"},
		{"a failed test", func(r *recorder, c *chaos.C) { r.FailNow() }, "the body has failed the test"},
		{"Choose", func(_ *recorder, c *chaos.C) {
			if c.Choose(10) == 7 {
				c.Errorf("seven")
			}
		}, "seven"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			r := explore(dir, c.body)
			if !r.failed || !strings.Contains(r.said, c.want) {
				t.Errorf("failed: %v, want %q in:\n%s", r.failed, c.want, r.said)
			}
			if c.name != "a failed test" { // of that the engine knows nothing
				reproduced(t, dir, c.body, control.Options{})
			}
		})
	}
}

// What the subject makes of a stuck execution is reported, recorded, shrunk and
// repeated.
func TestOnStuck(t *testing.T) {
	dir := t.TempDir()
	body := func(_ *recorder, c *chaos.C) {
		jobs := 0
		c.OnStuck(func(stuck control.Result) (verdict.Verdict, string) {
			if stuck.Verdict != verdict.Deadlock || jobs == 0 {
				return "", ""
			}
			return verdict.LostWakeup, fmt.Sprintf("%d job, and its worker sleeps", jobs)
		})
		var mu sync.Mutex
		arrived := sync.NewCond(&mu)
		c.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			jobs++
			arrived.Signal()
		})
		mu.Lock()
		arrived.Wait() // without a look: the job may be there already
		jobs--
		mu.Unlock()
	}
	r := explore(dir, body)
	if !r.failed || !regexp.MustCompile(`^lost-wakeup in execution \d+ .*: 1 job, and its worker sleeps\n`).MatchString(r.said) {
		t.Fatalf("failed: %v: %s", r.failed, r.said)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	rec, err := recording.Read(files[0])
	if err != nil || rec.Verdict != verdict.LostWakeup {
		t.Errorf("the recording is\n%s(%v)", rec, err)
	}
	reproduced(t, dir, body, control.Options{})
	if again := explore(dir, body, chaos.WithExecutions(1)); !again.failed || !strings.HasPrefix(again.said, "lost-wakeup") {
		t.Errorf("the recording does not reproduce: %s", again.said)
	}
}

func TestExplorePasses(t *testing.T) {
	executions := 0
	r := explore(t.TempDir(), func(_ *recorder, c *chaos.C) { executions++ }, chaos.WithExecutions(100))
	if r.failed || r.said != "" || executions < 100 || executions > 110 {
		t.Errorf("failed: %v after %d executions: %s", r.failed, executions, r.said)
	}
}

// A body that is not a function of its schedule is reported, whether the repetition shows it or an
// exhaustive strategy. There is nothing to record.
func TestNondeterminismIsReported(t *testing.T) {
	for _, by := range []strategy.Strategy{strategy.Portfolio(), strategy.DFS(1)} {
		dir := t.TempDir()
		r := explore(dir, func(_ *recorder, c *chaos.C) {
			var x atomic.Int64
			c.Go(func() { x.Add(1) })
			for range rand.Intn(5) {
				x.Add(1)
			}
		}, chaos.WithStrategy(by))
		if !r.failed || !strings.HasPrefix(r.said, "nondeterminism") || !strings.Contains(r.said, "the order of a map") {
			t.Errorf("%s: failed: %v: %s", by.Name(), r.failed, r.said)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: left %v, %v", by.Name(), left, err)
		}
	}
}

var pointGap = hooks.Declare("chaos-test/gap", "for these tests", hooks.Disturbs|hooks.Drops)

// Plain variables with hook points between: only with WithPoints are these windows.
func TestAtPoints(t *testing.T) {
	body := func(_ *recorder, c *chaos.C) {
		x := 0
		var wg sync.WaitGroup
		wg.Add(2)
		for range 2 {
			c.Go(func() {
				defer wg.Done()
				n := x
				hooks.At(pointGap)
				x = n + 1
			})
		}
		wg.Wait()
		if x != 2 {
			c.Errorf("two increments made %d", x)
		}
	}
	if racing.Detector {
		t.Skip("it has the data race that it looks for")
	}
	if r := explore(t.TempDir(), body); r.failed {
		t.Errorf("without WithPoints: %s", r.said)
	}
	dir := t.TempDir()
	if r := explore(dir, body, chaos.WithPoints()); !r.failed || !strings.Contains(r.said, "chaos-test/gap") {
		t.Errorf("with WithPoints, failed: %v: %s", r.failed, r.said)
	}
	reproduced(t, dir, body, control.Options{Points: true})
}

// A fault of the plan is in the recording, and replays.
func TestFaultsAreRecorded(t *testing.T) {
	dir := t.TempDir()
	body := func(_ *recorder, c *chaos.C) {
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		ready := false
		c.Go(func() {
			mu.Lock()
			ready = true
			for range hooks.Notify(pointGap) {
				cond.Signal()
			}
			mu.Unlock()
		})
		mu.Lock()
		for !ready {
			cond.Wait()
		}
		mu.Unlock()
	}
	drop := chaos.Plan{Faults: []chaos.Fault{{At: "chaos-test/gap", Kind: hooks.Drops, Probability: 0.1}}}
	if r := explore(dir, body); r.failed {
		t.Fatalf("without the plan: %s", r.said)
	}
	r := explore(dir, body, chaos.WithPlan(drop))
	if !r.failed || !strings.HasPrefix(r.said, "deadlock") {
		t.Fatalf("failed: %v: %s", r.failed, r.said)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	text, _ := os.ReadFile(files[0])
	if !strings.Contains(string(text), "main/0 chaos-test/gap #0: drop\n") {
		t.Errorf("the recording does not hold the drop:\n%s", text)
	}
	reproduced(t, dir, body, control.Options{})
	if again := explore(dir, body); !again.failed { // no plan: the file has it
		t.Errorf("the recording does not reproduce: %s", again.said)
	}
}

func TestBothSwitchesExploreTheSame(t *testing.T) {
	if racing.Detector {
		t.Skip("coroutines blind the detector")
	}
	var said []string
	for _, how := range []control.Switch{control.Coroutines, control.Channels} {
		r := explore(t.TempDir(), lost, chaos.WithSwitch(how))
		line, _, _ := strings.Cut(r.said, "\n")
		said = append(said, line)
	}
	if said[0] != said[1] || !strings.HasPrefix(said[0], "wrong-result") {
		t.Errorf("%q, %q", said[0], said[1])
	}
}

func TestBadOptionsAreRefused(t *testing.T) {
	bad := chaos.Plan{Faults: []chaos.Fault{{At: "chaos-test/gpa", Kind: hooks.Drops}}}
	for want, o := range map[string]chaos.Option{
		"0 executions: want 1 or more": chaos.WithExecutions(0),
		`perhaps "chaos-test/gap"`:     chaos.WithPlan(bad),
	} {
		r := explore(t.TempDir(), func(*recorder, *chaos.C) {}, o)
		if !r.failed || !strings.Contains(r.said, want) {
			t.Errorf("failed: %v, want %q in %s", r.failed, want, r.said)
		}
	}
	for variable, value := range map[string]string{"CHAOS_SEED": "x1", "CHAOS_EXECUTIONS": "many", "CHAOS_STRATEGY": "rndom"} {
		t.Setenv(variable, value)
		r := explore(t.TempDir(), func(*recorder, *chaos.C) {})
		if !r.failed || !strings.Contains(r.said, fmt.Sprintf("%q", value)) {
			t.Errorf("%s=%s, failed: %v: %s", variable, value, r.failed, r.said)
		}
		os.Unsetenv(variable)
	}
}

func TestNilOptionsAreIgnored(t *testing.T) {
	executions := 0
	r := explore(t.TempDir(), func(*recorder, *chaos.C) { executions++ }, nil, chaos.WithExecutions(7), nil)
	if r.failed || executions != 8 { // the first is run twice
		t.Errorf("failed: %v: %s; %d executions, want 7 and one again", r.failed, r.said, executions)
	}
}

func TestEnvironmentOverrules(t *testing.T) {
	executions := 0
	t.Setenv("CHAOS_EXECUTIONS", "7")
	explore(t.TempDir(), func(*recorder, *chaos.C) { executions++ }, chaos.WithExecutions(1000))
	if executions != 8 { // the first is run twice
		t.Errorf("%d executions, want 7 and one again", executions)
	}
}

// artful is a test that has a folder for artifacts, as those of Go 1.26 have.
type artful struct {
	*recorder
	dir string
}

func (a artful) ArtifactDir() string { return a.dir }

func TestRecordingIsAnArtifact(t *testing.T) {
	dir := t.TempDir()
	done := make(chan struct{})
	go func() {
		defer close(done)
		chaos.Explore(artful{&recorder{name: "Artful"}, dir}, func(c *chaos.C) { lost(nil, c) }, chaos.WithDir(t.TempDir()))
	}()
	<-done
	if files, _ := filepath.Glob(filepath.Join(dir, "*.rouse")); len(files) != 1 {
		t.Errorf("artifacts: %q, want one recording", files)
	}
}
