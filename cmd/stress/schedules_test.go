package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/recording"
)

// controlledFile holds a controlled scenario that fails although pass is expected, and one that
// passes.
const controlledFile = `version: 1
scenarios:
  - name: meets
    about: 'Jobs that must meet, with a counter of one bit: "it"  rolls over.'
    mode: control
    strategy: pct(2)
    pool: {workers: [2], jec-bits: 1, rounds: 0}
    workload: meet
    plan: [{at: sleep/found-wake, fault: drop}]
    expect: pass
  - name: quiet
    about: Nothing goes wrong.
    mode: control
    pool: {workers: [1, 2], rounds: 0}
    workload: inject
    expect: pass
`

// controlledRecording runs the scenario that fails and returns its recording.
func controlledRecording(t *testing.T, dir string) (path, text string) {
	t.Helper()
	write(t, dir, "controlled.yaml", controlledFile)
	got := in(t, dir, chaosBinary, "run", "--file", "controlled.yaml", "--seed", "1", "--executions", "3000", "--procs", "2")
	got.want(t, 1)
	for _, want := range []string{"\nFAIL  meets ", "lost-wakeup, expected pass", "\n      | notification  dropped by the plan at sleep/found-wake",
		"\nok    quiet ", "pass, 3000 executions ("} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in\n%s", want, got.out)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, defaultOut, "meets-*.rouse"))
	if err != nil || len(files) != 2 || !strings.HasSuffix(files[0], ".min.rouse") {
		t.Fatal(files, err) // it could be shrunk
	}
	if files = files[1:]; !strings.Contains(got.out, ",\n      shrunk in ") {
		t.Errorf("not said: %s", got.out)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return files[0], string(data)
}

// TestControlledReplay: the recording of a controlled scenario is repeated exactly, by another
// process, without the scenario file; shrunk; and explained.
func TestControlledReplay(t *testing.T) {
	dir := t.TempDir()
	path, text := controlledRecording(t, dir)
	if err := os.Remove(filepath.Join(dir, "controlled.yaml")); err != nil {
		t.Fatal(err)
	}
	got := in(t, dir, chaosBinary, "replay", path, "--times", "100")
	got.want(t, 1)
	if !regexp.MustCompile(`\n100 of 100 tries reproduced lost-wakeup, with equal trace hash [0-9a-f]{16}\n$`).MatchString(got.out) {
		t.Errorf("got %s", got.out)
	}

	got = in(t, dir, chaosBinary, "shrink", path)
	got.want(t, 0)
	short := strings.TrimSuffix(path, ".rouse") + ".min-2.rouse" // the campaign has written the first
	data, err := os.ReadFile(short)
	if err != nil {
		t.Fatal(err)
	}
	long, err := recording.Parse(path, text)
	if err != nil {
		t.Fatal(err)
	}
	shrunk, err := recording.Parse(short, string(data))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := len(shrunk.Entries), len(long.Entries); a > b || len(shrunk.Found) != b || !strings.Contains(got.out, "\nwritten to "+short+"\n") {
		t.Errorf("from %d entries to %d, of which it says %d: %s", b, a, len(shrunk.Found), got.out)
	}
	if got := in(t, dir, chaosBinary, "replay", short, "--times", "20", "--explain"); got.code != 1 ||
		!strings.Contains(got.out, "\n20 of 20 tries reproduced lost-wakeup") || !strings.Contains(got.out, "\nsleeps  ") {
		t.Errorf("%d: %s%s", got.code, got.out, got.errs)
	}
	if got := in(t, dir, chaosBinary, "shrink", path, "--out", "here/x"); got.code != 0 || !strings.Contains(got.out, "\nwritten to here/x\n") {
		t.Errorf("%d: %s%s", got.code, got.out, got.errs)
	}

	got = in(t, dir, chaosBinary, "explain", short)
	got.want(t, 0)
	for _, want := range []string{
		`(?m)^main \(workload\) +\| main/0 \(worker 0\) +\| main/1 \(worker 1\)$`,
		`(?m)^checked +worker \d passed sleep/`,
		`(?m)^posted +last by \w+, which passed pool/inject-pushed, visit \d, event \d+ of \d+$`,
		`(?m)^notification +dropped by the plan at sleep/found-wake`,
		`(?m)^sleeps +worker \d, on jobs`,
		`(?m)^pool 0: 2 workers`,
		`(?m)^schedule:\n(main.* #\d+.*\n)+$`,
	} {
		if !regexp.MustCompile(want).MatchString(got.out) {
			t.Errorf("nothing matches %q in\n%s", want, got.out)
		}
	}
}

// TestControlledReplayOfAnotherProgram: decisions that do not apply are named, by task and place.
func TestControlledReplayOfAnotherProgram(t *testing.T) {
	dir := t.TempDir()
	_, text := controlledRecording(t, dir)
	at := regexp.MustCompile(`(?m)^  (main\S*) #(\d+): run (\S+) # at (.*)$`).FindStringSubmatch(text)
	if at == nil {
		t.Fatalf("no decision with its place in\n%s", text)
	}
	edit := func(from, to string) string {
		if !strings.Contains(text, from) {
			t.Fatalf("no %q in\n%s", from, text)
		}
		return write(t, dir, "edited", byHand(strings.Replace(text, from, to, 1)))
	}
	got := in(t, dir, chaosBinary, "replay", edit(at[1]+" #"+at[2]+":", at[1]+" #9"+at[2]+":"), "--times", "3")
	want := "\ngone: " + at[1] + " #9" + at[2] + ": run " + at[3] + " (at " + at[4] + "): task " + at[1] + " makes "
	got.want(t, 1)
	if !strings.HasSuffix(got.out, "\nnot reproduced: no try failed as the recorded lost-wakeup\n") || !strings.Contains(got.out, " decisions do not apply") {
		t.Errorf("got %s%s", got.out, got.errs)
	}
	if !strings.Contains(got.out, "\n0 of 3 tries reproduced lost-wakeup") || !strings.Contains(got.out, "\n3 took another way: ") || !strings.Contains(got.out, want) {
		t.Errorf("got %s%s, want %s", got.out, got.errs, want)
	}
	got = in(t, dir, chaosBinary, "replay", edit(": run "+at[3], ": run main/7/7"), "--times", "1")
	if !strings.Contains(got.out, "task main/7/7 cannot continue there") {
		t.Errorf("got %s%s", got.out, got.errs)
	}
	got = in(t, dir, chaosBinary, "replay", edit("hash: ", "hash: 1")) // every decision applies
	got.want(t, 2)                                                     // 17 digits
	hash := regexp.MustCompile(`hash: .*`).FindString(text)
	got = in(t, dir, chaosBinary, "explain", edit(hash, "hash: 0000000000000001"))
	got.want(t, 0)
	got = in(t, dir, chaosBinary, "replay", edit(hash, "hash: 0000000000000001"))
	got.want(t, 1)
	if !strings.Contains(got.out, "\nevery decision applies, but the trace differs") ||
		!strings.Contains(got.out, "\n10 failed as recorded, by another trace: the trace hash is ") || strings.Contains(got.out, "not reproduced") {
		t.Errorf("got %s", got.out)
	}
	// An execution that passes now is not reproduced.
	passes := regexp.MustCompile(`(?m)^  main.*\n`).ReplaceAllString(text, "")
	got = in(t, dir, chaosBinary, "replay", write(t, dir, "empty", byHand(passes)), "--times", "2")
	got.want(t, 1)
	if !strings.Contains(got.out, "\n2 took another way: the execution passes") || !strings.HasSuffix(got.out, "\nnot reproduced: no try failed as the recorded lost-wakeup\n") {
		t.Errorf("got %s", got.out)
	}
	got = in(t, dir, chaosBinary, "shrink", edit("fault: drop", "fault: drop, task: nobody"))
	got.want(t, 0) // the fires are in the schedule
	got = in(t, dir, chaosBinary, "shrink", edit("verdict: lost-wakeup", "verdict: leak"))
	got.want(t, 2)
	if !strings.Contains(got.errs, "it does not end as leak any more") {
		t.Errorf("got %s", got.errs)
	}
}

// TestControlledRecordingRefused: the scenario in it is checked, and errors are where
// they stand.
func TestControlledRecordingRefused(t *testing.T) {
	dir := t.TempDir()
	_, text := controlledRecording(t, dir)
	before := tree(t, dir)
	for _, c := range []struct{ from, to, want string }{
		{"workload: meet", "workload: met", `edited:10:15: unknown workload "met"; did you mean "meet"?`},
		{"mode: control\n    strategy: \"pct(2)\"\n", "mode: native\n", "edited:4:7: found a native scenario in a controlled recording, want one with mode: control"},
		{"subject: scenario meets", "subject: scenario other", `edited:3:10: found "scenario other", want "scenario meets", which is in the setup`},
		{"setup:\n", "setup: {}\n", `edited:4:8: found "{}", want nothing: its lines follow, indented by two spaces`},
		{"kind: controlled", "kind: native", "edited:"},
		{"recording 2", "recording 3", `edited:1:17: found version "3", want version 2: the format`},
		{"rouse recording 2", "rouse schedule 1", `edited:1:1: found "rouse schedule 1", want "rouse recording 2": the format has changed`},
	} {
		file := write(t, t.TempDir(), "edited", byHand(strings.Replace(text, c.from, c.to, 1)))
		for _, command := range []string{"replay", "shrink", "explain"} {
			got := in(t, dir, chaosBinary, command, file)
			got.want(t, 2)
			if !strings.Contains(got.errs, c.want) || got.out != "" || strings.Count(got.errs, "\n") != 1 {
				t.Errorf("%s with %q: %s%s", command, c.to, got.out, got.errs)
			}
		}
	}
	if after := tree(t, dir); len(after) != len(before) {
		t.Errorf("left %q", after)
	}
}

// TestShrinkAndExplainOfOthers: recordings of tests and of native scenarios.
func TestShrinkAndExplainOfOthers(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "x.rouse", ofATest("example.com/queue TestQueue"))
	for _, command := range []string{"shrink", "explain"} {
		got := in(t, dir, chaosBinary, command, file)
		got.want(t, 0)
		if !strings.Contains(got.out, "\nreproduce: go test -tags chaos -run '^TestQueue$' example.com/queue -chaos.replay=") {
			t.Errorf("%s: %s", command, got.out)
		}
	}
	write(t, dir, "scenarios.yaml", scenarioFile)
	in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "5", "--search", "0", "fails").want(t, 1)
	files, err := filepath.Glob(filepath.Join(dir, defaultOut, "fails-*.rouse"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	got := in(t, dir, chaosBinary, "shrink", files[0], "--search", "0")
	got.want(t, 2)
	if !strings.Contains(got.errs, "a native execution has no schedule to shrink") {
		t.Errorf("got %s", got.errs)
	}
	got = in(t, dir, chaosBinary, "shrink", files[0], "--search", "1000", "--out", "searched.rouse")
	got.want(t, 0)
	if !strings.Contains(got.out, "\nreproduced under control in ") || !strings.Contains(got.out, "\nwritten to searched.rouse, shrunk to ") {
		t.Errorf("got %s", got.out)
	}
	got = in(t, dir, chaosBinary, "replay", "searched.rouse", "--times", "2")
	got.want(t, 1)
	if !strings.Contains(got.out, "\n2 of 2 tries reproduced lost-wakeup") {
		t.Errorf("got %s", got.out)
	}
	got = in(t, dir, chaosBinary, "explain", files[0])
	got.want(t, 0)
	if !strings.Contains(got.out, "recorded as lost-wakeup") || !strings.Contains(got.out, "\nnotification  dropped by the plan") {
		t.Errorf("got %s", got.out)
	}
}
