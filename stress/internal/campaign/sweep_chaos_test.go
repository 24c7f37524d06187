//go:build chaos

package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// TestProcsFindTheSame: how many processes explore makes no difference to what is
// found, and counted, and recorded.
func TestProcsFindTheSame(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	passes := tiny("inject", "portfolio", 1, 2)
	options := Options{Seed: 1, Executions: 5*scenario.BatchSize + 7}
	fails := named(t, options, func() scenario.Scenario { return tiny("meet-inside", "pct(7)", 3) }, func(s report.ScenarioReport) bool {
		return s.Verdict == verdict.LostParallelism && s.Failure.Execution >= scenario.BatchSize
	})
	expected := tiny("meet-inside", "surw", 3)
	expected.Name, expected.Expect = "tiny-expected", verdict.LostParallelism
	again := named(t, options, func() scenario.Scenario { // fails before all faults have fired
		s := tiny("join", "pct(3)", 2)
		s.Expect = verdict.LostWakeup
		s.Plan = []chaos.Fault{
			{At: "sleep/latch-set-notify", Kind: hooks.Drops, Count: 1},
			{At: "pool/push-pushed", Kind: hooks.Yields, Probability: 0.05},
		}
		return s
	}, func(s report.ScenarioReport) bool {
		return s.Verdict == verdict.LostWakeup && s.Failure.Execution >= scenario.BatchSize
	})
	var want []report.ScenarioReport
	var text string
	for _, procs := range []int{1, 2, 3} {
		out := t.TempDir()
		options.Procs, options.Out = procs, out
		report, err := Run(t.Context(), []scenario.Scenario{passes, fails, expected, again}, options)
		if err != nil {
			t.Fatal(err)
		}
		var recorded string
		for i := range report.Scenarios {
			s := &report.Scenarios[i]
			if s.Recording != "" {
				data, err := os.ReadFile(s.Recording)
				if err != nil {
					t.Fatal(err)
				}
				recorded += string(data)
			}
			if s.Shrunk != "" {
				short, err := recording.Read(s.Shrunk)
				if err != nil || short.Verdict != s.Verdict || s.AsExpected {
					t.Errorf("%v: %+v, shrunk to %s", err, s, short)
				}
				recorded += short.String()
			}
			s.Duration, s.Took, s.Recording, s.Shrunk = 0, outcome.Latencies{}, "", ""
		}
		if procs == 1 {
			want, text = report.Scenarios, recorded
			for _, s := range want {
				t.Logf("%s: %s after %d executions", s.Name, s.Verdict, s.Executions)
			}
			continue
		}
		if !reflect.DeepEqual(report.Scenarios, want) {
			t.Errorf("%d processes: %+v\nwant %+v", procs, report.Scenarios, want)
		}
		if recorded != text {
			t.Errorf("%d processes recorded\n%s\nwant\n%s", procs, recorded, text)
		}
	}
	byName := map[string]report.ScenarioReport{}
	for _, s := range want {
		byName[s.Name] = s
	}
	if s := byName[passes.Name]; s.Verdict != verdict.Pass || s.Executions != 5*scenario.BatchSize+7 || s.Steps == 0 {
		t.Errorf("%+v", s)
	}
	if s := byName[fails.Name]; s.Verdict != verdict.LostParallelism || s.AsExpected || s.Executions != s.Failure.Execution+1 || s.Executions <= scenario.BatchSize {
		t.Errorf("%+v: want it in the second batch or later", s)
	}
	if s := byName[again.Name]; s.Failure.Execution < scenario.BatchSize || s.Faults[1].Fires == 0 {
		t.Errorf("%+v: want it to continue in another batch until both faults have fired", s)
	}
}

// named gives a scenario a name, and so a seed, with which its report fits.
func named(t *testing.T, options Options, sample func() scenario.Scenario, fits func(report.ScenarioReport) bool) scenario.Scenario {
	t.Helper()
	for i := range 100 {
		s := sample()
		s.Name += fmt.Sprint("-", i)
		options.Procs, options.Out = 1, t.TempDir()
		report, err := Run(t.Context(), []scenario.Scenario{s}, options)
		if err != nil {
			t.Fatal(err)
		}
		if fits(report.Scenarios[0]) {
			return s
		}
	}
	t.Fatalf("%s fits with none of 100 names", sample().Name)
	return scenario.Scenario{}
}

// TestWhatTakesTheProcessWithIt: the execution is found, whichever process it was in.
func TestWhatTakesTheProcessWithIt(t *testing.T) {
	for _, c := range []struct {
		script  string
		verdict verdict.Verdict
		says    string
	}{
		{"panics", verdict.Panicked, "panic: as the script says"},
		{"races", verdict.DataRace, "data race: write in example.com/m.(*Counter).Add"},
		{"exits", verdict.Panicked, "exit code 3"},
		{"hangs", verdict.Timeout, "did not report"},
	} {
		for _, procs := range []int{1, 2} {
			t.Run(fmt.Sprint(c.script, procs), func(t *testing.T) {
				t.Parallel()
				sc := tiny("inject", "random", 1, 2)
				at := scenario.BatchSize + 5
				sc.About = fmt.Sprintf("stumbles: %d %s", at, c.script)
				o := Options{Seed: 1, Executions: 3 * scenario.BatchSize, Procs: procs, Out: t.TempDir()}
				if c.script == "hangs" {
					o.launcher.Timeout = hangTimeout
				}
				report, err := Run(t.Context(), []scenario.Scenario{sc}, o)
				if err != nil {
					t.Fatal(err)
				}
				s := report.Scenarios[0]
				if s.Verdict != c.verdict || s.Failure.Execution != at || !strings.Contains(s.Failure.Summary, c.says) || s.Executions != at+1 {
					t.Errorf("%s after %d executions: %+v", s.Verdict, s.Executions, s.Failure)
				}
				rec, err := run.ReadRecording(s.Recording, testSubjects...)
				if err != nil || rec.Scenario.Mode != scenario.Control || rec.Execution != at {
					t.Errorf("%v, %+v", err, rec)
				}
			})
		}
	}
}

// TestExplorationInterrupted: the report has what was done until then.
func TestExplorationInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	o := Options{Seed: 1, For: time.Hour, Procs: 2, Out: t.TempDir(), Observers: []report.Observer{&onProgress{func(p report.Progress) {
		if p.Executions > scenario.BatchSize {
			cancel(why)
		}
	}}}}
	report, err := Run(ctx, []scenario.Scenario{tiny("inject", "random", 1, 2)}, o)
	if err != why || !report.Interrupted || !report.Scenarios[0].Interrupted || report.Scenarios[0].Executions == 0 {
		t.Errorf("%v, %+v", err, report)
	}
}

type onProgress struct{ notify func(report.Progress) }

func (o *onProgress) Observe(e report.Event) {
	if p, ok := e.(report.Progress); ok {
		o.notify(p)
	}
}

// TestTimeIsUp: each pool size is run, and more, however little time there is, and a batch that
// is not done counts as far as it came.
func TestTimeIsUp(t *testing.T) {
	report, err := Run(t.Context(), []scenario.Scenario{tiny("inject", "random", 1, 2, 3)}, Options{Seed: 1, For: 1, Procs: 2, Out: t.TempDir()})
	if s := report.Scenarios[0]; err != nil || s.Executions < leastControlled || s.Verdict != verdict.Pass || s.Interrupted {
		t.Errorf("%v, %+v", err, s)
	}
}

// BenchmarkExplore: executions a second, with one process and with two. On a machine
// with two idle cores the second is nearly twice the first:
//
//	go test -tags chaos -run '^$' -bench Explore -benchtime 40000x ./stress/internal/campaign
func BenchmarkExplore(b *testing.B) {
	for _, procs := range []int{1, 2} {
		b.Run(fmt.Sprintf("procs=%d", procs), func(b *testing.B) {
			report, err := Run(b.Context(), []scenario.Scenario{tiny("inject", "random", 2)}, Options{Seed: 1, Executions: b.N, Procs: procs, Out: b.TempDir()})
			if err != nil || report.Scenarios[0].Executions != b.N {
				b.Fatal(err, report)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "executions/s")
		})
	}
}
