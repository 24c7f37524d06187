package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
)

func TestListPointsValidate(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	got := in(t, dir, chaosBinary, "validate", "scenarios.yaml")
	got.want(t, 0)
	if want := "scenarios.yaml: ok: 4 scenarios, 4 faults at 2 hook points, 1 warning\n"; !strings.HasSuffix(got.out, want) || !strings.HasPrefix(got.out, "passes\n") {
		t.Errorf("got %s, want %s", got.out, want)
	}
	got = in(t, dir, chaosBinary, "validate", "--quiet")
	got.want(t, 0)
	if strings.Count(got.out, "\n") != 1 { // no warning
		t.Errorf("got %s", got.out)
	}
	first, _, _ := strings.Cut(scenarioFile, "  - name: fails")
	write(t, dir, "one.yaml", first)
	got = in(t, dir, chaosBinary, "validate", "--quiet", "one.yaml")
	if want := "one.yaml: ok: 1 scenario, 1 fault at 1 hook point\n"; got.out != want {
		t.Errorf("got %s, want %s", got.out, want)
	}

	got = in(t, dir, chaosBinary, "list", "--file", "scenarios.yaml")
	got.want(t, 0)
	if strings.Count(got.out, "\n") != 8 || !strings.HasPrefix(got.out, "passes ") {
		t.Errorf("got %s", got.out)
	}
	got = in(t, dir, chaosBinary, "list")
	got.want(t, 0)
	if !strings.Contains(got.out, "window-registered") {
		t.Errorf("got %s", got.out)
	}

	write(t, dir, "mine.yaml", "version: 1\nextends: default\nscenarios:\n- {name: mine, group: ours, base: window-registered, pool: {workers: [2]}}\n")
	got = in(t, dir, chaosBinary, "run", "--file", "mine.yaml", "--group", "ours", "--executions", "1", "--seed", "1")
	got.want(t, 0)
	if !strings.Contains(got.out, "ok    mine ") || strings.Contains(got.out, "ok    window-registered") {
		t.Errorf("got %s", got.out)
	}
	got = in(t, dir, chaosBinary, "run", "--file", "mine.yaml", "--group", "urs")
	got.want(t, 2)
	if want := `stress: unknown group "urs"; did you mean "ours"?`; strings.TrimSpace(got.errs) != want {
		t.Errorf("got %s, want %s", got.errs, want)
	}

	got = in(t, dir, chaosBinary, "list", "--workloads")
	got.want(t, 0)
	for _, line := range []string{
		"trickle                              of pool\n",
		"story                                of pool\n",
		"    jobs           100, under control 2; 1 to 100000: Jobs of each injector, spawns of each scope.\n    pause          10ms, under control 10ms; 1ns to 10s",
		"    depth          7, under control 2; 1 to 16: Depth of recursion or nesting.\n",
		"\n    variant tickle-swap      Tickle, but ",
	} {
		if !strings.Contains(got.out, line) {
			t.Errorf("%q is not in %s", line, got.out)
		}
	}
	in(t, dir, chaosBinary, "list", "--workloads", "--file", "scenarios.yaml").want(t, 2)

	got = in(t, dir, chaosBinary, "points")
	got.want(t, 0)
	if !strings.Contains(got.out, "sleep/registered ") || !strings.Contains(got.out, "pool/inject-pushed ") {
		t.Errorf("got %s", got.out)
	}
	got = in(t, dir, chaosBinary, "points", "--json")
	got.want(t, 0)
	for line := range strings.Lines(got.out) {
		var p struct {
			Schema       int
			Name, Window string
			Offers       []string
		}
		if err := json.Unmarshal([]byte(line), &p); err != nil || p.Schema != 1 || p.Window == "" || len(p.Offers) == 0 {
			t.Errorf("%v in %s", err, line)
		}
	}
}

func TestRunPasses(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	before := tree(t, dir)
	got := in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "3", "--seed", "0xAB", "passes")
	got.want(t, 0)
	if !strings.HasPrefix(got.out, "seed 0xab: 1 scenario, 3 executions each\n") ||
		!strings.Contains(got.out, "\nok    passes ") || !strings.Contains(got.out, "\nall as expected: 1 scenario, 3 executions, ") {
		t.Errorf("got %s", got.out)
	}
	if after := tree(t, dir); !slices.Equal(before, after) {
		t.Errorf("a campaign without failures left %q", after)
	}
}

func TestSeeds(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	run := func(args ...string) string {
		got := in(t, dir, chaosBinary, append([]string{"run", "--file", "scenarios.yaml", "--executions", "1", "passes"}, args...)...)
		got.want(t, 0)
		first, _, _ := strings.Cut(got.out, ":")
		return first
	}
	if a, b := run(), run(); a == b {
		t.Errorf("two campaigns without a seed have the same, %s", a)
	}
	t.Setenv(seedEnv, "0x10")
	if got := run(); got != "seed 0x10" {
		t.Errorf("from the environment: %s", got)
	}
	if got := run("--seed", "0010"); got != "seed 0xa" {
		t.Errorf("from the flag: %s", got)
	}
}

var replayCommand = regexp.MustCompile(`(?m)^ +(\S.* replay .*)$`)

// TestRunFails: a failure is printed with the command that repeats it, and the command works
// wherever the program and the recording are.
func TestRunFails(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	elsewhere := filepath.Join(dir, "my go-build1", "stress")
	if err := os.Mkdir(filepath.Dir(elsewhere), 0o700); err != nil {
		t.Fatal(err)
	}
	copyFile(t, chaosBinary, elsewhere)
	for _, c := range []struct{ binary, out, search, replayed string }{
		{chaosBinary, "--out=my out", "--search=0", `\nnative replay is not exact: (?s:.*)\n[123] of 3 tries failed again with verdict lost-wakeup`},
		{elsewhere, "--out=-out", "--search=500", `\n3 of 3 tries reproduced lost-wakeup, with equal trace hash `},
	} {
		got := in(t, dir, c.binary, "run", "--file", "scenarios.yaml", "--executions", "5", c.out, c.search, "fails", "passes")
		got.want(t, 1)
		for _, want := range []string{
			"\nFAIL  fails ", "lost-wakeup, expected pass", "worker 0", "\n      | notification  dropped by the plan at sleep/wake-notify",
			"\nok    passes ", "\n1 not as expected: 2 scenarios, ",
		} {
			if !strings.Contains(got.out, want) {
				t.Errorf("%q is missing in\n%s", want, got.out)
			}
		}
		command := replayCommand.FindStringSubmatch(got.out)
		if command == nil {
			t.Fatalf("no command in\n%s", got.out)
		}
		cmd := exec.Command("sh", "-c", command[1]+" --times 3")
		cmd.Dir = dir
		got = finish(t, cmd)
		got.want(t, 1)
		if !regexp.MustCompile(c.replayed).MatchString(got.out) {
			t.Errorf("%s: got %s", command[1], got.out)
		}
	}
}

// TestReplayThatPasses: an execution that is not reproduced proves nothing.
func TestReplayThatPasses(t *testing.T) {
	rec := &recording.Recording{
		Kind: recording.Native, Subject: "scenario passes", Seed: 0x4eed, MaxProcs: 1, Verdict: verdict.Deadlock,
		Setup: "- {name: passes, about: Nothing much happens., pool: {workers: [1]}, workload: inject, sizes: {jobs: 3}, expect: pass}",
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "passes.rouse")
	record := func() {
		if err := rec.Write(path); err != nil {
			t.Fatal(err)
		}
	}
	record()
	// The seed of an execution follows from its campaign, scenario and number.
	got := in(t, dir, chaosBinary, "replay", path)
	got.want(t, 2)
	seed := regexp.MustCompile("want (0x[0-9a-f]+)").FindStringSubmatch(got.errs)
	if seed == nil {
		t.Fatalf("got %s", got.errs)
	}
	var err error
	if rec.Seed, err = strconv.ParseUint(seed[1], 0, 64); err != nil {
		t.Fatal(err)
	}
	record()
	got = in(t, dir, chaosBinary, "replay", path, "--times", "2")
	got.want(t, 1)
	if !strings.HasSuffix(got.out, "\n0 of 2 tries failed again with verdict deadlock (2 pass)\nnot reproduced: no try failed as the recorded deadlock\n") {
		t.Errorf("got %s", got.out)
	}
	rec.Verdict = verdict.DataRace
	record()
	got = in(t, dir, chaosBinary, "replay", path, "--times", "2")
	got.want(t, 2)
	if !strings.Contains(got.errs, "it is a data race, and this binary has no race detector") {
		t.Errorf("got %s", got.errs)
	}
}

// TestReplayOfEdited: an edited file is no recording any more.
func TestReplayOfEdited(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "1", "fails").want(t, 1)
	files, err := filepath.Glob(filepath.Join(dir, defaultOut, "fails-*-0.rouse"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	edited := write(t, dir, "edited", strings.Replace(string(text), "fault: drop", "fault: yield", 1))
	got := in(t, dir, chaosBinary, "replay", edited)
	got.want(t, 2)
	if !strings.Contains(got.errs, "found a checksum that is not that of the text") {
		t.Errorf("got %s", got.errs)
	}
}

// TestKeepControls: the failure that a control expects is recorded on request only, also by a campaign
// that is resumed.
func TestKeepControls(t *testing.T) {
	dir := t.TempDir()
	campaign := []string{"run", "controlled-dropped-job", "--executions", "50", "--seed", "1", "--out"}
	recordings := func(out string) int {
		files, err := filepath.Glob(filepath.Join(dir, out, "*.rouse"))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	in(t, dir, chaosBinary, append(campaign, "plain")...).want(t, 0)
	if left, err := os.ReadDir(filepath.Join(dir, "plain")); err != nil || len(left) != 1 || left[0].Name() != journalName {
		t.Errorf("a campaign that is as expected left %v, %v", left, err)
	}
	in(t, dir, chaosBinary, append(campaign, "kept", "--keep-controls")...).want(t, 0)
	if n := recordings("kept"); n != 1 {
		t.Errorf("--keep-controls left %d recordings, want 1", n)
	}
	in(t, dir, chaosBinary, "run", "controlled-dropped-job", "--executions", "50", "--keep-controls").want(t, 0)
	if n := recordings("rouse-out"); n != 1 {
		t.Errorf("--keep-controls without --out left %d recordings, want 1", n)
	}
	in(t, dir, chaosBinary, append(campaign, "kept", "--resume")...).want(t, 0)
	got := in(t, dir, chaosBinary, append(campaign, "plain", "--resume", "--keep-controls")...)
	got.want(t, 2)
	if want := "its campaign has no --keep-controls: want the same, or leave --keep-controls out"; !strings.Contains(got.errs, want) {
		t.Errorf("got %q, want %q", got.errs, want)
	}
}

// TestControlsFail: a control that detects nothing, and a fault that never
// fires, are failures of the campaign.
func TestControlsFail(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	before := tree(t, dir)
	got := in(t, dir, chaosBinary, "run", "--file", "scenarios.yaml", "--executions", "2", "blind", "never")
	got.want(t, 1)
	for _, want := range []string{"pass, expected lost-wakeup, 2 executions", "never-reached, expected pass, 2 executions",
		"\n2 not as expected: "} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in\n%s", want, got.out)
		}
	}
	if after := tree(t, dir); !slices.Equal(before, after) {
		t.Errorf("nothing failed, yet left %q", after)
	}
}

func TestJSON(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scenarios.yaml", scenarioFile)
	write(t, dir, "report", "old")
	args := []string{"run", "--file", "scenarios.yaml", "--executions", "1", "fails", "passes"}
	in(t, dir, chaosBinary, append(args, "--json", "report")...).want(t, 1)
	text, err := os.ReadFile(filepath.Join(dir, "report"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"campaign", "failure", "scenario", "sample", "end"} // each once or more
	if got := slices.Compact(kinds(t, string(text))); !slices.Equal(got, want) {
		t.Errorf("in the file: %q", got)
	}
	got := in(t, dir, chaosBinary, append(args, "--json", "-")...)
	got.want(t, 1)
	if k := slices.Compact(kinds(t, got.out)); !slices.Equal(k, want) {
		t.Errorf("on standard output: %q", k)
	}
	if !strings.Contains(got.errs, "\nFAIL  fails ") {
		t.Errorf("the text for people is not on standard error: %s", got.errs)
	}
}

// kinds returns the kinds of JSON lines.
func kinds(t *testing.T, text string) (kinds []string) {
	t.Helper()
	for line := range strings.Lines(text) {
		var v struct {
			Schema int
			Kind   string
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil || v.Schema != 1 {
			t.Errorf("%v in %s", err, line)
		}
		kinds = append(kinds, v.Kind)
	}
	return kinds
}

// What chaos.Explore has recorded belongs to a test: the command that repeats it is
// printed, and a file that is torn is refused.
func TestReplayOfATestPrintsTheCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.rouse")
	text := ofATest("example.com/queue TestQueue")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(text)
	c := in(t, t.TempDir(), chaosBinary, "replay", file)
	if want := "go test -tags chaos -run '^TestQueue$' example.com/queue -chaos.replay=" + filepath.ToSlash(file); c.code != 0 || !strings.Contains(c.out, want) {
		t.Errorf("exit code %d, want 0, and %s in\n%s%s", c.code, want, c.out, c.errs)
	}
	write(strings.TrimSuffix(text, "d\n"))
	if c := in(t, t.TempDir(), chaosBinary, "replay", file); c.code != 2 || !strings.Contains(c.errs, "x.rouse:10:3: found the end of the file") {
		t.Errorf("exit code %d, want 2, and the place: %s", c.code, c.errs)
	}
}
