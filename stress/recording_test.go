package stress

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
)

// sampleRecording is a recording with everything in it.
func sampleRecording() *Recording {
	rounds := 0
	sc := Scenario{
		Name: "control-drop", About: "It's a \"test\": of recordings.",
		Pool:     PoolSpec{Workers: []int{1, 2}, JECBits: 1, ThreadBits: 3, InitialJEC: 1, Rounds: &rounds, DequeCapacity: 2, MaxInjected: 3},
		Workload: "inject", Sizes: Sizes{Jobs: 3},
		Plan:   []chaos.Fault{{At: "test/notify", Kind: hooks.Drops, Probability: 0.25, Count: 1}},
		Expect: LostWakeup, Executions: 7,
	}
	r := NewRecording(&sc, 0xfeed, &Result{
		Execution: 3, Seed: executionSeed(0xfeed, sc.Name, 3), Workers: 2, Verdict: Deadlock,
		Summary:     `worker 1 sleeps: on "latch"`,
		Explanation: []string{"checked       worker 1", "- : # {", "\xff"},
		State:       "  indented first\nend sha256 not the end\nscenarios:\n\n\n  - after a gap\ttab  ",
		Goroutines:  "goroutine 1 [running]:\n\t/src/main.go:3\x1b[31m\n\xfe\n",
		Faults:      []FaultCount{{At: "test/notify", Kind: "drop", Hits: 9, Fires: 1}, {At: "test/notify", Kind: "hold", Hits: 9, Fires: 3, Expired: 2}},
		Points:      []PointCount{{Point: "test/notify", Hits: 9}},
	})
	r.Build = Build{Version: "v1.2.3", Go: "go1.26", OS: "linux", Arch: "amd64", MaxProcs: 4, Race: true}
	return r
}

func TestRecordingRoundTrip(t *testing.T) {
	roundTrip(t, sampleRecording())
}

// TestRecordingWithAStrategy: it holds all that the strategy of sleep, and what is expected
// of it, have made of the scenario.
func TestRecordingWithAStrategy(t *testing.T) {
	r := sampleRecording()
	r.Scenario.May, r.Scenario.Why = []Verdict{Deadlock, Leak}, "It's a \"drop\"."
	r.Scenario = r.Scenario.With("jec-blocks")
	if path := roundTrip(t, r); filepath.Base(path) != "control-drop-jec-blocks-000000000000feed-3.rouse" {
		t.Errorf("it is in %s", path)
	}
}

func roundTrip(t *testing.T, want *Recording) (path string) {
	t.Helper()
	path, err := WriteRecording(t.TempDir(), want)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeRecording(path, data, testCatalogue())
	if err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v\nfrom\n%s", got, want, data)
	}
	if want := "goroutine 1 [running]:\n\t/src/main.go:3\\x1b[31m\n\\xfe"; got.Result.Goroutines != want {
		t.Errorf("the dump became %q, want %q", got.Result.Goroutines, want)
	}
	return path
}

func TestRecordingGolden(t *testing.T) {
	golden(t, "recording.rouse", sampleRecording().Encode())
}

// TestRecordingScenarioCanBePasted: the part that a person copies is a list of a
// scenario file.
func TestRecordingScenarioCanBePasted(t *testing.T) {
	_, text, _ := bytes.Cut(sampleRecording().Encode(), []byte("\nscenarios:\n"))
	text, _, _ = bytes.Cut(text, []byte("\nexecution:"))
	got, err := load("f.yaml", []byte("version: 1\nscenarios:\n"+string(text)+"\n"), testCatalogue())
	if err != nil || !reflect.DeepEqual(got[0], sampleRecording().Scenario) {
		t.Errorf("%v, %+v", err, got)
	}
}

func TestRecordingTorn(t *testing.T) {
	data := sampleRecording().Encode()
	for n := range data {
		_, err := decodeRecording("r", data[:n], testCatalogue())
		var input *InputError
		if !errors.As(err, &input) {
			t.Fatalf("torn after %d of %d bytes: %v, want an *InputError", n, len(data), err)
		}
	}
}

func TestRecordingChanged(t *testing.T) {
	data := sampleRecording().Encode()
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		if _, err := decodeRecording("r", changed, testCatalogue()); err == nil {
			t.Fatalf("byte %d of %d changed: accepted", i, len(data))
		}
	}
}

func TestRecordingRefused(t *testing.T) {
	good := string(sampleRecording().Encode())
	body := good[:strings.LastIndex(good, recordingEnd)]
	lines := strings.Count(good, "\n")
	signed := func(old, new string) string {
		if !strings.Contains(body, old) {
			t.Fatalf("the sample does not contain %q", old)
		}
		text := strings.Replace(body, old, new, 1)
		return fmt.Sprintf("%s%s%x\n", text, recordingEnd, sha256.Sum256([]byte(text)))
	}
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "r: the file is empty"},
		{"foreign", "version: 1\nscenarios: []\n", `r:1:1: not a recording: the first line is "version: 1", want "rouse recording 1"`},
		{"binary", "\x7fELF\x00\x00", `r:1:1: not a recording: the first line is "\x7fELF\x00\x00", want "rouse recording 1"`},
		{"later", "rouse recording 2\n", `r:1:1: a recording of version "2", want 1: the version that this program reads`},
		{"torn early", good[:200], `r: a torn recording: the last line is not "end sha256 ..."`},
		{"torn late", good[:len(good)-5], fmt.Sprintf("r:%d:1: a torn recording: the last line is not complete", lines)},
		{"edited", strings.Replace(good, "jobs: 3", "jobs: 4", 1), fmt.Sprintf("r:%d:1: a torn or edited recording: its checksum is not that of its text", lines)},
		{"more", good + "x\n", fmt.Sprintf("r:%d:1: found more text after the last line of the recording", lines+1)},
		{"unknown key", signed("verdict:", "verdikt:"), `r:16:1: unknown key "verdikt" in the recording; did you mean "verdict"?`},
		{"bad scenario", signed("fault: drop", "fault: dorp"), `r:11:34: unknown fault "dorp"; did you mean "drop"?`},
		{"bad verdict", signed("verdict: deadlock", "verdict: dedlock"), `r:16:10: unknown verdict "dedlock"; did you mean "deadlock"?`},
		{"bad race", signed("race: true", "race: perhaps"), `r:15:85: race: found the text "perhaps", want true or false`},
		{"verdict pass", signed("verdict: deadlock", "verdict: pass"), `r:16:10: verdict: found pass, want what the execution was convicted of`},
		{"wrong workers", signed("workers: 2}", "workers: 1}"), `r:14:12: execution: found 1 worker, want 2: the pool size of execution 3 of the scenario`},
		{"crlf", strings.ReplaceAll(good, "\n", "\r\n"), `r:1:1: found lines that end in CR LF, want the recording as it was written: its lines end in LF`},
		{"wrong number", signed("number: 3", "number: 5"), ""},
		{"no build", signed("build: ", "# build: "), `r:4:1: the recording lacks the key "build"`},
		{"two scenarios", signed("execution: {", "  - {}\nexecution: {"), `r:14:5: a scenario lacks the key "name"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := decodeRecording("r", []byte(c.text), testCatalogue())
			if err == nil {
				t.Fatal("accepted")
			}
			if c.want == "" {
				if !strings.Contains(err.Error(), "execution: found the seed 0x") {
					t.Errorf("got %s", err)
				}
			} else if err.Error() != c.want {
				t.Errorf("\ngot  %s\nwant %s", err, c.want)
			}
		})
	}
}

// TestRecordingNeverReplaces: the same execution twice leaves two files, and no
// temporary one.
func TestRecordingNeverReplaces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	base := filepath.Join(dir, "control-drop-000000000000feed-3")
	for _, want := range []string{base + ".rouse", base + "-2.rouse", base + "-3.rouse"} {
		got, err := WriteRecording(dir, sampleRecording())
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
		r := sampleRecording()
		r.Scenario.Name = strings.Repeat("x", 300) // longer than a name of a file can be
		if path, err := WriteRecording(filepath.Join(dir, "a", "b"), r); err == nil {
			t.Errorf("wrote %s", path)
		}
		if after := tree(t, dir); !slices.Equal(before, after) {
			t.Errorf("left %q, there was %q", after, before)
		}
	}
}

func TestRecordingOfHugeDump(t *testing.T) {
	r := sampleRecording()
	r.Result.State = strings.Repeat("x\n", 3*maxDump)
	r = NewRecording(&r.Scenario, r.CampaignSeed, &r.Result)
	got, err := decodeRecording("r", r.Encode(), testCatalogue())
	if err != nil || !strings.Contains(got.Result.State, fmt.Sprintf("\n... %d lines left out ...\n", 2*maxDump+1)) {
		t.Errorf("%v, %d bytes of state", err, len(got.Result.State))
	}
}

func FuzzDecodeRecording(f *testing.F) {
	good := string(sampleRecording().Encode())
	f.Add(good[strings.Index(good, "\n")+1 : strings.LastIndex(good, recordingEnd)])
	f.Fuzz(func(t *testing.T, body string) {
		text := fmt.Sprintf("%s%d\n%s", recordingTitle, RecordingVersion, body)
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		rec, err := decodeRecording("r", []byte(text+endLine(text)), testCatalogue())
		var input *InputError
		if err != nil && !errors.As(err, &input) {
			t.Errorf("%T %v", err, err)
		}
		if err == nil && !scenarioName.MatchString(rec.Scenario.Name) {
			t.Errorf("the name %q could lead elsewhere", rec.Scenario.Name)
		}
	})
}
