package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// foreign are results whose texts come from elsewhere: of a campaign, of a run of tests, and of mutants.
type foreign struct {
	report  *Report
	tests   *SuiteReport
	mutants *MutationReport
}

// with returns results in which each such text ends in this one.
func with(text string) foreign {
	s := ScenarioReport{Name: "name" + text, Variant: "variant" + text, Verdict: verdict.Verdict("verdict" + text), Expect: "pass", Why: "why" + text, Detail: "detail" + text, Executions: 3, Duration: time.Second,
		Faults:  []outcome.FaultCount{{At: "at" + text, Kind: "kind" + text, Hits: 3, Fires: 2}},
		Failure: &outcome.Result{Setting: "setting" + text, Verdict: "deadlock", Summary: "summary" + text, Explanation: []string{"explained" + text}}, Recording: "a" + text, Shrunk: "b" + text, Sidecars: []string{"c" + text},
		Search: &outcome.Search{Executions: 1, Problem: "problem" + text}, PageFile: PageFile{HTML: "page" + text}}
	s.Took.Add(time.Second)
	passes := ScenarioReport{Name: "passes" + text, Verdict: "pass", Expect: "pass", AsExpected: true, Evidence: &evidence.Evidence{Executions: 3, Exhausted: "exhausted" + text}}
	v := foreign{
		report: &Report{Campaign: Campaign{Seed: 1, Scenarios: 4, Build: outcome.Build{Version: "version" + text}}, Duration: time.Second, Trouble: "trouble" + text, Scenarios: []ScenarioReport{
			s, passes, {Name: "open" + text, Detail: "detail" + text, Open: true}, {Name: "interrupted" + text, Interrupted: true},
		}},
		tests: &SuiteReport{Suite: Suite{Seed: 1, Packages: 2, Executions: 10, Strategy: "strategy" + text, Go: "go" + text}, Trouble: "trouble" + text, Packages: []PackageReport{{Package: "p" + text, Problem: "problem" + text}, {Package: "q" + text, Without: "without" + text, Notes: []string{"note" + text}}}},
	}
	why := &explain.Page{Why: []string{"checked  it" + text}, Objects: map[int]string{1: "o" + text}}
	for _, status := range []TestStatus{TestFailed, TestUncontrolled, TestSkipped, TestPassed, TestInterrupted} {
		v.tests.Tests = append(v.tests.Tests, TestReport{Package: "p" + text, Test: "Test" + text, Status: status, Verdict: "deadlock", Execution: 3, Strategy: "pct" + text, Summary: "summary" + text, Site: "site" + text, Report: "report" + text + "x",
			Page: why, Recording: "r" + text, Reproduce: "again" + text, File: "file" + text, Line: 3, Notes: []string{"note" + text}, PageFile: PageFile{HTML: "page" + text, NoPage: "none" + text}, Exhausted: "all" + text,
			Search: &outcome.Search{Verdict: "deadlock", Summary: "summary" + text, Recording: "found" + text, Unshrunk: "unshrunk" + text}, Controlled: why})
	}
	v.mutants = someMutants()
	v.mutants.Mutation.Go, v.mutants.Trouble = "go"+text, "trouble"+text
	for i := range v.mutants.Packages {
		p := &v.mutants.Packages[i]
		p.Package, p.Problem = p.Package+text, p.Problem+text
	}
	for i := range v.mutants.Mutants {
		m := &v.mutants.Mutants[i]
		m.File, m.ID, m.Function, m.What, m.Diff, m.Problem = m.File+text, m.ID+text, m.Function+text, m.What+text, m.Diff+text, m.Problem+text
		m.Tests, m.Trials = []string{"Test" + text}, append([]Trial(nil), m.Trials...)
		for j := range m.Trials {
			m.Trials[j].By, m.Trials[j].What = m.Trials[j].By+text, m.Trials[j].What+text
		}
	}
	return v
}

// calm is a text as long as another, with the same lines and blanks, that means nothing.
func calm(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return r
		}
		return 'x'
	}, text)
}

// tagsOf returns the elements of a document with the names of their attributes: all that text must not change.
func tagsOf(document string) string {
	var b strings.Builder
	for {
		_, rest, found := strings.Cut(document, "<")
		if !found {
			return b.String()
		}
		quote := byte(0)
		i := 0
		for ; i < len(rest) && (quote != 0 || rest[i] != '>'); i++ {
			switch c := rest[i]; {
			case c == quote:
				quote = 0
			case quote != 0:
			case c == '"' || c == '\'':
				quote = c
			default:
				b.WriteByte(c)
			}
		}
		b.WriteByte('\n')
		document = rest[i:]
	}
}

// addHostile adds the texts from which the fuzzer begins, for each of so many formats.
func addHostile(f *testing.F, formats int) {
	for _, text := range []string{
		"", "x", "</pre><script>alert(1)</script>]]>&\x00\x1b[31m\ufffe\xff|`` ``` \n::error::x\r\n# head", "<", "'\"><b a=`", "-->", "]]>", "|", "\\|", "`", "``````", "\n```\n", "\n~~~\n", "[x](javascript:x)", "![x](y)",
		"\n# x", "\n- x", "\n1. x", "\n---\n", "\n    x", "&lt;", "@user", "#1", "https://example.com", "%0A::error::x", "\r", "\u2028\u2029\u202e\u0085", "::set-output name=x::y", "##[error]x", "a,b:c=d", "{{.}}", "\\u0000", "/../..", "\t \t",
	} {
		for n := range formats {
			f.Add(text, n)
		}
	}
}

// A format writes results down.
type format struct {
	name  string
	write func(foreign) []byte
}

// unseen reports whether a document must not have the character.
func unseen(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }

// checkShape compares a document with one of a text that means nothing, by what shape leaves of them.
func checkShape(t *testing.T, text string, f format, shape func(*testing.T, string) string) {
	t.Helper()
	got := string(f.write(with(text)))
	if strings.ContainsFunc(got, unseen) || !utf8.ValidString(got) {
		t.Fatalf("%s: %q leaves characters that cannot be seen in\n%q", f.name, text, got)
	}
	if a, b := shape(t, got), shape(t, string(f.write(with(calm(text))))); a != b {
		t.Fatalf("%s: %q changes\n%s\nto\n%s\nin\n%s", f.name, text, b, a, got)
	}
}

// Catches: text that makes an element or an attribute of a report in HTML.
func FuzzHTML(f *testing.F) {
	formats := []format{
		{"campaign", func(v foreign) []byte { return HTML(v.report, testPage) }},
		{"tests", func(v foreign) []byte { return HTML(v.tests, testPage) }},
	}
	addHostile(f, len(formats))
	f.Fuzz(func(t *testing.T, text string, n int) {
		checkShape(t, text, formats[uint(n)%uint(len(formats))], func(t *testing.T, page string) string {
			for _, scheme := range []string{"javascript:", "data:", "vbscript:"} {
				if strings.Contains(strings.ToLower(page), `href="`+scheme) {
					t.Fatalf("%q is a link that runs:\n%s", text, page)
				}
			}
			return tagsOf(page)
		})
	})
}

// Catches: text that makes an element of JUnit XML, text that no reader of XML takes, and values that do not arrive.
func FuzzJUnit(f *testing.F) {
	formats := []format{
		{"tests", func(v foreign) []byte { return JUnit(v.tests, testPage) }},
		{"campaign", func(v foreign) []byte { return JUnit(v.report, testPage) }},
		{"mutants", func(v foreign) []byte { return JUnit(v.mutants, testPage) }},
	}
	addHostile(f, len(formats))
	f.Fuzz(func(t *testing.T, text string, n int) {
		checkShape(t, text, formats[uint(n)%uint(len(formats))], func(t *testing.T, document string) string {
			var b strings.Builder
			for d := xml.NewDecoder(strings.NewReader(document)); ; {
				token, err := d.Token()
				if err == io.EOF {
					return b.String()
				}
				if err != nil {
					t.Fatalf("%v in\n%s", err, document)
				}
				switch e := token.(type) {
				case xml.StartElement:
					b.WriteString(e.Name.Local)
					for _, a := range e.Attr {
						b.WriteString(" " + a.Name.Local)
					}
					b.WriteByte('\n')
				case xml.CharData, xml.EndElement:
				default:
					fmt.Fprintf(&b, "%T\n", e)
				}
			}
		})
		if uint(n)%uint(len(formats)) > 0 || !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return unseen(r) || r == '\ufffe' || r == '\uffff' }) {
			return // of another format, or a part of it is no character of XML
		}
		var all junitSuites
		if err := xml.Unmarshal(formats[0].write(with(text)), &all); err != nil {
			t.Fatal(err)
		}
		c := all.Suites[0].Cases[0]
		if want := plain.Hidden("Test" + text); c.Name != want || !strings.Contains(c.Failure.Text, plain.Hidden("again"+text)) {
			t.Fatalf("the test is %q, want %q, and its failure %q", c.Name, want, c.Failure.Text)
		}
	})
}

// Catches: text that is Markdown or HTML of its own: a heading, a row, a link, a fence.
func FuzzMarkdown(f *testing.F) {
	formats := []format{
		{"campaign", func(v foreign) []byte { return Markdown(v.report, testPage) }},
		{"tests", func(v foreign) []byte { return Markdown(v.tests, testPage) }},
		{"mutants", func(v foreign) []byte { return Markdown(v.mutants, testPage) }},
	}
	addHostile(f, len(formats))
	special := regexp.MustCompile("\\\\.|`[^`]+`|\\]\\(<[^<>]*>\\)|[`*_{}\\[\\]<>#|~!@&$]")
	block := regexp.MustCompile(`^(?:[-+>=]|\d+[.)])`)
	f.Fuzz(func(t *testing.T, text string, n int) {
		checkShape(t, text, formats[uint(n)%uint(len(formats))], func(t *testing.T, document string) string {
			var b strings.Builder
			open := ""
			for line := range strings.SplitSeq(document, "\n") {
				switch {
				case open != "" && strings.HasPrefix(strings.TrimLeft(line, " "), open):
					if open = ""; strings.Trim(line, "`") != "" {
						t.Fatalf("%q: the end of a fence is %q", text, line)
					}
					b.WriteString("fence ends\n")
				case open != "":
				case strings.HasPrefix(line, "```"):
					open = line[:len(line)-len(strings.TrimLeft(line, "`"))]
					b.WriteString("fence " + line[len(open):] + "\n")
				default: // what of it is not text
					b.WriteString(block.FindString(line))
					for _, s := range special.FindAllString(line, -1) {
						if s[0] != '\\' {
							b.WriteByte(s[0])
						}
					}
					b.WriteByte('\n')
				}
			}
			if open != "" {
				t.Fatalf("%q: a fence is not closed:\n%s", text, document)
			}
			return b.String()
		})
	})
}

// Catches: an annotation of more than a line, one that becomes two, and a message that GitHub reads differently.
func FuzzAnnotations(f *testing.F) {
	addHostile(f, 1)
	unescaped := strings.NewReplacer("%0A", "\n", "%25", "%", "%3A", ":", "%2C", ",")
	command := regexp.MustCompile(`^::(?:error|warning) (?:file=([^,:]*),)?(?:line=\d+,)?(?:col=\d+,)?title=([^,:]*)::(.*)$`)
	f.Fuzz(func(t *testing.T, text string, _ int) {
		v := with(text)
		var out bytes.Buffer
		for _, r := range []Result{v.report, v.tests, v.mutants} {
			out.Write(Annotations(r, testPage))
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != 1+2+4 {
			t.Fatalf("%q makes %d lines:\n%s", text, len(lines), out.String())
		}
		var fields [][]string
		for _, line := range lines {
			m := command.FindStringSubmatch(line)
			if m == nil || strings.ContainsFunc(line, unseen) || !utf8.ValidString(line) {
				t.Fatalf("%q makes the annotation %q", text, line)
			}
			fields = append(fields, m)
		}
		if got, want := unescaped.Replace(fields[1][2]), plain.Text("p"+text+" Test"+text); got != want {
			t.Fatalf("the title is %q, want %q", got, want)
		}
		if got, want := unescaped.Replace(fields[1][1]), plain.Text("file"+text); got != want {
			t.Fatalf("the file is %q, want %q", got, want)
		}
		if got, want := unescaped.Replace(fields[0][3]), plain.Text(text); !strings.Contains(got, "summary") || utf8.ValidString(text) && !strings.ContainsAny(text, ":#[\n") && !strings.Contains(got, want) {
			t.Fatalf("the message is %q, want %q in it", got, want)
		}
	})
}

// Catches: a line that is no JSON, or is two, and a text that does not arrive in it.
func FuzzJSONLines(f *testing.F) {
	addHostile(f, 1)
	f.Fuzz(func(t *testing.T, text string, _ int) {
		v := with(text)
		var out bytes.Buffer
		c := NewJSONLines(&out)
		c.Observe(&v.report.Campaign)
		for i := range v.report.Scenarios {
			c.Observe(&v.report.Scenarios[i])
		}
		c.Observe(v.report)
		c.Observe(&v.tests.Suite)
		for i := range v.tests.Packages {
			c.Observe(&v.tests.Packages[i])
		}
		for i := range v.tests.Tests {
			c.Observe(&v.tests.Tests[i])
		}
		c.Observe(v.tests)
		c.Observe(&v.mutants.Mutation)
		for i := range v.mutants.Mutants {
			c.Observe(&v.mutants.Mutants[i])
		}
		c.Observe(v.mutants)
		if c.Err() != nil {
			t.Fatal(c.Err())
		}
		want := map[string]int{"campaign": 1, "scenario": 4, "failure": 2, "suite": 1, "package": 2, "test": 5, "mutation": 1, "mutant": len(v.mutants.Mutants), "end": 3}
		for line := range strings.Lines(out.String()) {
			var l struct {
				Line
				Name, Test, ID string
			}
			if err := json.Unmarshal([]byte(line), &l); err != nil || l.Schema != SchemaVersion || strings.ContainsFunc(line, unseen) {
				t.Fatalf("%q: %v in %s", text, err, line)
			}
			want[l.Kind]--
			if name := l.Name + l.Test + l.ID; name != "" && utf8.ValidString(text) && !strings.HasSuffix(name, text) {
				t.Fatalf("%q arrives in %q", text, name)
			}
		}
		for kind, n := range want {
			if n != 0 {
				t.Fatalf("%q: %d lines too few of the kind %s:\n%s", text, n, kind, out.String())
			}
		}
	})
}
