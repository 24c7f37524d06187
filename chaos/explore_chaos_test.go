//go:build chaos

package chaos_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/internal/faketest"
	"github.com/rouse-go/rouse/internal/racing"
	"github.com/rouse-go/rouse/internal/reproduce"
)

// explore runs Explore for a test called Test, and returns the test.
func explore(dir string, f func(r *faketest.Test, c *chaos.C), options ...chaos.Option) *faketest.Test {
	return faketest.Run("Test/of_explore", func(r *faketest.Test) {
		chaos.Explore(r, func(c *chaos.C) { f(r, c) }, append([]chaos.Option{chaos.WithDir(dir)}, options...)...)
	})
}

// reproduced checks every recording that explore has written to dir, of that body.
// options are those of Explore that are not in a recording.
func reproduced(t *testing.T, dir string, f func(r *faketest.Test, c *chaos.C), o control.Options) {
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
		reproduce.Recording(t, o, rec, chaos.Body(func(c *chaos.C) { f(faketest.New(t.Name()), c) }))
	}
}

// TestChanceOfNew: a strategy that draws has a chance of a new order, and one that searches has none.
func TestChanceOfNew(t *testing.T) {
	for _, x := range []struct {
		by   strategy.Strategy
		want bool
	}{{strategy.Random(), true}, {strategy.DFS(2), false}, {strategy.DPOR(), false}} {
		r := explore(t.TempDir(), func(_ *faketest.Test, c *chaos.C) {
			var x atomic.Int64
			for range 3 {
				c.Go(func() {
					time.Sleep(time.Second)
					x.Add(1)
					x.CompareAndSwap(2, 5)
				})
			}
		}, chaos.WithStrategy(x.by), chaos.WithExecutions(5))
		if r.Failed() || !strings.Contains(r.Log, "5 executions of") || strings.Contains(r.Log, "the next one has a new order") != x.want {
			t.Errorf("%s:\n%s", x.by.Name(), r.Log)
		}
	}
}

// lost is an increment that is two operations.
func lost(_ *faketest.Test, c *chaos.C) {
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
	if !r.Failed() {
		t.Fatal("a lost increment was not found")
	}
	for _, want := range []string{
		`^wrong-result in execution \d+ \(portfolio\): two increments made 1\n`,
		`(?m)^main +\| main/0 +\| main/1 *$`,
		`atomic/load \[\d+\] explore_chaos_test.go:\d+`,
		`recorded(, and shrunk from \d+ decisions? to [12]| with [12] decisions?)\n`,
		`(?m)^found with -chaos.seed=0x1 -chaos.execution=\d+$`,
		`reproduce: go test -tags chaos( -race)?( -cpu \d+)? -run '\^Test\$/\^of_explore\$' github.com/rouse-go/rouse/chaos -chaos.replay=` + regexp.QuoteMeta(dir),
	} {
		if !regexp.MustCompile(want).MatchString(r.Log) {
			t.Errorf("the message does not match %s:\n%s", want, r.Log)
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
	if rec.Verdict != verdict.WrongResult || len(rec.Entries) > 2 || rec.Subject != "github.com/rouse-go/rouse/chaos Test/of_explore" || rec.Seed != 1 {
		t.Errorf("the recording is\n%s", rec)
	}

	reproduced(t, dir, lost, control.Options{})

	// The next run finds it at once, from the file.
	again := explore(dir, lost, chaos.WithExecutions(1), chaos.WithStrategy(&strategy.Replay{}))
	if want := "wrong-result: the recorded failure " + files[0] + " still happens, by the recorded trace: two increments made 1\n"; !again.Failed() || !strings.HasPrefix(again.Log, want) {
		t.Errorf("the recording was not run first, or it is not said: %s, want %s", again.Log, want)
	}
	// Cured, it passes, and says that the file is of no use any more.
	cured := explore(dir, func(_ *faketest.Test, c *chaos.C) { c.Go(func() {}) })
	if cured.Failed() || !strings.Contains(cured.Log, "no longer happens") || !strings.Contains(cured.Log, "\ngone: main") {
		t.Errorf("failed: %v: %s", cured.Failed(), cured.Log)
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
		body func(r *faketest.Test, c *chaos.C)
		want string
	}{
		{"deadlock", func(_ *faketest.Test, c *chaos.C) {
			var mu sync.Mutex
			mu.Lock()
			mu.Lock()
		}, "deadlock in execution 0"},
		{"leak", func(_ *faketest.Test, c *chaos.C) {
			var mu sync.Mutex
			mu.Lock()
			c.Go(mu.Lock)
		}, "leak in execution 0"},
		{"panic", func(_ *faketest.Test, c *chaos.C) { c.Go(func() { panic("bang") }) }, "panic in execution 0"},
		{"Fatalf", func(_ *faketest.Test, c *chaos.C) {
			c.Fatalf("%d", 42)
			panic("Fatalf returned")
		}, "wrong-result in execution 0 (portfolio): 42"},
		{"a failed test", func(r *faketest.Test, c *chaos.C) { r.FailNow() }, "the body has failed the test"},
		{"Choose", func(_ *faketest.Test, c *chaos.C) {
			if c.Choose(10) == 7 {
				c.Errorf("seven")
			}
		}, "seven"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			r := explore(dir, c.body)
			if !r.Failed() || !strings.Contains(r.Log, c.want) {
				t.Errorf("failed: %v, want %q in:\n%s", r.Failed(), c.want, r.Log)
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
	body := func(_ *faketest.Test, c *chaos.C) {
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
	if !r.Failed() || !regexp.MustCompile(`^lost-wakeup in execution \d+ .*: 1 job, and its worker sleeps\n`).MatchString(r.Log) {
		t.Fatalf("failed: %v: %s", r.Failed(), r.Log)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	rec, err := recording.Read(files[0])
	if err != nil || rec.Verdict != verdict.LostWakeup {
		t.Errorf("the recording is\n%s(%v)", rec, err)
	}
	reproduced(t, dir, body, control.Options{})
	if again := explore(dir, body, chaos.WithExecutions(1)); !again.Failed() || !strings.HasPrefix(again.Log, "lost-wakeup") {
		t.Errorf("the recording does not reproduce: %s", again.Log)
	}
}

func TestExplorePasses(t *testing.T) {
	executions := 0
	r := explore(t.TempDir(), func(_ *faketest.Test, c *chaos.C) { executions++ }, chaos.WithExecutions(100))
	if r.Failed() || r.Log != "" || executions < 100 || executions > 110 {
		t.Errorf("failed: %v after %d executions: %s", r.Failed(), executions, r.Log)
	}
}

// A body that is not a function of its schedule is reported, whether the repetition shows it or an
// exhaustive strategy. There is nothing to record.
func TestNondeterminismIsReported(t *testing.T) {
	for _, by := range []strategy.Strategy{strategy.Portfolio(), strategy.DFS(1)} {
		dir, executions := t.TempDir(), 0
		r := explore(dir, func(_ *faketest.Test, c *chaos.C) {
			executions++
			var x atomic.Int64
			c.Go(func() { x.Add(1) })
			for range executions % 5 {
				x.Add(1)
			}
		}, chaos.WithStrategy(by))
		if !r.Failed() || !strings.HasPrefix(r.Log, "nondeterminism") || !strings.Contains(r.Log, "the order of a map") {
			t.Errorf("%s: failed: %v: %s", by.Name(), r.Failed(), r.Log)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: left %v, %v", by.Name(), left, err)
		}
	}
}

var pointGap = hooks.Declare("chaos-test/gap", "for these tests", hooks.Disturbs|hooks.Drops)

// Plain variables with hook points between: only with WithPoints are these windows.
func TestAtPoints(t *testing.T) {
	body := func(_ *faketest.Test, c *chaos.C) {
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
	if r := explore(t.TempDir(), body); r.Failed() {
		t.Errorf("without WithPoints: %s", r.Log)
	}
	dir := t.TempDir()
	if r := explore(dir, body, chaos.WithPoints()); !r.Failed() || !strings.Contains(r.Log, "chaos-test/gap") {
		t.Errorf("with WithPoints, failed: %v: %s", r.Failed(), r.Log)
	}
	reproduced(t, dir, body, control.Options{Points: true})
}

// A fault of the plan is in the recording, and replays.
func TestFaultsAreRecorded(t *testing.T) {
	dir := t.TempDir()
	body := func(_ *faketest.Test, c *chaos.C) {
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
	if r := explore(dir, body); r.Failed() {
		t.Fatalf("without the plan: %s", r.Log)
	}
	r := explore(dir, body, chaos.WithPlan(drop))
	if !r.Failed() || !strings.HasPrefix(r.Log, "deadlock") {
		t.Fatalf("failed: %v: %s", r.Failed(), r.Log)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	text, _ := os.ReadFile(files[0])
	if !strings.Contains(string(text), "main/0 chaos-test/gap #0: drop\n") {
		t.Errorf("the recording does not hold the drop:\n%s", text)
	}
	reproduced(t, dir, body, control.Options{})
	if again := explore(dir, body); !again.Failed() { // no plan: the file has it
		t.Errorf("the recording does not reproduce: %s", again.Log)
	}
}

func TestBothSwitchesExploreTheSame(t *testing.T) {
	if racing.Detector {
		t.Skip("coroutines blind the detector")
	}
	var said []string
	for _, how := range []control.Switch{control.Coroutines, control.Channels} {
		r := explore(t.TempDir(), lost, chaos.WithSwitch(how))
		line, _, _ := strings.Cut(r.Log, "\n")
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
		r := explore(t.TempDir(), func(*faketest.Test, *chaos.C) {}, o)
		if !r.Failed() || !strings.Contains(r.Log, want) {
			t.Errorf("failed: %v, want %q in %s", r.Failed(), want, r.Log)
		}
	}
	for variable, value := range map[string]string{"CHAOS_SEED": "x1", "CHAOS_EXECUTIONS": "many", "CHAOS_STRATEGY": "rndom"} {
		t.Setenv(variable, value)
		r := explore(t.TempDir(), func(*faketest.Test, *chaos.C) {})
		if !r.Failed() || !strings.Contains(r.Log, fmt.Sprintf("%q", value)) {
			t.Errorf("%s=%s, failed: %v: %s", variable, value, r.Failed(), r.Log)
		}
		os.Unsetenv(variable)
	}
}

func TestNilOptionsAreIgnored(t *testing.T) {
	executions := 0
	r := explore(t.TempDir(), func(*faketest.Test, *chaos.C) { executions++ }, nil, chaos.WithExecutions(7), nil)
	if r.Failed() || executions != 8 { // the first is run twice
		t.Errorf("failed: %v: %s; %d executions, want 7 and one again", r.Failed(), r.Log, executions)
	}
}

func TestEnvironmentOverrules(t *testing.T) {
	executions := 0
	t.Setenv("CHAOS_EXECUTIONS", "7")
	explore(t.TempDir(), func(*faketest.Test, *chaos.C) { executions++ }, chaos.WithExecutions(1000))
	if executions != 8 { // the first is run twice
		t.Errorf("%d executions, want 7 and one again", executions)
	}
}

// artful is a test that has a folder for artifacts, as those of Go 1.26 have.
type artful struct {
	*faketest.Test
	dir string
}

func (a artful) ArtifactDir() string { return a.dir }

func TestRecordingIsAnArtifact(t *testing.T) {
	dir := t.TempDir()
	faketest.Run("Artful", func(r *faketest.Test) {
		chaos.Explore(artful{r, dir}, func(c *chaos.C) { lost(nil, c) }, chaos.WithDir(t.TempDir()))
	})
	if files, _ := filepath.Glob(filepath.Join(dir, "*.rouse")); len(files) != 1 {
		t.Errorf("artifacts: %q, want one recording", files)
	}
}
