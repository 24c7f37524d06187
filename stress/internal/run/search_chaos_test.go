//go:build chaos

package run

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
)

// losing is a scenario of the pool that loses a notification, and expects to pass.
func losing() *scenario.Scenario {
	return &scenario.Scenario{
		Name: "losing", About: "For this test.", Subject: "pool", Setup: map[string]string{"workers": "[2, 1]"}, Workload: "inject",
		Plan:   []chaos.Fault{{At: "sleep/wake-notify", Kind: hooks.Drops, Probability: 0.02}, {At: "sleep/registered", Kind: hooks.Delays, Min: 50 * time.Microsecond, Max: time.Millisecond, Probability: 0.7}},
		Expect: verdict.Pass,
	}
}

// failedNatively is the recording of execution 1 of a scenario.
func failedNatively(sc *scenario.Scenario, v verdict.Verdict, events string) *Recording {
	return &Recording{Recording: NativeRecording(sc, 7, &outcome.Result{Execution: 1, Verdict: v, Summary: "it failed", Events: events}), Scenario: sc}
}

const sampleEvents = `main (workload)  1.5ms  pool/inject-pushed #0
main/0 (worker 0)   2ms  atomic/store #9
main/0 (worker 0)   3ms  sleep/registered #0  delay  350µs
main/0 (worker 0)   4ms  sleep/fenced #0
main (workload)    5ms  pool/gone #3
`

// TestSearchFindsAndRepeats: what is found is of the recorded setting, shrunk, repeats exactly, and is the
// same in each search.
func TestSearchFindsAndRepeats(t *testing.T) {
	native := failedNatively(losing(), verdict.LostWakeup, sampleEvents)
	found, err := native.Search(t.Context(), outcome.SearchBudget{Executions: 2000}, testSubjects...)
	if err != nil {
		t.Fatal(err)
	}
	if !found.Reproduced || found.Verdict != verdict.LostWakeup || found.Schedule == nil || found.Unshrunk != "" {
		t.Fatalf("got %+v", found)
	}
	if want := []string{"pool/inject-pushed", "sleep/registered", "sleep/fenced"}; !slices.Equal(found.Points, want) {
		t.Errorf("last seen at %q, want %q", found.Points, want)
	}
	read, err := readRecording("r", found.Schedule.String())
	if err != nil {
		t.Fatalf("%v in\n%s", err, found.Schedule)
	}
	if got := read.Scenario.Setup["workers"]; got != "[1]" || len(read.Scenario.Plan) != 2+3 {
		t.Errorf("workers %s, plan %v; want those of execution 1, and a delay at each point", got, read.Scenario.Plan)
	}
	if r, err := read.Replay(t.Context(), 2, nil); err != nil || r.Exact() != 2 {
		t.Errorf("%v: %s", err, &r)
	}
	x, err := read.ExplainPage(t.Context())
	if err != nil || x.Timelines == nil || x.Page == nil {
		t.Fatalf("%v: as data it is %+v", err, x)
	}
	if l := x.Timelines.Minimal; len(l.Edges) == 0 || len(l.Marks) == 0 || len(l.Lanes) < 2 || !slices.Equal(x.Page.Why, x.Result.Explanation) {
		t.Errorf("as data it is %+v and %+v", l, x.Page)
	}
	if l := x.Timelines; found.Schedule.Found == nil || l.Found == nil || l.Found.Decisions != len(found.Schedule.Found) || l.Minimal.Decisions != len(found.Schedule.Entries) {
		t.Errorf("shrunk from %d to %d decisions, shown as %+v", len(found.Schedule.Found), len(found.Schedule.Entries), l.Found)
	}
	again, err := native.Search(t.Context(), outcome.SearchBudget{For: time.Hour}, testSubjects...)
	if err != nil || again.Schedule == nil || again.Schedule.String() != found.Schedule.String() || again.Executions != found.Executions {
		t.Errorf("the second search: %v, %+v, want %+v", err, again, found)
	}
}

// TestSearchOfAPlainRace: control does not interrupt plain reads and writes.
func TestSearchOfAPlainRace(t *testing.T) {
	sc := &scenario.Scenario{Name: "races", About: "For this test.", Subject: "racy", Workload: "add", Expect: verdict.Pass}
	found, err := failedNatively(sc, verdict.WrongResult, "").Search(t.Context(), outcome.SearchBudget{Executions: 600}, racySubject)
	if err != nil {
		t.Fatal(err)
	}
	if found.Reproduced && found.Verdict != verdict.DataRace || found.Schedule != nil || found.Executions < 1 {
		t.Errorf("got %+v", found)
	}
	if text := found.String(); !strings.HasPrefix(text, "not reproduced under control in 600 executions (") && found.Verdict == "" {
		t.Errorf("it says %q", text)
	}
}

// TestSearchEndsWithItsBudget: of time, with the executions that run in any case, or of executions.
func TestSearchEndsWithItsBudget(t *testing.T) {
	sc := losing()
	sc.Plan = nil
	for _, b := range []outcome.SearchBudget{{For: 1, Least: 40}, {Executions: 40}} {
		found, err := failedNatively(sc, verdict.LostWakeup, "").Search(t.Context(), b, testSubjects...)
		if err != nil || found.Executions != 40 || found.Verdict != "" || found.Problem != "" {
			t.Errorf("%+v: %v, %+v", b, err, found)
		}
	}
}

// TestSearchGoesOnWithNativeSizes: what a few small executions cannot show.
func TestSearchGoesOnWithNativeSizes(t *testing.T) {
	s := &search{of: failedNatively(losing(), verdict.LostWakeup, "").Recording}
	if err := s.prepare(losing(), testSubjects); err != nil {
		t.Fatal(err)
	}
	if s.small.Sizes["jobs"] != "" || s.large.Sizes["jobs"] != "20" {
		t.Errorf("small %v, large %v", s.small.Sizes, s.large.Sizes)
	}
	const after = smallBatches*scenario.BatchSize + 1
	sc := losing()
	sc.Plan = nil
	found, err := failedNatively(sc, verdict.LostWakeup, "").Search(t.Context(), outcome.SearchBudget{Executions: after}, testSubjects...)
	if err != nil || found.Executions != after {
		t.Errorf("%v, %+v, want %d executions", err, found, after)
	}
}

// TestNotSearchedFor: what a search could not show, or would not find.
func TestNotSearchedFor(t *testing.T) {
	expecting, controlled := losing(), losing()
	expecting.Expect, controlled.Mode = verdict.LostWakeup, scenario.Control
	onlyNative := &scenario.Scenario{Name: "n", About: "x.", Subject: "pool", Setup: map[string]string{"workers": "[1]"}, Workload: "default", Expect: verdict.Pass}
	for _, c := range []struct {
		of   *Recording
		want string
	}{
		{failedNatively(expecting, verdict.Deadlock, ""), "not searched for under control: the scenario expects lost-wakeup"},
		{failedNatively(controlled, verdict.Deadlock, ""), "not searched for under control: it ran under control"},
		{failedNatively(losing(), verdict.MemoryGrowth, ""), "not searched for under control: memory growth"},
		{failedNatively(onlyNative, verdict.Deadlock, ""), "not searched for under control: the workload default is for native scenarios"},
	} {
		found, err := c.of.Search(t.Context(), outcome.SearchBudget{Executions: 10}, testSubjects...)
		if err != nil || found.Executions != 0 || !strings.HasPrefix(found.String(), c.want) {
			t.Errorf("%v, %q, want %q", err, found, c.want)
		}
	}
}

// TestSearchTakesFailures: one of another kind does not end a search, and the first is kept; what the engine
// gives up on is no failure.
func TestSearchTakesFailures(t *testing.T) {
	s := &search{of: &recording.Recording{Verdict: verdict.LostWakeup}}
	failed := func(n int, v verdict.Verdict) *BatchReport {
		return &BatchReport{Failure: &failure{Result: outcome.Result{Execution: n, Verdict: v, Summary: "so"}}}
	}
	for i, v := range []verdict.Verdict{verdict.Timeout, verdict.Panicked, verdict.WrongResult} {
		if s.takes(failed(i, v), nil) {
			t.Errorf("%s ends the search", v)
		}
	}
	s.Executions = 3
	if want := "not reproduced under control in 3 executions (0s): execution 0: timeout: so; another failure was found: panic in execution 1: so"; s.String() != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
	s.may = []verdict.Verdict{verdict.Deadlock}
	if s.takes(failed(8, verdict.Deadlock), nil) {
		t.Error("a verdict that the scenario may have ends the search")
	}
	s.may = nil
	if !s.takes(failed(9, verdict.Deadlock), nil) || !s.Reproduced || s.Execution != 9 {
		t.Errorf("a deadlock is not taken for the lost wakeup: %+v", s.Search)
	}
}

// TestSearchOutsideOfControl: that the engine's watchdog ends the process is no failure of the subject.
func TestSearchOutsideOfControl(t *testing.T) {
	s := &search{of: &recording.Recording{Verdict: verdict.WrongResult}}
	if s.blocks(&outcome.Result{Verdict: verdict.Panicked, Summary: "panic: index out of range"}) || s.Problem != "" {
		t.Errorf("a panic of the subject: %+v", s.Search)
	}
	if !s.blocks(&outcome.Result{Execution: 4, Verdict: verdict.Panicked, Summary: "panic: " + control.NoProgress + "; see above"}) {
		t.Error("the panic of the watchdog is taken for the subject's")
	}
	if text := s.String(); !strings.HasSuffix(text, ": execution 4 is outside of control: what it waits for has to go through package hooks") {
		t.Errorf("it says %q", text)
	}
}

// TestSearchPassesTheOriginal: the scenarios of the default campaign do not fail when they are searched, delays at
// all their points included.
func TestSearchPassesTheOriginal(t *testing.T) {
	all, err := scenario.Default(testSubjects...)
	if err != nil {
		t.Fatal(err)
	}
	searched := 0
	for i := range all {
		sc := &all[i]
		if sc.Mode == scenario.Control || sc.Expect != verdict.Pass || sc.Workload == "default" {
			continue
		}
		searched++
		found, err := failedNatively(sc, verdict.LostWakeup, sampleEvents).Search(t.Context(), outcome.SearchBudget{Executions: 16}, testSubjects...)
		if err != nil || found.Verdict != "" || found.Executions != 16 && !strings.Contains(found.Problem, ": timeout: not done after ") {
			t.Errorf("%s: %v, %s", sc.Name, err, found)
		}
	}
	if searched < 40 {
		t.Errorf("%d scenarios were searched", searched)
	}
}
