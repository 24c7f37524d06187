package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/orders"
)

// someTests are results of each kind.
func someTests() *SuiteReport {
	return &SuiteReport{
		Suite:    Suite{Seed: 0xab, Packages: 4, Executions: 1000, Strategy: "portfolio", Clock: "mixed", Race: true, Go: "go1.26.8"},
		Duration: 1234 * time.Millisecond,
		Tests: []TestReport{
			{Package: "example.com/queue", Test: "TestPush", Status: TestPassed, Verdict: verdict.Pass, Executions: 1000, Orders: &orders.Summary{Distinct: 412, Last: 1000, New: 412, OneOf: 1, ChanceOfNew: &orders.Chance{Estimate: 0.265, Low: 0.239, High: 0.291}}, Steps: 38214,
				Duration: 900 * time.Millisecond, Execution: -1, Notes: []string{"2 timers were cut"}},
			{Package: "example.com/queue", Test: "TestClose", Status: TestFailed, Verdict: verdict.Deadlock, Executions: 18, Orders: &orders.Summary{Distinct: 18, Last: 18, New: 18, OneOf: 1, ChanceOfNew: &orders.Chance{Estimate: 1, Low: 0.83, High: 1}}, Steps: 412, Duration: time.Second,
				Execution: 17, Seed: 9, Strategy: "pct(3)", Summary: "main waits", Site: "queue.go:12", Report: "\ndeadlock in execution 17\n\n  a | table  \n",
				Recording: "testdata/chaos/TestClose/5be0.rouse", Reproduce: "stress test example.com/queue -run '^TestClose$' --replay testdata/chaos/TestClose/5be0.rouse",
				File: "queue/queue_test.go", Line: 31, Notes: []string{"recorded elsewhere"}},
			{Package: "example.com/queue", Test: "TestAgain", Status: TestFailed, Verdict: verdict.DataRace, Execution: -1, Summary: "a race", Report: "a race"},
			{Package: "example.com/net", Test: "TestDial", Status: TestUncontrolled, Verdict: verdict.Uncontrolled, Executions: 3, Execution: 2,
				Summary: "outside of control: a system call at dial.go:3", Report: "goroutine 1 [syscall]:"},
			{Package: "example.com/net", Test: "TestLong", Status: TestSkipped, Summary: "net_test.go:7: too long", Executions: 1, Execution: -1},
		},
		Packages: []PackageReport{{Package: "example.com/empty", Without: "no test files"}, {Package: "example.com/queue", Notes: []string{"2 examples are not run"}}, {Package: "example.com/broken", Problem: "# example.com/broken\n./a.go:3: undefined: x\n"}},
	}
}

// watch notifies an observer of a run as suite does.
func watch(o Observer) {
	r := someTests()
	o.Observe(&r.Suite)
	o.Observe(Progress{Scenario: r.Tests[0].Title(), Scenarios: 5, Executions: 500})
	for i := range r.Packages {
		o.Observe(&r.Packages[i])
	}
	for i := range r.Tests {
		o.Observe(&r.Tests[i])
	}
	o.Observe(r)
}

const consoleText = `seed 0xab: 4 packages, 1,000 executions of each test, portfolio, clock mixed, race detector, go1.26.8
?    example.com/empty [no test files]
# example.com/broken
./a.go:3: undefined: x
FAIL example.com/broken [cannot be tested]
ok   example.com/queue TestPush  1,000 executions, 412 distinct (next new: 24 % to 29 %), 38,214 steps, 900ms
FAIL example.com/queue TestClose  deadlock in execution 17, 18 executions, 18 distinct, 412 steps, 1s
      | deadlock in execution 17
      |
      |   a | table
      recorded elsewhere
      recorded in testdata/chaos/TestClose/5be0.rouse
      reproduce: stress test example.com/queue -run '^TestClose$' --replay testdata/chaos/TestClose/5be0.rouse
FAIL example.com/queue TestAgain  data-race, as recorded earlier, 0 executions, 0s
      | a race
uncontrolled example.com/net TestDial  3 executions, 0s
      outside of control: a system call at dial.go:3
      | goroutine 1 [syscall]:
skip example.com/net TestLong  1 execution, 0s
      net_test.go:7: too long
FAIL: 5 tests, 2 failed, 1 uncontrolled, 1 skipped, 1 package that cannot be tested, 1,022 executions, 1.2s; the seed
      was 0xab
`

// TestConsoleFoldsReports: a report that is known as data is as wide as the terminal; for machines it is
// whole.
func TestConsoleFoldsReports(t *testing.T) {
	failed := TestReport{Package: "p", Test: "TestX", Status: TestFailed, Report: "the whole report", Page: &explain.Page{
		Head:  "deadlock: " + strings.Repeat("main waits for a lock; ", 10),
		Table: &explain.Table{},
	}}
	for i := range 30 {
		task := fmt.Sprintf("main/%d", i)
		failed.Page.Table.Columns = append(failed.Page.Table.Columns, explain.Column{Task: task, Title: task, Part: i == 3})
		failed.Page.Table.Rows = append(failed.Page.Table.Rows, explain.Row{Task: task, Text: "sync.(*Mutex).Lock", Objects: []int{1}})
	}
	found := failed // by the search after a native failure
	found.Page, found.Controlled, found.Report = nil, failed.Page, "fatal error"+UnderControl+strings.Repeat("a table ", 50)
	for _, failed := range []TestReport{failed, found} {
		for _, width := range []int{80, 150} {
			var out bytes.Buffer
			c := &Console{Out: &out, OutWidth: func() int { return width }}
			c.Observe(&failed)
			for line := range strings.Lines(out.String()) {
				if len(line)-1 > width {
					t.Errorf("a line of %d columns, want %d:\n%s", len(line)-1, width, &out)
				}
			}
			if !strings.Contains(out.String(), "      | deadlock: main waits") || !strings.Contains(out.String(), " others: main/0 ... main/2") || !strings.Contains(out.String(), "| main/3 ") {
				t.Errorf("%s", &out)
			}
		}
	}
	var lines bytes.Buffer
	NewJSONLines(&lines).Observe(&failed)
	if !strings.Contains(lines.String(), `"report":"the whole report"`) {
		t.Errorf("%s", &lines)
	}
}

// TestDefaults: a run by default says so, and a test whose time was up.
func TestDefaults(t *testing.T) {
	bring := &orders.Summary{Distinct: 9, Last: 312, New: 9, OneOf: 1, ChanceOfNew: &orders.Chance{Estimate: 1, Low: 0.5, High: 1}}
	r := &SuiteReport{Suite: Suite{Executions: 1000, AtMost: true}, Tests: []TestReport{
		{Package: "p", Test: "TestX", Status: TestPassed, Executions: 312, TimeUp: true, Orders: bring}, {Package: "p", Test: "TestY", Status: TestPassed, Executions: 1},
	}}
	var out, lines bytes.Buffer
	for _, o := range []Observer{&Console{Out: &out}, NewJSONLines(&lines)} {
		o.Observe(&r.Suite)
		o.Observe(&r.Tests[0])
		o.Observe(&r.Tests[1])
		o.Observe(r)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{", at most 1,000 executions of each test,", "TestX 312 executions until its time was up, 9 distinct", "TestY 1 execution, 0s", "; --for 10m has more of them"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in %s", want, text)
		}
	}
	for _, want := range []string{`"executions":1000,"at_most":true,`, `"executions":312,"time_up":true,`, `"test":"TestY","status":"ok","executions":1,"traces"`} {
		if !strings.Contains(lines.String(), want) {
			t.Errorf("want %q in %s", want, &lines)
		}
	}
}

func TestConsoleOfTests(t *testing.T) {
	var out bytes.Buffer
	watch(&Console{Out: &out})
	if got := out.String(); got != consoleText {
		t.Errorf("got\n%s\nwant\n%s", got, consoleText)
	}
	out.Reset()
	watch(&Console{Out: &out, Verbose: true})
	if text := out.String(); !strings.Contains(text, "900ms\n      2 timers were cut\n") || !strings.Contains(text, "\n     example.com/queue  2 examples are not run\n") {
		t.Errorf("no note of a test that passed in\n%s", &out)
	}
	// On a terminal, what is left is the same.
	s := &screen{}
	watch(&Console{Out: s, OutWidth: func() int { return LogWidth }, Status: s, StatusWidth: func() int { return 70 }})
	if left := strings.TrimLeft(s.String(), "\n"); left != consoleText {
		t.Errorf("on a terminal is left\n%s", left)
	}
}

func TestHeadlineOfTests(t *testing.T) {
	for want, r := range map[string]*SuiteReport{
		"no test has run: 0 tests, 0 executions, 0s":                            {},
		"FAIL: 1 test, 1 uncontrolled, 1 execution, 0s; the seed was 0x0":       {Tests: []TestReport{{Status: TestUncontrolled, Executions: 1}}, UncontrolledFails: true},
		"ok: 1 test, 1 uncontrolled, 2,000 executions, 0s":                      {Tests: []TestReport{{Status: TestUncontrolled, Executions: 2000}}},
		"interrupted: 1 test, 1 interrupted, 1 execution, 0s; the seed was 0x5": {Suite: Suite{Seed: 5}, Interrupted: true, Tests: []TestReport{{Status: TestInterrupted, Executions: 1}}},
		"the tool has failed: 0 tests, 0 executions, 0s; the seed was 0x5":      {Suite: Suite{Seed: 5}, Trouble: "disk full"},
	} {
		if got := r.headline(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestLinesOfTests(t *testing.T) {
	var out bytes.Buffer
	watch(NewJSONLines(&out))
	var kinds []string
	for d := json.NewDecoder(&out); ; {
		line := map[string]any{}
		if err := d.Decode(&line); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if line["schema"] != float64(SchemaVersion) {
			t.Errorf("%v", line)
		}
		text := line["kind"].(string)
		for _, key := range []string{"status", "execution", "problem", "passed", "uncontrolled"} {
			if v, ok := line[key]; ok {
				text += " " + key + "=" + strings.TrimSpace(strings.SplitN(jsonText(t, v), "\\n", 2)[0])
			}
		}
		kinds = append(kinds, text)
	}
	want := `suite|package|package|package problem="# example.com/broken|test status="ok"|failure execution=17|test status="FAIL"|failure execution=-1|test status="FAIL"|test status="uncontrolled"|test status="skip"|end passed=false uncontrolled=1`
	if got := strings.Join(kinds, "|"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	var none bytes.Buffer
	NewJSONLines(&none).Observe(&SuiteReport{})
	if !strings.Contains(none.String(), `"passed":false`) {
		t.Errorf("without a test: %s", none.String())
	}
	c := NewJSONLines(&fullDisk{200})
	watch(c)
	if c.Err() == nil {
		t.Error("no error on a full disk")
	}
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestJUnitOfTests(t *testing.T) {
	r := someTests()
	text := JUnit(r, Page{})
	var all junitSuites
	if err := xml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if all.Tests != 6 || all.Failures != 2 || all.Errors != 1 || all.Skipped != 2 || len(all.Suites) != 3 {
		t.Errorf("%s", text)
	}
	queue := all.Suites[0]
	if c := queue.Cases[1]; queue.Name != "example.com/queue" || queue.Time != "1.900" || c.Failure == nil || c.Failure.Type != "deadlock" ||
		c.Failure.Message != "deadlock: main waits" || !strings.Contains(c.Failure.Text, "a | table") || !strings.Contains(c.Failure.Text, "reproduce: stress test ") {
		t.Errorf("%+v", queue)
	}
	if !bytes.Contains(text, []byte(`<skipped message="net_test.go:7: too long"`)) {
		t.Errorf("%s", text)
	}
	r.Trouble = "disk full"
	if text := JUnit(r, Page{}); !bytes.Contains(text, []byte(`message="disk full"`)) {
		t.Errorf("%s", text)
	}
}

func TestAnnotationsOfTests(t *testing.T) {
	var out bytes.Buffer
	watch(&Document{Out: &out, Format: Annotations})
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 ||
		!strings.HasPrefix(lines[0], "::error file=queue/queue_test.go,line=31,title=example.com/queue TestClose::deadlock: main waits%0Adeadlock in execution 17%0A") ||
		!strings.HasPrefix(lines[1], "::error title=example.com/queue TestAgain::") ||
		!strings.HasPrefix(lines[2], "::error title=example.com/broken cannot be tested::# example.com/broken%0A") {
		t.Errorf("%s", &out)
	}
	out.Reset()
	a := &Document{Out: &out, Format: Annotations}
	a.Observe(&SuiteReport{Tests: make([]TestReport, 30), Packages: []PackageReport{}})
	if out.Len() > 0 {
		t.Errorf("of tests without a status: %s", &out)
	}
	many := &SuiteReport{}
	for range 12 {
		many.Tests = append(many.Tests, TestReport{Package: "p", Test: "T", Status: TestFailed})
	}
	a.Observe(many)
	if got := strings.Count(out.String(), "::error"); got != mostAnnotations || !strings.Contains(out.String(), "title=3 more::") {
		t.Errorf("%d annotations: %s", got, &out)
	}
}

func TestSummaryOfTests(t *testing.T) {
	r := someTests()
	text := string(Markdown(r, Page{}))
	for _, want := range []string{"# stress test: FAIL: 5 tests", "## FAIL: example.com/queue TestClose\n", "  a | table", "## uncontrolled: example.com/net TestDial", "## example.com/broken cannot be tested"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	var out bytes.Buffer
	d := &Document{Out: &out, Format: Markdown}
	watch(d)
	if out.String() != text || d.Err() != nil {
		t.Errorf("the document is\n%s", &out)
	}
}

// Catches: reports that do not agree on whether a TestMain that ends badly fails the run, or do not show what it printed.
func TestEndedBadly(t *testing.T) {
	for _, fails := range []bool{false, true} {
		r := &SuiteReport{
			Tests:             []TestReport{{Package: "p", Test: "TestX", Status: TestPassed}},
			Packages:          []PackageReport{{Package: "p", Notes: []string{"TestMain ended with exit code 1"}, Ended: true, Output: "<left>"}},
			UncontrolledFails: fails,
		}
		var lines, annotations, console bytes.Buffer
		NewJSONLines(&lines).Observe(r)
		(&Document{Out: &annotations, Format: Annotations}).Observe(r)
		(&Console{Out: &console}).Observe(&r.Packages[0])
		junit := string(JUnit(r, Page{}))
		for name, got := range map[string]bool{
			"JSON":        strings.Contains(lines.String(), `"passed":false`),
			"JUnit":       strings.Contains(junit, "<failure"),
			"annotations": strings.Contains(annotations.String(), "<left>"),
			"headline":    strings.HasPrefix(r.headline(), "FAIL"),
		} {
			if got != fails {
				t.Errorf("%s: fails %t, want %t", name, got, fails)
			}
		}
		for name, text := range map[string]string{
			"JUnit": junit, "Markdown": string(Markdown(r, Page{})), "console": console.String(), "HTML": string(HTML(r, Page{})),
		} {
			if !strings.Contains(text, "TestMain ended with exit code 1") || !strings.Contains(html.UnescapeString(text), "<left>") {
				t.Errorf("%s:\n%s", name, text)
			}
		}
	}
}

// Catches: reports that do not agree on whether a test that is uncontrolled fails the run.
func TestUncontrolledFails(t *testing.T) {
	for _, fails := range []bool{false, true} {
		r := &SuiteReport{Tests: []TestReport{{Package: "p", Test: "TestX", Status: TestUncontrolled}}, UncontrolledFails: fails}
		var lines bytes.Buffer
		NewJSONLines(&lines).Observe(r)
		if got := strings.Contains(lines.String(), `"passed":false`); got != fails {
			t.Errorf("JSON: %s", lines.String())
		}
		if got := strings.Contains(string(JUnit(r, Page{})), "<failure"); got != fails {
			t.Errorf("JUnit: %s", JUnit(r, Page{}))
		}
		if (r.Failed() > 0) != fails {
			t.Errorf("%d have failed", r.Failed())
		}
	}
}
