//go:build chaos

package campaign

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/scenario"
)

// toSearch are native scenarios that fail by their scripts; under control the pool does what their plans do.
func toSearch() []scenario.Scenario {
	drop := []chaos.Fault{{At: "sleep/wake-notify", Kind: hooks.Drops, Probability: 0.05}}
	found, expected := scripted("found", verdict.Pass, "pass lost-wakeup"), scripted("expected", verdict.LostWakeup, "lost-wakeup")
	found.Plan, expected.Plan = drop, drop
	return []scenario.Scenario{found, expected, scripted("not-found", verdict.Pass, "wrong-result"), scripted("passes", verdict.Pass, "pass")}
}

// TestNativeFailuresAreSearched: an unexpected failure of a native scenario is searched for under control, and what is
// found is beside the native recording.
func TestNativeFailuresAreSearched(t *testing.T) {
	dir := t.TempDir()
	r, err := Run(t.Context(), toSearch(), Options{Executions: 3, Seed: 7, Out: dir, Search: outcome.SearchBudget{Executions: 500}, Subjects: testSubjects})
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]report.ScenarioReport{}
	for _, s := range r.Scenarios {
		byName[s.Name] = s
	}
	if byName["expected"].Search != nil || byName["passes"].Search != nil {
		t.Errorf("searched without need: %+v, %+v", byName["expected"].Search, byName["passes"].Search)
	}
	if s := byName["not-found"].Search; s == nil || s.Reproduced || s.Verdict != "" || s.Executions != 500 || s.Recording != "" {
		t.Errorf("not-found: %+v", s)
	}
	s := byName["found"].Search
	if s == nil || !s.Reproduced || s.Verdict != verdict.LostWakeup || s.Unshrunk != "" {
		t.Fatalf("found: %+v", s)
	}
	if want := filepath.Join(dir, "found-0000000000000007-1.control"+outcome.RecordingEnding); s.Recording != want {
		t.Errorf("recorded in %s, want %s", s.Recording, want)
	}
	if rec, err := recording.Read(s.Recording); err != nil || rec.Kind != recording.Controlled || len(rec.Entries) != s.Decisions {
		t.Errorf("%v, %+v", err, rec)
	}
}

// TestResumeOfSearches: a search that was in progress at a kill is made again, others are not.
func TestResumeOfSearches(t *testing.T) {
	resumeFromAnyLine(t, toSearch(), Options{Executions: 3, Search: outcome.SearchBudget{Executions: 200}, Subjects: testSubjects})
}

// TestSearchStaysInTheFolder: a journal names a recording elsewhere, and what is found goes into the folder all the same.
func TestSearchStaysInTheFolder(t *testing.T) {
	elsewhere, dir := t.TempDir(), t.TempDir()
	o := Options{Executions: 3, Seed: 7, Out: elsewhere, Journal: true, Search: outcome.SearchBudget{Executions: 500}, Subjects: testSubjects}
	if _, err := Run(t.Context(), toSearch()[:1], o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(elsewhere, JournalName))
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(string(text)))
	recorded := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, `"kind":"`+lineRecorded+`"`) })
	fixture.Write(t, filepath.Join(dir, JournalName), strings.Join(lines[:recorded+1], ""))
	found, _ := filepath.Glob(filepath.Join(elsewhere, "*.control"+outcome.RecordingEnding))
	if recorded < 0 || len(found) != 1 || os.Remove(found[0]) != nil {
		t.Fatalf("line %d, found %q", recorded, found)
	}
	j, err := ReadJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), toSearch()[:1], Options{Out: dir, Resume: j, Subjects: testSubjects})
	if err != nil || r.Scenarios[0].Search == nil {
		t.Fatalf("%v, %+v", err, r)
	}
	if got, want := r.Scenarios[0].Search.Recording, filepath.Join(dir, filepath.Base(found[0])); got != want {
		t.Errorf("recorded in %s, want %s", got, want)
	}
	if again, _ := filepath.Glob(filepath.Join(elsewhere, "*.control*")); len(again) > 0 {
		t.Errorf("written elsewhere: %q", again)
	}
}

// TestSearchBudget: all searches together keep to a part of the campaign's time.
func TestSearchBudget(t *testing.T) {
	now := time.Time{}
	c := &campaign{Options: Options{For: time.Minute, Search: outcome.SearchBudget{For: 10 * time.Second}, now: func() time.Time { return now }}, start: now}
	for range 3 {
		c.entries = append(c.entries, &entry{tally: &tally{}})
	}
	for i, want := range []time.Duration{10 * time.Second, 5 * time.Second, 1} {
		if b := c.searchBudget(); b.For != want || b.Least != 64 {
			t.Errorf("search %d: %+v, want %v", i, b, want)
		}
		c.entries[i].Search = &outcome.Search{Took: 10 * time.Second}
	}
	c.entries, now = nil, now.Add(57*time.Second)
	if b := c.searchBudget(); b.For != 3*time.Second {
		t.Errorf("%+v, want what is left of the campaign", b)
	}
	c.Search = outcome.SearchBudget{Executions: 9}
	if b := c.searchBudget(); b.For != 3*time.Second || b.Executions != 9 {
		t.Errorf("%+v, want both bounds", b)
	}
	c.For = 0
	if b := c.searchBudget(); b.For != 0 {
		t.Errorf("%+v, want no time in a campaign without one", b)
	}
}

// TestReportsHaveTheSearch: the console, JSON lines, JUnit, Markdown and HTML say what came of it.
func TestReportsHaveTheSearch(t *testing.T) {
	var out, lines strings.Builder
	j := report.NewJSONLines(&lines)
	console := &report.Console{Out: &out, Command: []string{"stress"}}
	r, err := Run(t.Context(), toSearch()[:1], Options{Executions: 3, Seed: 7, Out: t.TempDir(), Search: outcome.SearchBudget{Executions: 500}, Subjects: testSubjects, Observers: []report.Observer{console, j}})
	if err != nil {
		t.Fatal(err)
	}
	found := r.Scenarios[0].Search
	line := "reproduced under control in "
	for name, text := range map[string]string{
		"console": out.String(), "JUnit": string(report.JUnit(&r, report.Page{Command: []string{"stress"}})),
		"Markdown": string(report.Markdown(&r, report.Page{})), "HTML": string(report.HTML(&r, report.Page{})),
	} {
		if !strings.Contains(text, line) || !strings.Contains(text, "replay "+found.Recording) {
			t.Errorf("%s does not have the search, or its recording:\n%s", name, text)
		}
	}
	if want := `"search":{"executions":`; !strings.Contains(lines.String(), want) {
		t.Errorf("%q is missing in %s", want, lines.String())
	}
}
