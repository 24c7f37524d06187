package run

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/golden"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// sampleRecording is a recording with everything in it.
func sampleRecording() (*scenario.Scenario, *recording.Recording) {
	sc := scenario.Scenario{
		Name: "control-drop", About: "It's a \"test\": of recordings.",
		Subject: "pool", Setup: map[string]string{"workers": "[1, 2]", "jec-bits": "1", "thread-bits": "3", "deque-capacity": "2", "max-injected": "3", "rounds": "0", "initial-jec": "max"},
		Workload: "inject", Sizes: map[string]string{"jobs": "3"},
		Plan:   []chaos.Fault{{At: "test/notify", Kind: hooks.Drops, Probability: 0.25, Count: 1}},
		Expect: verdict.LostWakeup, Executions: 7,
	}
	r := NativeRecording(&sc, 0xfeed, &outcome.Result{
		Execution: 3, Seed: subject.Seed(0xfeed, sc.Name, 3), Setting: "workers 2", Verdict: verdict.Deadlock,
		Summary:     `worker 1 sleeps: on "latch"`,
		Explanation: []string{"checked       worker 1", "- : # {"},
		State:       "  indented first\nend sha256 not the end\nsetup:\n\n\n  - after a gap\ttab",
		Goroutines:  "goroutine 1 [running]:\n\t/src/main.go:3",
		Faults:      []outcome.FaultCount{{At: "test/notify", Kind: "drop", Hits: 9, Fires: 1}, {At: "test/notify", Kind: "hold", Hits: 9, Fires: 3, Expired: 2}},
		Points:      []outcome.PointCount{{Point: "test/notify", Hits: 9}},
	})
	r.Build, r.MaxProcs = "go1.26 linux/amd64 race version=v1.2.3", 4
	return &sc, r
}

// readRecording reads the text with the test catalogue.
func readRecording(path, text string) (*Recording, error) {
	return ParseRecording(path, []byte(text), func() (*scenario.Catalogue, error) { return testCatalogue(), nil })
}

func TestRecordingRoundTrip(t *testing.T) {
	roundTrip(t, func(*scenario.Scenario) {})
}

// TestRecordingWithAStrategy: it holds all that the strategy of sleep, and what is expected
// of it, have made of the scenario.
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
	Describe(want, sc)
	for _, kind := range []recording.Kind{recording.Native, recording.Controlled} {
		if kind == recording.Controlled {
			sc.Mode = scenario.Control
			want = Describe(&recording.Recording{Kind: kind, Execution: 3, Seed: 5, Verdict: verdict.Deadlock}, sc)
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

func TestRecordingGolden(t *testing.T) {
	_, r := sampleRecording()
	golden.Compare(t, "recording.rouse", []byte(r.String()))
}

// TestRecordingSetupCanBePasted: it is a list of a scenario file.
func TestRecordingSetupCanBePasted(t *testing.T) {
	sc, r := sampleRecording()
	got, err := scenario.load("f.yaml", []byte("version: 1\nscenarios:\n"+r.Setup+"\n"), testCatalogue())
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
		{"bad scenario", edited(native, "fault: drop", "fault: dorp"), `r:11:34: unknown fault "dorp"; did you mean "drop"?`},
		{"bad workload", edited(native, "workload: inject", "workload: injekt"), `r:8:15: unknown workload "injekt"; did you mean "inject"?`},
		{"not YAML", edited(native, "about: ", "about: ["), `r:7:5: not YAML: `},
		{"wrong number", edited(native, "execution: 3", "execution: 5"), `r:16:7: found 0x16649dda5b17c687, want 0x`},
		{"other subject", edited(native, "subject: scenario control-drop", "subject: scenario other"), `r:3:10: found "scenario other", want "scenario control-drop", which is in the setup`},
		{"two scenarios", edited(native, "\nbuild: ", "\n  - {}\nbuild: "), `r:14:5: a scenario lacks the key "name"`},
		{"another mode", edited(&controlled, "about", "about"), "r:4:7: found a native scenario in a controlled recording, want one with mode: control"},
		{"a test", "rouse recording 2\nkind: native\nsubject: example.com/queue TestQueue\ncampaign: 0x1\nseed: 0x1\nmaxprocs: 1\nverdict: leak\nend\n",
			"r:3:10: found a native recording of a test, want a controlled one"},
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

// TestRecordingNeverReplaces: the same execution twice leaves two files, and no
// temporary one.
func TestRecordingNeverReplaces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	base := filepath.Join(dir, "control-drop")
	for _, want := range []string{base + ".rouse", base + "-2.rouse", base + "-3.rouse"} {
		got, err := WriteNew(base, "text")
		if err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%v, %v, want three files", entries, err)
	}
}

// TestFailedRecording: folders that were created for a recording that could not
// be written are gone, those that were there are not.
func TestFailedRecording(t *testing.T) {
	for _, there := range []string{"", "a", "a/b"} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, there), 0o700); err != nil {
			t.Fatal(err)
		}
		before := tree(t, dir)
		name := strings.Repeat("x", 300) // longer than a name of a file can be
		if path, err := WriteNew(filepath.Join(dir, "a", "b", name), "text"); err == nil {
			t.Errorf("wrote %s", path)
		}
		if after := tree(t, dir); !slices.Equal(before, after) {
			t.Errorf("left %q, there was %q", after, before)
		}
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
