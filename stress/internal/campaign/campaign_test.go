package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

var drop = []chaos.Fault{{At: "test/notify", Kind: hooks.Drops}}

// TestScenarioVerdicts runs scripted scenarios in real child processes.
func TestScenarioVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, script string
		plan         []chaos.Fault
		expect       verdict.Verdict

		verdict    verdict.Verdict
		asExpected bool
		executions int
		detail     string
		summary    string
		recorded   bool
	}{
		{name: "pass", script: "pass", expect: verdict.Pass, verdict: verdict.Pass, asExpected: true, executions: 5},
		{name: "chatty", script: "prints", expect: verdict.Pass, verdict: verdict.Pass, asExpected: true, executions: 5},
		{name: "fired", script: "pass", plan: drop, expect: verdict.Pass, verdict: verdict.Pass, asExpected: true, executions: 5},
		{name: "fired-once", script: "pass/silent pass/silent pass pass/silent", plan: drop, expect: verdict.Pass,
			verdict: verdict.Pass, asExpected: true, executions: 5},
		{name: "silent", script: "pass/silent", plan: drop, expect: verdict.Pass, verdict: verdict.NeverReached, executions: 5,
			detail: "drop at test/notify never fired in 10 visits"},
		{name: "silent-as-expected", script: "pass/silent", plan: drop, expect: verdict.NeverReached,
			verdict: verdict.NeverReached, asExpected: true, executions: 5,
			detail: "drop at test/notify never fired in 10 visits"},
		{name: "not-silent", script: "pass", plan: drop, expect: verdict.NeverReached, verdict: verdict.Pass, executions: 5,
			detail: "every fault fired, and none was to"},
		{name: "control", script: "pass lost-wakeup", plan: drop, expect: verdict.LostWakeup,
			verdict: verdict.LostWakeup, asExpected: true, executions: 2, summary: "victim lost-wakeup"},
		{name: "control-without-its-fault", script: "lost-wakeup/silent pass/silent lost-wakeup", plan: drop,
			expect: verdict.LostWakeup, verdict: verdict.LostWakeup, asExpected: true, executions: 3, summary: "victim lost-wakeup"},
		{name: "control-without-any-fault", script: "lost-wakeup/silent", plan: drop, expect: verdict.LostWakeup,
			verdict: verdict.NeverReached, executions: 5, summary: "victim lost-wakeup",
			detail: "drop at test/notify never fired in 10 visits"},
		{name: "blind-control", script: "pass", plan: drop, expect: verdict.LostWakeup, verdict: verdict.Pass, executions: 5,
			detail: "the faults fired, and lost-wakeup was not detected: either the subject withstands them or the oracle is blind"},
		{name: "blind-control-without-a-plan", script: "pass", expect: verdict.LostWakeup, verdict: verdict.Pass, executions: 5,
			detail: "lost-wakeup was not detected in 5 executions: either they are too few or the oracle is blind"},
		{name: "wrong-control", script: "pass deadlock", plan: drop, expect: verdict.LostWakeup, verdict: verdict.Deadlock,
			executions: 2, summary: "victim deadlock", recorded: true},
		{name: "fails", script: "pass pass wrong-result", expect: verdict.Pass, verdict: verdict.WrongResult, executions: 3,
			summary: "victim wrong-result", recorded: true},
		{name: "panics", script: "pass panics", plan: drop, expect: verdict.Pass, verdict: verdict.Panicked, executions: 2,
			summary: "panic: as the script says", recorded: true},
		{name: "expected-panic", script: "panics", plan: drop, expect: verdict.Panicked, verdict: verdict.Panicked, asExpected: true,
			executions: 1, summary: "panic: as the script says"},
		{name: "races", script: "pass races", expect: verdict.Pass, verdict: verdict.DataRace, executions: 2, recorded: true,
			summary: "data race: write in example.com/m.(*Counter).Add (/src/m/counter.go:12), previous read in example.com/m.(*Counter).Get (/src/m/counter.go:15)"},
		{name: "exits", script: "exits", expect: verdict.Pass, verdict: verdict.Panicked, executions: 1, recorded: true,
			summary: "the process ended in the middle of the execution: exit code 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sc := scripted(c.name, c.expect, c.script)
			sc.Plan = c.plan
			out := filepath.Join(t.TempDir(), "out")
			report, err := Run(t.Context(), []scenario.Scenario{sc}, Options{Seed: 7, Executions: 5, Out: out})
			if err != nil {
				t.Fatal(err)
			}
			s := report.Scenarios[0]
			if s.Verdict != c.verdict || s.AsExpected != c.asExpected || s.Executions != c.executions || s.Detail != c.detail {
				t.Errorf("got %s, as expected: %t, %d executions, %q", s.Verdict, s.AsExpected, s.Executions, s.Detail)
			}
			if report.AsExpected() != c.asExpected {
				t.Errorf("the report says as expected: %t", report.AsExpected())
			}
			summary := ""
			if s.Failure != nil {
				summary = s.Failure.Summary
			}
			if summary != c.summary {
				t.Errorf("got the summary %q\nwant %q", summary, c.summary)
			}
			checkRecorded(t, out, s, &sc, c.recorded)
		})
	}
}

func checkRecorded(t *testing.T, out string, s report.ScenarioReport, sc *scenario.Scenario, want bool) {
	t.Helper()
	if _, err := os.Stat(out); (err == nil) != want {
		t.Errorf("the folder for recordings: %v, want it to exist: %t", err, want)
	}
	if !want {
		return
	}
	rec, err := recording.Read(s.Recording)
	if err != nil {
		t.Fatal(err)
	}
	if want := run.NativeRecording(sc, 7, s.Failure); rec.Setup != want.Setup || rec.Campaign != 7 ||
		rec.Execution != s.Failure.Execution || rec.Verdict != s.Verdict || rec.Seed != subject.Seed(7, sc.Name, rec.Execution) {
		t.Errorf("recorded %+v", rec)
	}
}

func TestRecordExpected(t *testing.T) {
	out := t.TempDir()
	report, err := Run(t.Context(), []scenario.Scenario{scripted("a", verdict.Leak, "leak")},
		Options{Executions: 1, Out: out, RecordExpected: true})
	if err != nil || !report.AsExpected() || filepath.Dir(report.Scenarios[0].Recording) != out {
		t.Errorf("%v, %+v", err, report)
	}
}

// TestCampaignGoesOn: a failed scenario does not keep the others from running,
// and controls run first.
func TestCampaignGoesOn(t *testing.T) {
	watched := &watcher{}
	scenarios := []scenario.Scenario{
		scripted("fails", verdict.Pass, "deadlock"), scripted("passes", verdict.Pass, "pass"), scripted("control", verdict.Leak, "leak"),
	}
	report, err := Run(t.Context(), scenarios, Options{Executions: 2, Out: t.TempDir(), Observers: []report.Observer{watched}})
	if err != nil || report.AsExpected() || report.Failed() != 1 {
		t.Errorf("%v, %+v", err, report)
	}
	want := []string{"began 3", "control leak", "fails deadlock", "passes pass", "ended 3"}
	if !slices.Equal(watched.seen, want) {
		t.Errorf("observed %q\nwant %q", watched.seen, want)
	}
	if scenarios[0].Name != "fails" {
		t.Error("Run has sorted its caller's slice")
	}
}

// TestBriefCampaign: however little is asked for, each pool size runs once.
func TestBriefCampaign(t *testing.T) {
	sc := scripted("brief", verdict.Pass, "pass")
	sc = sized(sc, "workers", "[1, 2, 3]")
	for _, o := range []Options{{For: 1}, {Executions: 1}} {
		report, err := Run(t.Context(), []scenario.Scenario{sc}, o)
		if err != nil || report.Scenarios[0].Executions != 3 {
			t.Errorf("%+v: %v, %+v", o, err, report)
		}
	}
}

// hangTimeout ends a child that hangs. One that does not must have started and reported by then, also on a
// busy machine.
const hangTimeout = 5 * time.Second

func TestHungChild(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	report, err := Run(t.Context(), []scenario.Scenario{scripted("hangs", verdict.Pass, "pass hangs")},
		Options{Executions: 5, Out: t.TempDir(), launcher: run.Launcher{Timeout: hangTimeout}})
	if err != nil {
		t.Fatal(err)
	}
	s := report.Scenarios[0]
	if s.Verdict != verdict.Timeout || s.Failure.Execution != 1 || s.Recording == "" {
		t.Errorf("%+v", s)
	}
	if !strings.Contains(s.Failure.Goroutines, "actOut") {
		t.Errorf("the goroutines do not show where it hangs:\n%s", s.Failure.Goroutines)
	}
}

// TestMuttering: a subject that leaves a line without its end does not take the child's messages
// with it, for one of which each would wait.
func TestMuttering(t *testing.T) {
	report, err := Run(t.Context(), []scenario.Scenario{scripted("mutters", verdict.Pass, "mutters")},
		Options{Executions: 5, Out: t.TempDir(), Journal: true, launcher: run.Launcher{Timeout: 4 * hangTimeout}})
	if s := report.Scenarios[0]; err != nil || s.Verdict != verdict.Pass || s.Executions != 5 {
		t.Errorf("%v, %+v", err, s)
	}
}

// TestKilledFromOutside: that says nothing about the subject.
func TestKilledFromOutside(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	report, err := Run(t.Context(), []scenario.Scenario{scripted("killed", verdict.Pass, "pass killed"), scripted("next", verdict.Pass, "pass")},
		Options{Executions: 5, Out: out, Seed: 1})
	if err == nil || !strings.Contains(err.Error(), "ended from outside in execution 1: ") {
		t.Errorf("got %v", err)
	}
	if len(report.Scenarios) != 1 || !report.Scenarios[0].Interrupted || report.Interrupted {
		t.Errorf("%+v", report)
	}
}

// TestRecordingFails: the failure is reported although its recording cannot be written.
func TestRecordingFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := Run(t.Context(), []scenario.Scenario{scripted("a", verdict.Pass, "deadlock")}, Options{Executions: 1, Out: file})
	if err == nil || !strings.HasPrefix(err.Error(), "cannot write a recording: ") {
		t.Errorf("got %v", err)
	}
	if s := report.Scenarios[0]; s.Verdict != verdict.Deadlock || s.Interrupted || s.Failure.Summary != "victim deadlock" {
		t.Errorf("%+v", report)
	}
}

// TestInterrupt: the child is gone when Run returns, and what was done is
// reported.
func TestInterrupt(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	pids := filepath.Join(t.TempDir(), "pid")
	t.Setenv(pidFile, pids)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	watched := &watcher{progressed: func() {
		if _, err := os.Stat(pids); err == nil {
			cancel(why)
		}
	}}
	report, err := Run(ctx, []scenario.Scenario{
		scripted("first", verdict.Pass, "pass"), scripted("hangs", verdict.Pass, "pass hangs"), scripted("never", verdict.Pass, "pass"),
	}, Options{Executions: 2, Observers: []report.Observer{watched}})
	if err != why || !report.Interrupted || report.Failed() != 0 {
		t.Errorf("%v, %+v", err, report)
	}
	want := []string{"began 3", "first pass", "hangs ", "ended 2"}
	if !slices.Equal(watched.seen, want) {
		t.Errorf("observed %q, want %q", watched.seen, want)
	}
	if alive(t, pids) {
		t.Error("the child outlived Run")
	}
}

func TestRunInChild(t *testing.T) {
	t.Setenv(run.ChildEnv, "1")
	if _, err := Run(t.Context(), []scenario.Scenario{scripted("a", verdict.Pass, "pass")}, Options{Executions: 1}); err != run.ErrNoChildMain {
		t.Errorf("got %v", err)
	}
}

func TestRequest(t *testing.T) {
	sc := scripted("a", verdict.Pass, "pass") // with two pool sizes
	bounded := sc
	bounded.Executions = 10
	controlled := sc
	controlled.Mode = scenario.Control
	for _, c := range []struct {
		name            string
		o               Options
		sc              scenario.Scenario
		n               int
		left            time.Duration
		least, most     int
		forTime         time.Duration
		nothingLeftToDo bool
	}{
		{name: "time", o: Options{For: time.Minute}, sc: sc, left: time.Second, least: 2, forTime: time.Second},
		{name: "no time", o: Options{For: time.Minute}, sc: sc, least: 2, forTime: 1},
		{name: "no time, half done", o: Options{For: time.Minute}, sc: sc, n: 1, least: 1, forTime: 1},
		{name: "no time, done", o: Options{For: time.Minute}, sc: sc, n: 2, nothingLeftToDo: true},
		{name: "no time, controlled", o: Options{For: time.Minute}, sc: controlled, least: leastControlled, forTime: 1},
		{name: "time and bound", o: Options{For: time.Minute}, sc: bounded, n: 3, left: time.Second, most: 7, forTime: time.Second},
		{name: "bound used up", o: Options{For: time.Minute}, sc: bounded, n: 10, left: time.Second, nothingLeftToDo: true},
		{name: "executions", o: Options{Executions: 5}, sc: bounded, n: 1, left: -1, least: 1, most: 4},
		{name: "fewer executions than pool sizes", o: Options{Executions: 1}, sc: sc, least: 2, most: 2},
		{name: "executions used up", o: Options{Executions: 5}, sc: sc, n: 5, nothingLeftToDo: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, more := (&campaign{Options: c.o}).request(&c.sc, c.n, c.left)
			if more == c.nothingLeftToDo {
				t.Fatalf("got %t", more)
			}
			if more && (r.First != c.n || r.Least != c.least || r.Most != c.most || r.For != c.forTime) {
				t.Errorf("got %+v", r)
			}
		})
	}
}

// A watcher notes the calls of an Observer.
type watcher struct {
	seen       []string
	progressed func()
}

func (w *watcher) Observe(e report.Event) {
	switch e := e.(type) {
	case *report.Campaign:
		w.note("began %d", e.Scenarios)
	case report.Progress:
		if w.progressed != nil {
			w.progressed()
		}
	case *report.ScenarioReport:
		w.note("%s %s", e.Name, e.Verdict)
	case *report.Report:
		w.note("ended %d", len(e.Scenarios))
	}
}

func (w *watcher) note(format string, args ...any) {
	w.seen = append(w.seen, fmt.Sprintf(format, args...))
}

// TestFaultsHaveAChance: faults that have not fired when the time is up get some executions
// more, not without end, and not if that was not asked for.
func TestFaultsHaveAChance(t *testing.T) {
	for _, c := range []struct {
		script     string
		bound      int
		verdict    verdict.Verdict
		executions int
	}{
		{"pass", 0, verdict.Pass, 2},
		{"pass/silent pass/silent pass/silent pass", 0, verdict.Pass, 2 + fewExecutions},
		{"pass/silent", 0, verdict.NeverReached, mostForFires},
		{"pass/silent", 5, verdict.NeverReached, 5},
		{"pass/silent pass/silent pass/silent leak", 0, verdict.Leak, 4},
	} {
		sc := scripted("a", verdict.Pass, c.script)
		sc.Plan, sc.Executions = drop, c.bound
		report, err := Run(t.Context(), []scenario.Scenario{sc}, Options{For: 1, Out: t.TempDir()})
		if s := report.Scenarios[0]; err != nil || s.Verdict != c.verdict || s.Executions != c.executions {
			t.Errorf("%s: %v, %s after %d executions, want %s after %d", c.script, err, s.Verdict, s.Executions, c.verdict, c.executions)
		}
	}
}
