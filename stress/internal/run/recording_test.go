package run

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/fixture"
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
		Plan:   []chaos.Fault{{At: "sleep/wake-notify", Kind: hooks.Drops, Probability: 0.25, Count: 1}},
		Expect: verdict.LostWakeup, Executions: 7,
	}
	r := NativeRecording(&sc, 0xfeed, &outcome.Result{
		Execution: 3, Seed: subject.Seed(0xfeed, sc.Name, 3), Setting: "workers 2", Verdict: verdict.Deadlock,
		Summary:     `worker 1 sleeps: on "latch"`,
		Explanation: []string{"checked       worker 1", "- : # {"},
		State:       "  indented first\nend sha256 not the end\nsetup:\n\n\n  - after a gap\ttab",
		Goroutines:  "goroutine 1 [running]:\n\t/src/main.go:3",
		Faults:      []outcome.FaultCount{{At: "sleep/wake-notify", Kind: "drop", Hits: 9, Fires: 1}, {At: "sleep/wake-notify", Kind: "hold", Hits: 9, Fires: 3, Expired: 2}},
		Points:      []outcome.PointCount{{Point: "sleep/wake-notify", Hits: 9}},
	})
	r.Build, r.MaxProcs = "go1.26 linux/amd64 race version=v1.2.3", 4
	return &sc, r
}

func TestRecordingGolden(t *testing.T) {
	_, r := sampleRecording()
	golden.Compare(t, "recording.rouse", []byte(r.String()))
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
		before := fixture.Tree(t, dir)
		name := strings.Repeat("x", 300) // longer than a name of a file can be
		if path, err := WriteNew(filepath.Join(dir, "a", "b", name), "text"); err == nil {
			t.Errorf("wrote %s", path)
		}
		if after := fixture.Tree(t, dir); !slices.Equal(before, after) {
			t.Errorf("left %q, there was %q", after, before)
		}
	}
}
