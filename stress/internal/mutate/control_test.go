package mutate

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

// run runs, and returns what was noted.
func run(t *testing.T, o Options) (report.MutationReport, []string) {
	t.Helper()
	w := &watcher{}
	o.Observers = report.Observers{w}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r, w.notes
}

// TestLeaks: a goroutine that is left behind kills a mutant, by a test that leaves none without it; one that
// does is tested without the leak oracle, also when the journal says so.
func TestLeaks(t *testing.T) {
	module(t, map[string]string{
		"go.mod": "module example.com/leaks\n\ngo 1.25\n",
		"a.go": `package leaks

func Start() (stop chan int) {
	stop = make(chan int)
	go func() { <-stop }()
	return stop
}

func Stop(stop chan int) { close(stop) }

func StopOne(stops ...chan int) { close(stops[0]) }
`,
		"a_test.go": `package leaks

import "testing"

func TestStops(t *testing.T) { Stop(Start()) }

func TestLeaves(t *testing.T) { StopOne(Start(), Start()) }
`,
	})
	o := Options{Ways: []string{"stress"}, Budget: time.Minute, Executions: 20, Out: "out", Seed: 1, Operators: []string{"delete-close"}}
	for range 2 {
		r, notes := run(t, o)
		differ(t, results(r), []string{
			"a.go/Stop/delete-close/1 killed; stress killed by TestStops: leak",
			"a.go/StopOne/delete-close/1 survived; stress survived",
		})
		differ(t, notes, []string{"without a mutant, TestLeaves does not pass by stress with --leaks: tested there without it"})
	}
}

// TestCheckedUnmutated: a test that fails in a later execution than those of the baseline kills a mutant only
// if it does not fail in it without the mutant.
func TestCheckedUnmutated(t *testing.T) {
	module(t, map[string]string{
		"go.mod": "module example.com/late\n\ngo 1.25\n",
		"a.go":   "package late\n\nfunc Close(c chan int) { close(c) }\n\nfunc End(c chan int) { close(c) }\n",
		"a_test.go": `package late

import (
	"math/rand/v2"
	"testing"
)

// isLate is first true in execution 110: what is drawn follows from the seed. Without control it never is.
func isLate() bool { return rand.IntN(80) == 31 && rand.Uint32() == 923245233 }

func TestClose(t *testing.T) { Close(make(chan int)) }

func TestFailsLate(t *testing.T) {
	Close(make(chan int))
	if isLate() {
		t.Error("late")
	}
}

func TestEnds(t *testing.T) {
	c := make(chan int)
	End(c)
	select {
	case <-c:
	default:
		if isLate() {
			t.Error("late")
		}
	}
}
`,
	})
	o := Options{Ways: []string{"stress"}, Budget: time.Minute, Executions: 120, Seed: 1, Procs: 1, Operators: []string{"delete-close"}}
	r, notes := run(t, o)
	if len(r.Mutants) != 2 || len(notes) > 0 {
		t.Fatalf("%q, %q", results(r), notes)
	}
	survivor, killed := r.Mutants[0].Trials[0], r.Mutants[1].Trials[0]
	if survivor.Outcome != report.TrialSurvived || survivor.Tests != 1 || survivor.PlannedTests != 2 || !survivor.Cut() ||
		!strings.HasPrefix(survivor.What, "TestFailsLate fails in execution 1") {
		t.Errorf("%+v", survivor)
	}
	if killed.Outcome != report.TrialKilled || killed.By != "TestEnds" {
		t.Errorf("%+v", killed)
	}
}

// TestFewerTests: a trial without some tests says so, also from the journal; those that fit the budget
// together all run, whatever each takes alone.
func TestFewerTests(t *testing.T) {
	files := map[string]string{
		"go.mod": "module example.com/slow\n\ngo 1.25\n",
		"a.go":   "package slow\n\nfunc Close(c chan int) { close(c) }\n",
		"a_test.go": `package slow

import (
	"testing"
	"time"
)

func TestOne(t *testing.T) { Close(make(chan int)); time.Sleep(time.Second) }

func TestTwo(t *testing.T) { Close(make(chan int)); time.Sleep(time.Second) }
`,
	}
	o := Options{Ways: []string{"plain"}, Budget: 1500 * time.Millisecond, Out: "out", Operators: []string{"delete-close"}}
	module(t, files)
	for range 2 {
		r, _ := run(t, o)
		if trial := r.Mutants[0].Trials[0]; !trial.Cut() || trial.Tests != 1 || trial.PlannedTests != 2 {
			t.Errorf("%+v", trial)
		}
	}
	files["a_test.go"] = `package slow

import (
	"os"
	"testing"
	"time"
)

func TestMain(m *testing.M) { time.Sleep(1500*time.Millisecond); os.Exit(m.Run()) }

func TestOne(t *testing.T) { Close(make(chan int)) }

func TestTwo(t *testing.T) { Close(make(chan int)) }
`
	o.Budget = 2900 * time.Millisecond
	module(t, files)
	for range 2 {
		r, _ := run(t, o)
		if trial := r.Mutants[0].Trials[0]; trial.Cut() || trial.Tests != 2 || trial.PlannedTests != 2 {
			t.Errorf("%+v", trial)
		}
	}
}

// TestUntested: a mutant whose tests take no part in any way is untested; a way in which no test takes part
// is noted, and refused if there is no other.
func TestUntested(t *testing.T) {
	module(t, map[string]string{
		"go.mod":        "module example.com/idle\n\ngo 1.25\n",
		"a.go":          "package idle\n\nfunc Close(c chan int) { close(c) }\n\nfunc End(c chan int) { close(c) }\n",
		"race_test.go":  "//go:build race\n\npackage idle\n\nconst raced = true\n",
		"plain_test.go": "//go:build !race\n\npackage idle\n\nconst raced = false\n",
		"a_test.go": `package idle

import "testing"

func TestClose(t *testing.T) { Close(make(chan int)) }

func TestEnd(t *testing.T) {
	if End(make(chan int)); raced {
		t.Error("fails")
	}
}
`,
	})
	const left, idle = "without a mutant, TestEnd does not pass with the race detector: left out there", "no test takes part in the way race: no mutant is tested in it"
	o := Options{Ways: []string{"race"}, Budget: time.Minute, Operators: []string{"delete-close"}}
	r, notes := run(t, o)
	differ(t, results(r), []string{"a.go/Close/delete-close/1 survived; race survived", "a.go/End/delete-close/1 untested; race not-run"})
	differ(t, notes, []string{left})
	o.Ways, o.IDs = []string{"plain", "race"}, []string{"a.go/End/delete-close/1"}
	r, notes = run(t, o)
	differ(t, results(r), []string{"a.go/End/delete-close/1 survived; plain survived; race not-run"})
	differ(t, notes, []string{left, idle})
	o.Ways = []string{"race"}
	_, err := Run(t.Context(), o)
	var input *suite.InputError
	if !errors.As(err, &input) || !slices.Equal(strings.Split(err.Error(), "\n"), []string{
		"no test takes part in any way", "example.com/idle: " + left, "example.com/idle: " + idle,
	}) {
		t.Errorf("got %v", err)
	}
}
