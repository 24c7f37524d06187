package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// The program, with and without hook points.
var chaosBinary, plainBinary string

func TestMain(m *testing.M) { goleak.VerifyTestMain(built{m}) }

// built builds the program before the tests run.
type built struct{ *testing.M }

func (m built) Run() int {
	dir, err := os.MkdirTemp("", "queue-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	chaosBinary, plainBinary = filepath.Join(dir, "stress.exe"), filepath.Join(dir, "plain.exe")
	for _, args := range [][]string{
		{"build", "-tags", "chaos", "-o", chaosBinary, "."},
		{"build", "-o", plainBinary, "."},
	} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go %v: %v\n%s", args, err, out)
			return 1
		}
	}
	return m.M.Run()
}

// call runs a binary in a folder, and checks its exit code.
func call(t *testing.T, dir, binary string, code int, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("%s: exit code %d, want %d\n%s", strings.Join(args, " "), got, code, &out)
	}
	return out.String()
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in:\n%s", part, text)
		}
	}
}

func TestCampaign(t *testing.T) {
	dir := t.TempDir()
	contains(t, call(t, dir, chaosBinary, 0, "run", "--executions", "40", "--seed", "1"),
		"ok    dropped ", "ok    one-condition ", "ok    delays ", "ok    interleavings ", "all as expected: 4 scenarios")
	// In two shards, merged.
	for _, shard := range []string{"0", "1"} {
		call(t, dir, chaosBinary, 0, "run", "--executions", "40", "--seed", "1", "--shard", shard+"/2", "--json", shard+".jsonl")
	}
	contains(t, call(t, dir, chaosBinary, 0, "merge", "0.jsonl", "1.jsonl"), "all as expected: 4 scenarios")
}

// TestSurprise: a defect is found, recorded, replayed, shrunk and explained.
func TestSurprise(t *testing.T) {
	dir := t.TempDir()
	file, err := filepath.Abs("surprise.yaml")
	if err != nil {
		t.Fatal(err)
	}
	contains(t, call(t, dir, chaosBinary, 1, "run", "--file", file, "--executions", "500", "--seed", "2", "--out", "out"),
		"FAIL  surprise ", "lost-wakeup, expected pass", "wait, though the queue has")
	all, err := filepath.Glob(filepath.Join(dir, "out", "surprise-*.rouse"))
	if err != nil || len(all) != 2 {
		t.Fatalf("recordings %q, %v", all, err)
	}
	long := all[0]
	if strings.HasSuffix(long, ".min.rouse") {
		long = all[1]
	}
	contains(t, call(t, dir, chaosBinary, 1, "replay", long, "--times", "3"), "3 of 3 tries reproduced lost-wakeup, with equal trace hash")
	contains(t, call(t, dir, chaosBinary, 0, "shrink", long, "--out", "again.rouse"), "shrunk from ", "written to again.rouse")
	contains(t, call(t, dir, chaosBinary, 0, "explain", "again.rouse"), "taker 1", "queue/take-empty", "which waited again at queue.go:", "queue: {Items:", "schedule:")
}

// TestNative: the recording of a native execution has the subject and its parameters.
func TestNative(t *testing.T) {
	dir := t.TempDir()
	call(t, dir, chaosBinary, 0, "run", "--executions", "4", "--seed", "3", "--out", "out", "--keep-controls", "dropped")
	all, err := filepath.Glob(filepath.Join(dir, "out", "dropped-*.rouse"))
	if err != nil || len(all) != 1 {
		t.Fatalf("recordings %q, %v", all, err)
	}
	text, err := os.ReadFile(all[0])
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(text), "subject: queue", "sizes: {capacity: 1, pause: 500us, putters: 1, takers: 1}", "takers wait, though the queue has")
	contains(t, call(t, dir, chaosBinary, 0, "explain", all[0]), "recorded as lost-wakeup")
	call(t, dir, chaosBinary, 1, "replay", all[0], "--times", "3")
}

func TestOtherCommands(t *testing.T) {
	dir := t.TempDir()
	points := call(t, dir, chaosBinary, 0, "points")
	contains(t, points, "queue/put-pushed", "queue/take-notify")
	if strings.Contains(points, "pool/") || strings.Contains(points, "sync/") {
		t.Errorf("it lists points of others:\n%s", points)
	}
	contains(t, call(t, dir, chaosBinary, 0, "list"), "one-condition ", "workload pass-on, under control")
	workloads := call(t, dir, chaosBinary, 0, "list", "--workloads")
	contains(t, workloads, "pass-on ", "capacity       4, under control 1; 1 to 1000: of the queue", "pause          20us, under control 20us; 0s to 10ms: before each, at most", "conditions     two, under control two; two and one: number of")
	if strings.Contains(workloads, "trickle") {
		t.Errorf("it lists workloads of others:\n%s", workloads)
	}
	testSchema(t, call(t, dir, chaosBinary, 0, "schema", "queue"))
	contains(t, call(t, dir, chaosBinary, 2, "schema", "quue"), `unknown subject "quue"; did you mean "queue"?`)
	contains(t, call(t, dir, chaosBinary, 0, "validate"), "4 scenarios, 5 faults at 5 hook points", "Sizes: capacity: 1, pause: 500us, putters: 1, takers: 1.", "Sizes: conditions: one.")
	contains(t, call(t, dir, chaosBinary, 0, "--help"), "scenarios of the queue")
	contains(t, call(t, dir, plainBinary, 2, "run"), "built without -tags chaos", "go build -tags chaos ./examples/queue/stress")
	contains(t, call(t, dir, chaosBinary, 2, "run", "--variant", "rfc5", "--executions", "1"), "want none: no subject of this program has variants")
}

// testSchema checks that the schema is the queue's. (Package stress tests what a schema accepts.)
func testSchema(t *testing.T, text string) {
	t.Helper()
	var schema struct {
		Defs struct {
			Point, Workload struct{ Enum []string }
			Scenario        struct{ Properties map[string]any }
		} `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(text), &schema); err != nil {
		t.Fatal(err)
	}
	d := schema.Defs
	if len(d.Point.Enum) != 6 || len(d.Workload.Enum) != 1 || !strings.Contains(text, `"conditions"`) || d.Scenario.Properties["subject"] == nil || d.Scenario.Properties["pool"] != nil {
		t.Errorf("it is not of the queue:\n%s", text)
	}
}

func TestBadScenarios(t *testing.T) {
	dir := t.TempDir()
	const good = `version: 1
scenarios:
  - name: s
    about: For this test.
    workload: pass-on
    sizes: {items: 2}
    plan: [{at: queue/put-pushed, fault: yield}]
    expect: pass
`
	for _, c := range []struct{ old, new, want string }{
		{"pass-on", "pas-on", `f.yaml:5:15: unknown workload "pas-on"; did you mean "pass-on"?`},
		{"items", "itms", `f.yaml:6:13: unknown key "itms" in sizes; did you mean "items"?`},
		{"items: 2", "items: 0", `f.yaml:6:20: items: found 0, want a whole number from 1 to 1000`},
		{"items: 2", "items: 1001", `f.yaml:6:20: items: found 1001, want a whole number from 1 to 1000`},
		{"items: 2", "pause: 11ms", `f.yaml:6:20: pause: found 11ms, want a duration from 0s to 10ms`},
		{"items: 2", "pause: 500", `f.yaml:6:20: pause: found 500, want a duration that is not negative, such as 200us, 1.5ms or 1m`},
		{"items: 2", "conditions: oen", `f.yaml:6:25: unknown choice of conditions "oen"; did you mean "one"?`},
		{"items: 2", "conditions: 1", `f.yaml:6:25: conditions: found 1, want text`},
		{"queue/put-pushed", "queue/put-pused", `f.yaml:7:17: at: found "queue/put-pused", want a declared point, perhaps "queue/put-pushed"`},
		{"queue/put-pushed", "queue2/put-pushed", `f.yaml:7:17: at: found "queue2/put-pushed", want a point of queue, perhaps "queue/put-pushed"`},
		{"queue/put-pushed", "pool/inject-pushed", `f.yaml:7:17: at: found "pool/inject-pushed", want one of the 6 points of queue`},
		{"workload:", "subject: pool\n    workload:", `f.yaml:5:14: unknown subject "pool"; want one of queue`},
		{"workload:", "pool: {workers: [1]}\n    workload:", `f.yaml:5:5: unknown key "pool" in a scenario; want one of about, base, clock, executions, expect, group, max-steps, may, mode, name, plan, queue, remove, share, sizes, strategy, subject, why, workload`},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if err := os.WriteFile(filepath.Join(dir, "f.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := call(t, dir, chaosBinary, 2, "validate", "f.yaml"); got != "stress: "+c.want+"\n" {
			t.Errorf("got  %swant stress: %s", got, c.want)
		}
	}
}
