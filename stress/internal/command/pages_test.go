package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/internal/page"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// TestPageNames: whatever a test is called, its page is in the folder, and does not replace another one.
func TestPageNames(t *testing.T) {
	dir := t.TempDir()
	index := filepath.Join(dir, indexName)
	p, err := newPages(filepath.Join(dir, "."), []namedFile{{as: "--report", path: index}})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"a b", "a/b", "A-B", "../../a", "/etc/passwd", "index", ".", "", "\x00\n", "Größe", "\xff", strings.Repeat("x", 1000), strings.Repeat("ü", 500), strings.Repeat("x", 1001)}
	want := []string{"a-b.html", "a-b-2.html", "A-B-3.html", "a.html", "etc-passwd.html", "index-2.html"}
	var got []string
	for _, name := range names {
		f, err := p.write(name, &page.Failure{Title: name, Verdict: "deadlock"})
		if err != nil || filepath.Dir(f.HTML) != dir || slices.Contains(got, f.HTML) {
			t.Errorf("%q: %q, %v", name, f.HTML, err)
		}
		got = append(got, filepath.Base(f.HTML))
	}
	if len(got[6]) < len("-00000000.html") || got[6] == got[7] {
		t.Errorf("without letters: %q, %q", got[6], got[7])
	}
	if !slices.Equal(got[:len(want)], want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := os.Stat(index); err == nil {
		t.Error("a page has replaced the index")
	}
}

// TestPagesOfTests: those after it are notified of the page, or of why there is none.
func TestPagesOfTests(t *testing.T) {
	p, err := newPages(filepath.Join(t.TempDir(), "pages"), nil)
	if err != nil {
		t.Fatal(err)
	}
	kept := &keptTests{}
	of := &pagesOfTests{pages: p, next: []report.TestObserver{kept}, files: map[string]report.PageFile{}}
	died := report.TestReport{Package: "p", Test: "TestDies", Status: report.TestFailed, Report: "it has died"}
	passed := report.TestReport{Package: "p", Test: "TestPasses", Status: report.TestPassed}
	of.TestDone(died)
	of.TestDone(passed)
	of.native = true
	native := report.TestReport{Package: "p", Test: "TestNative", Status: report.TestFailed, Report: "natively"}
	of.TestDone(native)
	native.Test, native.Controlled = "TestFound", &explain.Page{Detail: "found"}
	of.TestDone(native)
	of.Ended(report.SuiteReport{Tests: slices.Clone(kept.tests)})
	want := []report.PageFile{{HTML: filepath.Join(p.dir, "p-TestDies.html")}, {}, {NoPage: errNative.Error()}, {HTML: filepath.Join(p.dir, "p-TestFound.html")}}
	for i, w := range want {
		if kept.tests[i].PageFile != w || kept.end.Tests[i].PageFile != w {
			t.Errorf("%s: got %+v and %+v, want %+v", kept.tests[i].Test, kept.tests[i].PageFile, kept.end.Tests[i].PageFile, w)
		}
	}
	for file, text := range map[string]string{want[0].HTML: "it has died", want[3].HTML: "found"} {
		if page, err := os.ReadFile(file); err != nil || !strings.Contains(string(page), text) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

type keptTests struct {
	report.DocumentOfTests
	tests []report.TestReport
	end   report.SuiteReport
}

func (o *keptTests) TestDone(t report.TestReport) { o.tests = append(o.tests, t) }
func (o *keptTests) Ended(r report.SuiteReport)   { o.end = r }

// TestPagesOfCampaign: the reason why there is no page is reported, and a scenario without a recording is not asked for one.
func TestPagesOfCampaign(t *testing.T) {
	p, err := newPages(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	kept := &keptCampaign{}
	asked := 0
	of := &pagesOfCampaign{pages: p, next: []report.Observer{kept}, files: map[string]report.PageFile{}, failure: func(*report.ScenarioReport) (*page.Failure, error) {
		asked++
		return nil, errors.New("it crashes")
	}}
	of.ScenarioDone(report.ScenarioReport{Name: "fails", Recording: "x.rouse"})
	of.ScenarioDone(report.ScenarioReport{Name: "blind"})
	of.ScenarioDone(report.ScenarioReport{Name: "passes", AsExpected: true, Recording: "y.rouse"})
	of.Ended(report.Report{Scenarios: slices.Clone(kept.scenarios)})
	for i, w := range []string{"it crashes", "", ""} {
		if kept.scenarios[i].NoPage != w || kept.end.Scenarios[i].NoPage != w {
			t.Errorf("got %+v", kept.scenarios[i].PageFile)
		}
	}
	if asked != 1 || p.err != nil {
		t.Errorf("asked %d times, %v", asked, p.err)
	}
}

type keptCampaign struct {
	report.Document
	scenarios []report.ScenarioReport
	end       report.Report
}

func (o *keptCampaign) ScenarioDone(s report.ScenarioReport) { o.scenarios = append(o.scenarios, s) }
func (o *keptCampaign) Ended(r report.Report)                { o.end = r }

// TestPageOfAMissingRecording: of a merged report, for example.
func TestPageOfAMissingRecording(t *testing.T) {
	m := &program{}
	if _, err := m.pageOf(context.Background(), &report.ScenarioReport{Recording: "none.rouse"}); err == nil || !strings.Contains(err.Error(), "none.rouse: cannot be read") {
		t.Errorf("got %v", err)
	}
}
