//go:build chaos

package run

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/internal/reproduce"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

func readRecording(path, text string) (*Recording, error) {
	return parseRecording(path, []byte(text), testSubjects...)
}

func TestRecordingRoundTrip(t *testing.T) {
	roundTrip(t, func(*scenario.Scenario) {})
}

// TestRecordingWithAStrategy: it holds all that the variant, and what is expected of it, have
// changed in the scenario.
func TestRecordingWithAStrategy(t *testing.T) {
	sc := roundTrip(t, func(sc *scenario.Scenario) {
		sc.May, sc.Why = []verdict.Verdict{verdict.Deadlock, verdict.Leak}, "It's a \"drop\"."
		*sc = sc.With("jec-blocks")
	})
	if name := RecordingName(sc, 0xfeed, &outcome.Result{Execution: 3}); name != "control-drop-jec-blocks-000000000000feed-3" {
		t.Errorf("it is in %s", name)
	}
}

func roundTrip(t *testing.T, change func(*scenario.Scenario)) *scenario.Scenario {
	t.Helper()
	sc, want := sampleRecording()
	change(sc)
	describe(want, sc)
	for _, kind := range []recording.Kind{recording.Native, recording.Controlled} {
		if kind == recording.Controlled {
			sc.Mode = scenario.Control
			want = describe(&recording.Recording{Kind: kind, Execution: 3, Seed: 5, Verdict: verdict.Deadlock}, sc)
		}
		got, err := readRecording("r", want.String())
		if err != nil {
			t.Fatalf("%v in\n%s", err, want)
		}
		if !reflect.DeepEqual(got.Recording, want) || !reflect.DeepEqual(got.Scenario, sc) {
			t.Errorf("got  %+v %+v\nwant %+v %+v\nfrom\n%s", got.Recording, got.Scenario, want, sc, want)
		}
	}
	return sc
}

// TestRecordingSetupCanBePasted: it is a list of a scenario file.
func TestRecordingSetupCanBePasted(t *testing.T) {
	sc, r := sampleRecording()
	got, err := scenario.Load("f.yaml", []byte("version: 1\nscenarios:\n"+r.Setup+"\n"), testSubjects...)
	if err != nil || !reflect.DeepEqual(&got[0], sc) {
		t.Errorf("%v, %+v", err, got)
	}
}

// The text itself is chaos/recording's; here is refused what the setup and the fields say.
func TestRecordingRefused(t *testing.T) {
	_, native := sampleRecording()
	controlled := *native
	controlled.Kind = recording.Controlled
	edited := func(r *recording.Recording, old, new string) string {
		body := r.String()
		body = body[:strings.LastIndex(body, "\nend sha256 ")]
		if !strings.Contains(body, old) {
			t.Fatalf("the sample does not contain %q", old)
		}
		return strings.Replace(body, old, new, 1) + "\nend\n"
	}
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", `r:1:1: found an empty file, want "rouse recording 2"`},
		{"foreign", "version: 1\nscenarios: []\n", `r:1:1: found "version: 1", want "rouse recording 2": this is no recording`},
		{"older", "rouse recording 1\n", `r:1:17: found version "1", want version 2: the format has changed; record the execution again`},
		{"bad scenario", edited(native, "fault: drop", "fault: dorp"), `r:11:40: unknown fault "dorp"; did you mean "drop"?`},
		{"bad workload", edited(native, "workload: inject", "workload: injekt"), `r:8:15: unknown workload "injekt"; did you mean "inject"?`},
		{"not YAML", edited(native, "about: ", "about: ["), `r:7:5: not YAML: `},
		{"wrong number", edited(native, "execution: 3", "execution: 5"), `r:16:7: found 0x16649dda5b17c687, want 0x`},
		{"other subject", edited(native, "subject: scenario control-drop", "subject: scenario other"), `r:3:10: found "scenario other", want "scenario control-drop", which is in the setup`},
		{"two scenarios", edited(native, "\nbuild: ", "\n  - {}\nbuild: "), `r:14:5: a scenario lacks the key "name"`},
		{"another mode", edited(&controlled, "about", "about"), "r:4:7: found a native scenario in a controlled recording, want one with mode: control"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readRecording("r", c.text)
			if err == nil {
				t.Fatal("accepted")
			}
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("\ngot  %s\nwant %s", err, c.want)
			}
		})
	}
}

// All executions of an exhaustive scenario have the seed of the first.
func TestCrashOfAnExhaustiveScenario(t *testing.T) {
	sc, _ := sampleRecording()
	sc.Mode, sc.Strategy = scenario.Control, "dfs(2)"
	r := NativeRecording(sc, 7, &outcome.Result{Execution: 5, Seed: subject.Seed(7, sc.Name, 0), Verdict: verdict.Panicked})
	if got, err := readRecording("r", r.String()); err != nil || got.Strategy != "dfs(2)" {
		t.Errorf("%v, %+v", err, got)
	}
	r.Seed++
	if _, err := readRecording("r", r.String()); err == nil {
		t.Error("another seed was accepted")
	}
}

func FuzzReadRecording(f *testing.F) {
	_, r := sampleRecording()
	f.Add(r.Setup)
	f.Fuzz(func(t *testing.T, setup string) {
		r.Setup = setup
		rec, err := readRecording("r", r.String())
		var input *scenario.InputError
		var format *recording.Error
		if err != nil && !errors.As(err, &input) && !errors.As(err, &format) {
			t.Errorf("%T %v", err, err)
		}
		if err == nil && !subject.Hyphened.MatchString(rec.Scenario.Name) {
			t.Errorf("the name %q could lead elsewhere", rec.Scenario.Name)
		}
	})
}

// What the controlled controls of the default campaign leave is repeated exactly,
// whichever way goroutines are switched, and in other binaries.
func TestControlledRecordingsReproduce(t *testing.T) {
	scenarios, err := scenario.Default(testSubjects...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range scenarios {
		sc := &scenarios[i]
		if sc.Mode != scenario.Control || sc.Expect == verdict.Pass {
			continue
		}
		t.Run(sc.Name, func(t *testing.T) {
			r := firstFailure(t, sc)
			reproduce.Recording(t, control.Options{}, r, func(engine *control.Engine) func() {
				return testRunner.explorer(sc).body(engine, recorded(r))
			})
		})
	}
}

// firstFailure is the recording of a scenario's first failure.
func firstFailure(t *testing.T, sc *scenario.Scenario) *recording.Recording {
	t.Helper()
	e := exploring(t, sc, testSubjects...)
	defer e.Close()
	n, r := e.Explore(explore.Range{To: 20_000})
	if r.Verdict != sc.Expect {
		t.Fatalf("execution %d: %s: %s", n, r.Verdict, r.Summary)
	}
	return MustParse(e.failed(n, r).Schedule)
}
