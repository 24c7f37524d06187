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
	failed := func(name, text string) report.TestReport {
		return report.TestReport{Package: "p", Test: name, Status: report.TestFailed, Report: text}
	}
	tests := []report.TestReport{failed("TestDies", "it has died"), {Package: "p", Test: "TestPasses", Status: report.TestPassed}, failed("TestNative", "natively"), failed("TestFound", "natively")}
	tests[3].Controlled = &explain.Page{Detail: "found"}
	for i := range tests {
		p.Observe(&report.Suite{Native: i > 1})
		p.Observe(&tests[i])
	}
	want := []report.PageFile{{HTML: filepath.Join(p.dir, "p-TestDies.html")}, {}, {NoPage: errNative.Error()}, {HTML: filepath.Join(p.dir, "p-TestFound.html")}}
	for i, w := range want {
		if tests[i].PageFile != w {
			t.Errorf("%s: got %+v, want %+v", tests[i].Test, tests[i].PageFile, w)
		}
	}
	for file, text := range map[string]string{want[0].HTML: "it has died", want[3].HTML: "found"} {
		if page, err := os.ReadFile(file); err != nil || !strings.Contains(string(page), text) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestPagesOfCampaign: the reason why there is no page is reported, and a scenario without a recording is not asked for one.
func TestPagesOfCampaign(t *testing.T) {
	p, err := newPages(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	p.failure = func(*report.ScenarioReport) (*page.Failure, error) {
		asked++
		return nil, errors.New("it crashes")
	}
	scenarios := []report.ScenarioReport{{Name: "fails", Recording: "x.rouse"}, {Name: "blind"}, {Name: "passes", AsExpected: true, Recording: "y.rouse"}}
	for i, w := range []string{"it crashes", "", ""} {
		if p.Observe(&scenarios[i]); scenarios[i].NoPage != w {
			t.Errorf("got %+v", scenarios[i].PageFile)
		}
	}
	if asked != 1 || p.err != nil {
		t.Errorf("asked %d times, %v", asked, p.err)
	}
}

// TestPagesAreWrittenFirst: whatever is notified after the pages knows them.
func TestPagesAreWrittenFirst(t *testing.T) {
	p := &pages{}
	all := (&outputs{console: &report.Console{}, pages: p}).observers()
	if len(all) != 2 || all[0] != report.Observer(p) {
		t.Errorf("got %v", all)
	}
}

// TestPageOfAMissingRecording: of a merged report, for example.
func TestPageOfAMissingRecording(t *testing.T) {
	m := &program{}
	if _, err := m.pageOf(context.Background(), &report.ScenarioReport{Recording: "none.rouse"}); err == nil || !strings.Contains(err.Error(), "none.rouse: cannot be read") {
		t.Errorf("got %v", err)
	}
}
