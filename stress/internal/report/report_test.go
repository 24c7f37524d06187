package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/orders"
	"github.com/rouse-go/rouse/stress/internal/golden"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
)

// observe shows an Observer a campaign with scenarios of each outcome.
func observe(o Observer) {
	failed := &outcome.Result{
		Execution: 17, Seed: 0xabc, Setting: "workers 2", Verdict: verdict.LostWakeup,
		Summary: "worker 1 sleeps", Explanation: []string{"checked: worker 1", "posted: injector"},
	}
	drops := []outcome.FaultCount{{At: "test/notify", Kind: "drop", Hits: 40, Fires: 3}, {At: "test/passed", Kind: "delay", Hits: 12, Fires: 0}}
	report := Report{Duration: 61 * time.Second}
	report.Campaign = Campaign{0xfeed, 12, time.Minute, 0, outcome.Build{Version: "v1.2.3", Go: "go1.26", OS: "linux", Arch: "amd64", MaxProcs: 2, Race: true}, nil, scenario.Shard{}, "5e7", 0}
	o.Observe(&report.Campaign)
	for i, s := range []ScenarioReport{
		{Name: "control", Verdict: verdict.LostWakeup, Expect: verdict.LostWakeup, AsExpected: true, Executions: 1, Faults: drops[:1],
			Duration: 240 * time.Millisecond, Failure: failed, Recording: "out/control.rouse"},
		{Name: "passes", Verdict: verdict.Pass, Expect: verdict.Pass, AsExpected: true, Executions: 1200, Faults: append(drops[:2:2], outcome.FaultCount{At: "test/notify", Kind: "hold", Hits: 40, Fires: 5, Expired: 2}),
			Points: []outcome.PointCount{{Point: "test/notify", Hits: 44}, {Point: "test/passed", Hits: 12}}, Duration: 2 * time.Second,
			Took: tookTwice(1500*time.Microsecond, 2*time.Millisecond)},
		{Name: "fails", Verdict: verdict.LostWakeup, Expect: verdict.Pass, Executions: 18, Faults: drops, Duration: time.Second,
			Failure: failed, Recording: "my out/fails.rouse"},
		{Name: "silent", Verdict: verdict.NeverReached, Expect: verdict.Pass, Executions: 3, Faults: drops, Duration: time.Second,
			Detail: "delay at test/passed never fired in 12 visits (by chance: 2e-09)"},
		{Name: "explored", Mode: scenario.Control, Verdict: verdict.Pass, Expect: verdict.Pass, AsExpected: true, Executions: 20_000, Steps: 5_000_000,
			Complete: true, Duration: 4 * time.Second},
		{Name: "bounded", Mode: scenario.Control, Verdict: verdict.Pass, Expect: verdict.Pass, AsExpected: true, Executions: 14, Steps: 140,
			Bounded: "at most 2 preemptions", Duration: time.Second},
		{Name: "sampled", Index: 12, Mode: scenario.Control, Verdict: verdict.Pass, Expect: verdict.Pass, AsExpected: true, Executions: 60_000, Steps: 600_000,
			Duration: 9 * time.Second, Orders: &orders.Summary{Distinct: 5_120, Last: 10_112, New: 24, OneOf: 2}},
		{Name: "settled", Mode: scenario.Control, Verdict: verdict.Pass, Expect: verdict.Pass, AsExpected: true, Executions: 60_000, Steps: 600_000,
			Duration: 9 * time.Second, Orders: &orders.Summary{Distinct: 9_216, Last: 10_080, OneOf: 4}},
		{Name: "found", Mode: scenario.Control, Verdict: verdict.LostWakeup, Expect: verdict.Pass, Executions: 500, Steps: 50_000, Duration: time.Second,
			Failure: failed, Recording: "out/found.rouse", Shrunk: "out/found.min.rouse"},
		{Name: "lossy", Variant: "rfc5", Verdict: verdict.LostWakeup, Expect: verdict.Pass, May: []verdict.Verdict{verdict.LostWakeup}, Why: "Nobody looks again.", AsExpected: true,
			Executions: 9, Duration: time.Second, Failure: failed},
		{Name: "lossy", Variant: "rfc5", Verdict: verdict.Deadlock, Expect: verdict.Pass, May: []verdict.Verdict{verdict.LostWakeup}, Why: "Nobody looks again.",
			Executions: 9, Duration: time.Second, Failure: failed, Recording: "out/lossy-rfc5.rouse"},
		{Name: "cut-short", Expect: verdict.Pass, Executions: 2, Interrupted: true, Duration: time.Second},
	} {
		o.Observe(Progress{Scenario: s.Name, Index: i, Scenarios: 12, Executions: s.Executions, Elapsed: time.Duration(i) * time.Second})
		o.Observe(&s)
		report.Scenarios = append(report.Scenarios, s)
	}
	report.Interrupted = true
	report.Samples = []Sample{{0, 0, 10 << 20, 2 << 20}, {30 * time.Second, 10_000, 12 << 20, 3 << 20}, {61 * time.Second, 21_000, 12 << 20, 2 << 20}}
	o.Observe(&report)
}

func tookTwice(a, b time.Duration) (l outcome.Latencies) {
	l.Add(a)
	l.Add(b)
	return l
}

func TestConsole(t *testing.T) {
	var out, status bytes.Buffer
	observe(&Console{Out: &out, Status: &status, Command: []string{"stress"}})
	golden.Compare(t, "console.txt", out.Bytes())
	if status.Len() > 0 {
		t.Errorf("progress within the first seconds: %q", &status)
	}
}

// TestConsoleOnNarrowTerminal: no line is wider than the terminal but a command,
// and nothing is left out.
func TestConsoleOnNarrowTerminal(t *testing.T) {
	const width = 60
	var out, plain bytes.Buffer
	command := []string{"/my tools/stress"}
	observe(&Console{Out: &out, OutWidth: func() int { return width }, Command: command})
	golden.Compare(t, "narrow.txt", out.Bytes())
	for line := range strings.Lines(out.String()) {
		if len(line) > width+1 && !strings.Contains(line, " replay ") {
			t.Errorf("%d columns in %s", len(line)-1, line)
		}
	}
	observe(&Console{Out: &plain, Command: command})
	bare := func(s string) string { return regexp.MustCompile(`[\s|,]+`).ReplaceAllString(s, "") }
	if bare(out.String()) != bare(plain.String()) {
		t.Errorf("got\n%swant\n%s", &out, &plain)
	}
}

func TestReplayCommand(t *testing.T) {
	if got, want := replayCommand([]string{"/my tools/stress"}, "-out/a.rouse"), "'/my tools/stress' replay ./-out/a.rouse"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestJSONLines(t *testing.T) {
	var out bytes.Buffer
	j := NewJSONLines(&out)
	observe(j)
	if j.Err() != nil {
		t.Fatal(j.Err())
	}
	for line := range strings.Lines(out.String()) {
		var v struct{ Schema int }
		if err := json.Unmarshal([]byte(line), &v); err != nil || v.Schema != SchemaVersion {
			t.Errorf("%v in %s", err, line)
		}
	}
	golden.Compare(t, "report.jsonl", regexp.MustCompile(`"time":"[^"]*"`).ReplaceAll(out.Bytes(), []byte(`"time":"NOW"`)))
}

// TestJSONOfUnfinished: a campaign that did not do all it was to do is not as
// expected, although nothing failed in it.
func TestJSONOfUnfinished(t *testing.T) {
	good := ScenarioReport{Name: "a", Verdict: verdict.Pass, Expect: verdict.Pass, AsExpected: true}
	for _, c := range []struct {
		name   string
		report Report
		want   bool
	}{
		{"done", Report{Scenarios: []ScenarioReport{good, good}}, true},
		{"interrupted between two", Report{Scenarios: []ScenarioReport{good, good}, Interrupted: true}, false},
		{"the tool failed in one", Report{Scenarios: []ScenarioReport{good, {Interrupted: true}}}, false},
		{"the tool failed after one", Report{Scenarios: []ScenarioReport{good}}, false},
		{"the tool failed after all", Report{Scenarios: []ScenarioReport{good, good}, Trouble: "no space left"}, false},
	} {
		var out bytes.Buffer
		j := NewJSONLines(&out)
		c.report.Campaign.Scenarios = 2
		j.Observe(&c.report)
		var end struct {
			AsExpected *bool `json:"as_expected"`
		}
		if err := json.Unmarshal(out.Bytes(), &end); err != nil || end.AsExpected == nil || *end.AsExpected != c.want {
			t.Errorf("%s: %v, %s", c.name, err, &out)
		}
	}
}

// TestTroubleIsReported: every report says that the tool itself failed, although all results until then
// are as expected.
func TestTroubleIsReported(t *testing.T) {
	r := &Report{Campaign: Campaign{Scenarios: 2}, Scenarios: []ScenarioReport{{Name: "a", Verdict: verdict.Pass, Expect: verdict.Pass, AsExpected: true}}, Trouble: "no space <left>"}
	const headline = "the tool has failed: 1 scenario, 0 executions, 0s until then; 0 not as expected"
	for _, text := range [][]byte{Markdown(r, Page{}), HTML(r, Page{})} {
		if !bytes.Contains(text, []byte(headline)) {
			t.Errorf("no headline %q in\n%s", headline, text)
		}
	}
	junit := string(JUnit(r, Page{}))
	for _, want := range []string{`tests="2" failures="0" errors="1"`, `<testcase name="campaign" classname="stress"`, `message="no space &lt;left&gt;"`} {
		if !strings.Contains(junit, want) {
			t.Errorf("no %s in\n%s", want, junit)
		}
	}
	r.Scenarios[0].Interrupted = true // which is an error already
	if junit := string(JUnit(r, Page{})); !strings.Contains(junit, `tests="1" failures="0" errors="1"`) {
		t.Errorf("want one error in\n%s", junit)
	}
}

var errFull = errors.New("no space left")

// A full disk takes some bytes and then no more.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(d.room, len(p))
	d.room -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestReportsOnFullDisk(t *testing.T) {
	j := NewJSONLines(&fullDisk{700})
	observe(j)
	if j.Err() != errFull {
		t.Errorf("JSONLines: %v", j.Err())
	}
	c := &Console{Out: &fullDisk{300}, Status: io.Discard}
	observe(c)
	if c.Err() != errFull {
		t.Errorf("Console: %v", c.Err())
	}
}

// TestConsoleFolds: in a log, too, no line but a command is wider than LogWidth. Of many faults those
// that fired most are listed, of an expected failure the beginning of its summary, and of one that
// is not expected all of it.
func TestConsoleFolds(t *testing.T) {
	var faults []outcome.FaultCount
	for i := range 18 {
		faults = append(faults, outcome.FaultCount{At: fmt.Sprintf("test/a-point-with-a-long-name-%d", i), Kind: "delay", Hits: 1000, Fires: uint64(10 * i)})
	}
	failure := &outcome.Result{Verdict: verdict.Deadlock, Summary: strings.Repeat("a task waits, ", 120) + "the end", Explanation: []string{strings.Repeat("checked ", 50)}}
	s := ScenarioReport{Name: "many", Verdict: verdict.Deadlock, Expect: verdict.Deadlock, AsExpected: true, Executions: 7, Faults: faults, Failure: failure}
	show := func() string {
		var out bytes.Buffer
		(&Console{Out: &out}).Observe(&s)
		for line := range strings.Lines(out.String()) {
			if n := len(line) - 1; n > LogWidth {
				t.Errorf("%d columns in %s", n, line)
			}
		}
		return out.String()
	}
	expected := show()
	for want, is := range map[string]bool{
		"ok    many                             deadlock (expected), 7 executions, 0s\n": true,
		"delay at test/a-point-with-a-long-name-12 120/1000":                             true, "-name-11 ": false,
		"and 12 more faults: see --json or --report\n": true,
		"a task waits": true, " ...\n": true, "the end": false,
	} {
		if strings.Contains(expected, want) != is {
			t.Errorf("%q: want %v in\n%s", want, is, expected)
		}
	}
	s.Expect, s.AsExpected = verdict.Pass, false
	if text := show(); !strings.Contains(text, "the end\n") || strings.Contains(text, " ...\n") || strings.Count(text, "checked") != 50 {
		t.Errorf("something is left out of\n%s", text)
	}
	s.Faults = faults[:7]
	if text := show(); !strings.Contains(text, "and 1 more fault: see ") {
		t.Errorf("got\n%s", text)
	}
}
