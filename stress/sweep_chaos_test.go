//go:build chaos

package stress

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
	"github.com/rouse-go/rouse/hooks"
)

// TestProcsFindTheSame: how many processes explore makes no difference to what is
// found, and counted, and recorded.
func TestProcsFindTheSame(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	passes := tiny("inject", "portfolio", 1, 2)
	options := Options{Seed: 1, Executions: 5*batchSize + 7}
	fails := named(t, options, func() Scenario { return tiny("meet-inside", "pct(7)", 3) }, func(s ScenarioReport) bool {
		return s.Verdict == LostParallelism && s.Conviction.Execution >= batchSize
	})
	expected := tiny("meet-inside", "surw", 3)
	expected.Name, expected.Expect = "tiny-expected", LostParallelism
	again := named(t, options, func() Scenario { // convicted before all faults have fired
		s := tiny("join", "pct(3)", 2)
		s.Expect = LostWakeup
		s.Plan = []chaos.Fault{
			{At: "sleep/latch-set-notify", Kind: hooks.Drops, Count: 1},
			{At: "pool/push-pushed", Kind: hooks.Yields, Probability: 0.05},
		}
		return s
	}, func(s ScenarioReport) bool {
		return s.Verdict == LostWakeup && s.Conviction.Execution >= batchSize
	})
	var want []ScenarioReport
	var text string
	for _, procs := range []int{1, 2, 3} {
		out := t.TempDir()
		options.Procs, options.Out = procs, out
		report, err := Run(t.Context(), []Scenario{passes, fails, expected, again}, options)
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
			s.Duration, s.Took, s.Recording, s.Shrunk = 0, Latencies{}, "", ""
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
	byName := map[string]ScenarioReport{}
	for _, s := range want {
		byName[s.Name] = s
	}
	if s := byName[passes.Name]; s.Verdict != Pass || s.Executions != 5*batchSize+7 || s.Steps == 0 {
		t.Errorf("%+v", s)
	}
	if s := byName[fails.Name]; s.Verdict != LostParallelism || s.AsExpected || s.Executions != s.Conviction.Execution+1 || s.Executions <= batchSize {
		t.Errorf("%+v: want it in the second batch or later", s)
	}
	if s := byName[again.Name]; s.Conviction.Execution < batchSize || s.Faults[1].Fires == 0 {
		t.Errorf("%+v: want it to go on in another batch until both faults have fired", s)
	}
}

// named gives a scenario a name, and so a seed, with which its report fits.
func named(t *testing.T, options Options, scenario func() Scenario, fits func(ScenarioReport) bool) Scenario {
	t.Helper()
	for i := range 100 {
		s := scenario()
		s.Name += fmt.Sprint("-", i)
		options.Procs, options.Out = 1, t.TempDir()
		report, err := Run(t.Context(), []Scenario{s}, options)
		if err != nil {
			t.Fatal(err)
		}
		if fits(report.Scenarios[0]) {
			return s
		}
	}
	t.Fatalf("%s fits with none of 100 names", scenario().Name)
	return Scenario{}
}

// TestWhatTakesTheProcessWithIt: the execution is found, whichever process it was in.
func TestWhatTakesTheProcessWithIt(t *testing.T) {
	for _, c := range []struct {
		script  string
		verdict Verdict
		says    string
	}{
		{"panics", Panicked, "panic: as the script says"},
		{"races", DataRace, "data race: write in example.com/m.(*Counter).Add"},
		{"exits", Panicked, "exit code 3"},
		{"hangs", Timeout, "did not speak"},
	} {
		for _, procs := range []int{1, 2} {
			t.Run(fmt.Sprint(c.script, procs), func(t *testing.T) {
				t.Parallel()
				sc := tiny("inject", "random", 1, 2)
				at := batchSize + 5
				sc.About = fmt.Sprintf("stumbles: %d %s", at, c.script)
				o := Options{Seed: 1, Executions: 3 * batchSize, Procs: procs, Out: t.TempDir()}
				if c.script == "hangs" {
					o.launcher.timeout = time.Second
				}
				report, err := Run(t.Context(), []Scenario{sc}, o)
				if err != nil {
					t.Fatal(err)
				}
				s := report.Scenarios[0]
				if s.Verdict != c.verdict || s.Conviction.Execution != at || !strings.Contains(s.Conviction.Summary, c.says) || s.Executions != at+1 {
					t.Errorf("%s after %d executions: %+v", s.Verdict, s.Executions, s.Conviction)
				}
				rec, err := ReadRecording(s.Recording)
				if err != nil || rec.Scenario.Mode != Control || rec.Execution != at {
					t.Errorf("%v, %+v", err, rec)
				}
			})
		}
	}
}

// TestExplorationInterrupted: what was done until then is in the report.
func TestExplorationInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	o := Options{Seed: 1, For: time.Hour, Procs: 2, Out: t.TempDir(), Observers: []Observer{&onProgress{func(p Progress) {
		if p.Executions > batchSize {
			cancel(why)
		}
	}}}}
	report, err := Run(ctx, []Scenario{tiny("inject", "random", 1, 2)}, o)
	if err != why || !report.Interrupted || !report.Scenarios[0].Interrupted || report.Scenarios[0].Executions == 0 {
		t.Errorf("%v, %+v", err, report)
	}
}

type onProgress struct{ told func(Progress) }

func (*onProgress) Began(Campaign)              {}
func (o *onProgress) Progressed(p Progress)     { o.told(p) }
func (*onProgress) ScenarioDone(ScenarioReport) {}
func (*onProgress) Ended(Report)                {}

// TestTimeIsUp: each pool size is run, and more, however little time there is, and a batch that
// is not done counts as far as it came.
func TestTimeIsUp(t *testing.T) {
	report, err := Run(t.Context(), []Scenario{tiny("inject", "random", 1, 2, 3)}, Options{Seed: 1, For: 1, Procs: 2, Out: t.TempDir()})
	if s := report.Scenarios[0]; err != nil || s.Executions < leastControlled || s.Verdict != Pass || s.Interrupted {
		t.Errorf("%v, %+v", err, s)
	}
}

// BenchmarkExplore: executions a second, with one process and with two. On a machine
// with two idle cores the second is nearly twice the first:
//
//	go test -tags chaos -run '^$' -bench Explore -benchtime 40000x ./stress
func BenchmarkExplore(b *testing.B) {
	for _, procs := range []int{1, 2} {
		b.Run(fmt.Sprintf("procs=%d", procs), func(b *testing.B) {
			report, err := Run(b.Context(), []Scenario{tiny("inject", "random", 2)}, Options{Seed: 1, Executions: b.N, Procs: procs, Out: b.TempDir()})
			if err != nil || report.Scenarios[0].Executions != b.N {
				b.Fatal(err, report)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "executions/s")
		})
	}
}
