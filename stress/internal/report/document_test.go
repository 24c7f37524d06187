package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/internal/evidence"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/internal/golden"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// documentOf is a document about the campaign of observe.
func documentOf(t *testing.T, format Format) []byte {
	t.Helper()
	var out bytes.Buffer
	d := &Document{Out: &out, Format: format, Page: testPage}
	observe(d)
	if d.Err() != nil {
		t.Fatal(d.Err())
	}
	return out.Bytes()
}

var testPage = Page{Dir: "reports", Command: []string{"stress"}}

func TestJUnit(t *testing.T) {
	text := documentOf(t, JUnit)
	golden.Compare(t, "junit.xml", text)
	var all junitSuites
	if err := xml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	suite := all.Suites[0]
	failures, skipped := 0, 0
	for _, c := range suite.Cases {
		if c.Failure != nil {
			failures++
		}
		if c.Skipped != nil {
			skipped++
		}
	}
	if all.Tests != 12 || suite.Tests != 12 || len(suite.Cases) != 12 || failures != 4 || suite.Failures != 4 || all.Failures != 4 || skipped != 1 || suite.Skipped != 1 || all.Errors != 0 {
		t.Errorf("%+v", all)
	}
}

func TestMarkdown(t *testing.T) {
	golden.Compare(t, "report.md", documentOf(t, Markdown))
}

func TestHTML(t *testing.T) {
	text := documentOf(t, HTML)
	golden.Compare(t, "report.html", text)
	for _, outside := range []string{"http:", "https:", "url(", "@import", "<script", "<img", "<link"} {
		if at := bytes.Index(bytes.ReplaceAll(text, []byte("http://www.w3.org/2000/svg"), nil), []byte(outside)); at >= 0 {
			t.Errorf("the page has %q", outside)
		}
	}
}

// hostile is a campaign in which all text wants to be something else.
func hostile() *Report {
	evil := "</pre><script>alert(1)</script>]]>&\x00\x1b[31m\ufffe\xff|`` ``` \n::error::x\r\n# head"
	s := ScenarioReport{Name: evil, Variant: evil, Verdict: verdict.Verdict(evil), Expect: verdict.Verdict(evil), Why: evil, Detail: evil, Executions: 3, Duration: time.Second,
		Faults:  []outcome.FaultCount{{At: evil, Kind: evil, Hits: 3, Fires: 2}},
		Failure: &outcome.Result{Verdict: verdict.Verdict(evil), Summary: evil, Explanation: []string{evil, evil}}, Recording: "javascript:alert(1)/" + evil, Shrunk: evil}
	s.Took.Add(time.Second)
	return &Report{Campaign: Campaign{Build: outcome.Build{Version: evil}}, Scenarios: []ScenarioReport{s, {Name: evil, AsExpected: true, Evidence: &evidence.Evidence{Exhausted: evil}}, {Name: evil, Detail: evil, Open: true}, {Name: evil, Interrupted: true}},
		Samples: []Sample{{}, {time.Second, 3, 1, 1}}, Duration: time.Second}
}

// TestHostileText: nothing that a subject or a file says gets out of its place, and what is no
// character of XML is not in it.
func TestHostileText(t *testing.T) {
	r := hostile()
	junit := JUnit(r, testPage)
	for d := xml.NewDecoder(bytes.NewReader(junit)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, junit)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
			t.Error("JUnit XML has an element of the text's")
		}
	}
	for _, page := range []Page{testPage, {}} {
		html := string(HTML(r, page))
		if strings.Contains(html, "<script") || regexp.MustCompile(`href="\s*javascript:`).MatchString(html) || strings.Count(html, "<pre") != strings.Count(html, "</pre>") {
			t.Errorf("HTML: %s", html)
		}
		md := string(Markdown(r, page))
		open := ""
		for line := range strings.Lines(md) {
			line = regexp.MustCompile("`[^`]+`").ReplaceAllString(line, "") // code is shown as it is
			fence := regexp.MustCompile("^`{3,}").FindString(line)
			switch {
			case open == "" && fence != "":
				open = fence
			case open != "" && strings.TrimRight(line, "\n") == open:
				open = ""
			case open == "" && (regexp.MustCompile(`(^|[^\\])<script`).MatchString(line) || strings.HasPrefix(line, "# head") || strings.ContainsAny(line, "\x00\x1b\r")):
				t.Errorf("Markdown has the line %q", line)
			}
		}
		if open != "" {
			t.Error("Markdown: a fence is not closed")
		}
	}
	var out bytes.Buffer
	a := &Document{Out: &out, Format: Annotations}
	a.Observe(r)
	if lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n"); len(lines) != 1 || !strings.HasPrefix(lines[0], "::error title=") || strings.Contains(lines[0], "\r") {
		t.Errorf("%q", lines)
	}
}

// TestDocumentsOfNothing: an interruption may come before anything was run.
func TestDocumentsOfNothing(t *testing.T) {
	r := &Report{Interrupted: true}
	for _, text := range [][]byte{JUnit(r, Page{}), Markdown(r, Page{}), HTML(r, Page{})} {
		if !bytes.Contains(text, []byte("tests=\"0\"")) && !bytes.Contains(text, []byte("interrupted: 0 scenarios")) {
			t.Errorf("got %s", text)
		}
		if bytes.Contains(text, []byte("NaN")) {
			t.Errorf("no numbers in %s", text)
		}
	}
}

func TestPageLink(t *testing.T) {
	abs, err := filepath.Abs("out/a.rouse")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dir, path, want string }{
		{".", "out/a.rouse", "out/a.rouse"},
		{".", abs, "out/a.rouse"},
		{"out", "out/a b#?.rouse", "a%20b%23%3F.rouse"},
		{"reports", "out/a.rouse", "../out/a.rouse"},
		{"out", "out/x:y.rouse", "./x:y.rouse"},
		{"", "out/a.rouse", ""},
	} {
		if got := (&Page{Dir: c.dir}).link(c.path); got != c.want {
			t.Errorf("from %q to %q: %q, want %q", c.dir, c.path, got, c.want)
		}
	}
}

func TestDocumentOnFullDisk(t *testing.T) {
	d := &Document{Out: &fullDisk{100}, Format: JUnit}
	observe(d)
	if d.Err() != errFull {
		t.Errorf("got %v", d.Err())
	}
}

// TestAnnotations: they point at the scenario's line, and are ten at most.
func TestAnnotations(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my,scenarios.yaml")
	fixture.Write(t, file, "scenarios:\n  - name: fails-not\n  - name: \"fails\" # often\n  - about: x\n    name: other\n")
	failed := func(name string) ScenarioReport {
		return ScenarioReport{Name: name, Verdict: verdict.Leak, Expect: verdict.Pass, Failure: &outcome.Result{Summary: "100% gone"}, Recording: "out/a.rouse"}
	}
	var out bytes.Buffer
	a := &Document{Out: &out, Format: Annotations, Page: Page{Scenarios: file, Command: []string{"stress"}}}
	a.Observe(&Report{Scenarios: []ScenarioReport{failed("fails"), {Name: "good", AsExpected: true}, failed("other"), failed("unknown")}})
	escaped := strings.NewReplacer(":", "%3A", ",", "%2C").Replace(file)
	tail := "::leak, expected pass: 100%25 gone%0Aexecution 0: 100%25 gone%0Arecorded in out/a.rouse%0Aagain with stress replay out/a.rouse\n"
	want := "::error file=" + escaped + ",line=3,title=fails" + tail +
		"::error file=" + escaped + ",line=5,title=other" + tail +
		"::error file=" + escaped + ",title=unknown" + tail
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
	for failures, want := range map[int]string{10: "::error title=s9::", 11: "::error title=2 more scenarios::", 500: "::error title=491 more scenarios::"} {
		var r Report
		for i := range failures {
			r.Scenarios = append(r.Scenarios, failed(fmt.Sprintf("s%d", i)))
		}
		var out bytes.Buffer
		(&Document{Out: &out, Format: Annotations}).Observe(&r)
		lines := slices.Collect(strings.Lines(out.String()))
		if len(lines) != 10 || !strings.HasPrefix(lines[9], want) {
			t.Errorf("%d failures: %q", failures, lines)
		}
	}
	broken := &Document{Out: &fullDisk{10}, Format: Annotations}
	broken.Observe(&Report{Scenarios: []ScenarioReport{failed("a"), failed("b")}})
	if broken.Err() != errFull {
		t.Errorf("got %v", broken.Err())
	}
}

func TestAppendSummary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary")
	fixture.Write(t, path, "before\n")
	if err := AppendSummary(path, []byte("after\n")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "before\nafter\n" {
		t.Errorf("%v, %q", err, got)
	}
	if err := AppendSummary(filepath.Join(path, "x"), nil); err == nil {
		t.Error("a file was taken for a folder")
	}
	long := bytes.Repeat([]byte("a line\n"), mostSummary/7+2)
	if got := clipLines(long, mostSummary); len(got) > mostSummary || len(got) < mostSummary-100 || !bytes.HasSuffix(got, []byte("a line\n"+cutOff)) {
		t.Errorf("%d bytes of %d, ending in %q", len(got), len(long), got[len(got)-50:])
	}
}

// TestSubjectWithoutWorkers: a subject of the user's has no pool, so no report speaks of its workers.
func TestSubjectWithoutWorkers(t *testing.T) {
	s := ScenarioReport{Name: "loses", Verdict: verdict.Deadlock, Expect: verdict.Pass, Executions: 18, Recording: "out/loses.rouse",
		Failure: &outcome.Result{Execution: 17, Seed: 0xabc, Verdict: verdict.Deadlock, Summary: "a consumer waits"}}
	r := &Report{Campaign: Campaign{Seed: 1, Scenarios: 1}, Scenarios: []ScenarioReport{s}}
	var console, annotated bytes.Buffer
	(&Console{Out: &console}).Observe(&s)
	(&Document{Out: &annotated, Format: Annotations}).Observe(r)
	for format, text := range map[string][]byte{
		"HTML": HTML(r, testPage), "Markdown": Markdown(r, testPage), "JUnit": JUnit(r, Page{}),
		"console": console.Bytes(), "annotations": annotated.Bytes(),
	} {
		if bytes.Contains(text, []byte("worker")) || !bytes.Contains(text, []byte("a consumer waits")) {
			t.Errorf("%s:\n%s", format, text)
		}
		if format != "annotations" && !bytes.Contains(text, []byte("execution 17: a consumer waits")) {
			t.Errorf("%s does not name the execution:\n%s", format, text)
		}
	}
}

// Catches: a report that does not say what a pass is evidence of, or that a pass proves no more.
func TestReportsSayWhatPassesShow(t *testing.T) {
	pass := ScenarioReport{Name: "passes", Verdict: verdict.Pass, Expect: verdict.Pass, AsExpected: true, Evidence: &evidence.Evidence{Executions: 7, Timers: 3}}
	r := &Report{Scenarios: []ScenarioReport{pass, {Name: "other"}}}
	for name, text := range map[string][]byte{"markdown": Markdown(r, Page{}), "HTML": HTML(r, Page{})} {
		for _, want := range []string{"What the passes show", evidence.Meaning, "7 executions; 3 timers were armed, and none fired while a task could continue; nothing was noticed to be out of control"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
	}
	r.Scenarios = r.Scenarios[1:]
	if text := HTML(r, Page{}); strings.Contains(string(text), evidence.Meaning) {
		t.Error("without a pass the report says what one shows")
	}
}
