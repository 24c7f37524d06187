package corpus

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
)

// Catches: a page that was not written again after a table or a result has changed.
func TestPageIsCurrent(t *testing.T) {
	sets, err := Load(".")
	if err != nil {
		t.Fatal(err)
	}
	results, err := ReadResults("results")
	if err != nil {
		t.Fatal(err)
	}
	beside, err := ReadComparisons("results/beside")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../track-record.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != string((&Page{sets, results, beside}).Text()) {
		t.Error("evidence/track-record.md is not current: go -C evidence/corpus run ./cmd/corpus page")
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if current, err := (&Page{sets, results, beside}).Readme(readme); err != nil || string(readme) != string(current) {
		t.Errorf("README.md is not current, error %v: go -C evidence/corpus run ./cmd/corpus page", err)
	}
	ids := map[string]bool{}
	for _, b := range All(sets) {
		ids[b.ID()] = true
	}
	for id := range results {
		if !ids[id] {
			t.Errorf("results has %s, which is in no table", id)
		}
	}
	for id := range beside {
		if !ids[id] {
			t.Errorf("results/beside has %s, which is in no table", id)
		}
	}
}

// Catches: a missed bug, a false alarm, a failure that is not reproduced or a way that finds more, which the page
// does not show.
func TestPageShowsLosses(t *testing.T) {
	s := &Set{Name: "small", Dir: "programs/small", About: "Small ones.", Source: "https://example.com/small"}
	for _, name := range []string{"one", "two", "three", "four", "five"} {
		s.Bugs = append(s.Bugs, &Bug{Set: s, Name: name, Package: "./p", Test: "Test", Kind: "order", What: "a | b", Verdicts: []verdict.Verdict{verdict.Deadlock}})
	}
	s.Bugs[3].Missed = "no switch there"
	budget := Budget{Seeds: 4, Executions: 1000, Replays: 100, Clean: 50}
	result := func(name string, executions, decisions []int, v verdict.Verdict, replayed int, fixed string) *Result {
		r := &Result{Bug: "small/" + name, Go: "go1", Budget: budget, Verdicts: map[verdict.Verdict]int{}, Executions: executions, Decisions: decisions, Replayed: replayed,
			Fixed: &Fixed{Status: fixed, Verdict: verdict.Panicked, Executions: 50}}
		for _, e := range executions {
			if e == 0 {
				r.Verdicts[verdict.Pass]++
			} else {
				r.Verdicts[v]++
			}
		}
		return r
	}
	p := Page{Sets: []*Set{s}, Results: Results{
		"small/one":   result("one", []int{7, 0, 3, 90}, []int{0, 0, 2, 1}, verdict.Deadlock, 99, "ok"),
		"small/two":   result("two", []int{0, 0, 0, 0}, []int{0, 0, 0, 0}, verdict.Deadlock, 0, "ok"),
		"small/three": result("three", []int{1, 1, 1, 1}, []int{3, 3, 3, 3}, verdict.Leak, 100, "FAIL"),
		"small/four":  result("four", []int{0, 0, 0, 0}, []int{0, 0, 0, 0}, verdict.Deadlock, 0, "ok"),
	}, Beside: map[string]*Comparison{
		"small/one": {Limit: 10, Processors: 2, Ways: map[string]*Attempt{WayStress: {Outcome: Found, Executions: 7, Ms: 30}, WayPlain: {Outcome: Found, Executions: 2, Ms: 4}, WayGoleak: {Outcome: DoesNotFit}}},
		"small/two": {Ways: map[string]*Attempt{WayStress: {Outcome: NotFound, Executions: 900}, WayPlain: {Outcome: Found, Executions: 3000, Ms: 1500}}},
	}}
	text := string(p.Text())
	for _, want := range []string{
		"| `small/one` | order | a \\| b | reproduced 99 of 100 times |",
		"| `small/two` | order | a \\| b | missed |",
		"| `small/three` | order | a \\| b | leak with 4 seeds, want [\"deadlock\"]; the fixed test: FAIL panic: |",
		"| `small/four` | order | a \\| b | not found: no switch there |",
		"Not measured yet: 1 of 5 bugs.",
		"| order | 5 | 4 | 2 | 1 | 1 | 0 | 1 | 90 | 1 | 3 of 4 |",
		"| `one` | [test](corpus/programs/small/p) | order | a \\| b | deadlock | 7 (3-90), 3 of 4 | 1 (0-2) | 99 of 100 | clean in 50 | `go -C evidence/corpus run ./cmd/corpus run small/one` |",
		"| **missed** |",
		"| **panic** |",
		"| go test | 2 | 0 | 0 | 0 | 2 | 0 | 1 | 4 ms |",
		"| `small/two` | - (900) | 1.5 s, 3000 |",
		"2 of 5 bugs, a sample by their places in the tables: `bin/corpus beside --record --slice K/6`,",
		"Each way had 10 s for a bug, and natively 2 processors.",
		"| `small/one` | 30 ms, 7 | 4 ms, 2 |  | does not fit |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}

// Catches: a bug that needs more than the default budget, or no search at all, which the counts do not tell apart from
// others; a twin of ours that counts as a release; a README without the counts.
func TestCounts(t *testing.T) {
	s, hunt := &Set{Name: "small"}, &Set{Name: "hunt"}
	results := Results{}
	add := func(s *Set, name string, executions, decisions []int, fixed *Fixed) {
		b := &Bug{Set: s, Name: name, Kind: "order", Verdicts: []verdict.Verdict{verdict.Deadlock}}
		s.Bugs = append(s.Bugs, b)
		results[b.ID()] = &Result{Bug: b.ID(), Budget: Budget{Seeds: 2, Executions: 20000}, Executions: executions, Decisions: decisions, Fixed: fixed}
	}
	clean := &Fixed{Status: "ok", Executions: 20000}
	add(s, "at-once", []int{1, 1}, []int{0, 0}, clean)
	add(s, "with-a-decision", []int{1, 1}, []int{0, 1}, &Fixed{Version: "v2", Status: "ok", Executions: 20000})
	add(s, "second-execution", []int{1, 2}, []int{0, 0}, &Fixed{Version: "v2", Status: "FAIL", Executions: 3})
	add(s, "last-of-the-budget", []int{1000, 7}, []int{1, 1}, clean)
	add(s, "beyond-the-budget", []int{1001, 7}, []int{1, 1}, nil)
	add(s, "by-one-seed", []int{0, 1}, []int{0, 0}, nil)
	add(hunt, "nobody-had-described", []int{1, 1}, []int{0, 0}, clean)
	s.Bugs = append(s.Bugs, &Bug{Set: s, Name: "not-measured", Verdicts: []verdict.Verdict{verdict.Deadlock}})
	p := Page{Sets: []*Set{s, hunt}, Results: results}
	want := Counts{Bugs: 7, Found: 5, ByDefault: 4, AtOnce: 1, Released: 1, Twins: 2, Clean: 20000, Seeds: 2}
	if got := p.Counts(); got != want {
		t.Errorf("the counts are %+v, want %+v", got, want)
	}
	readme, err := p.Readme([]byte("before\n" + countsBegin + "of last year\n" + countsEnd + "after\n"))
	if text := string(readme); err != nil || text != "before\n"+countsBegin+wrap(want.Text())+"\n"+countsEnd+"after\n" {
		t.Errorf("README is %q, error %v", text, err)
	}
	for _, text := range []string{"none", countsBegin, countsEnd} {
		if _, err := p.Readme([]byte(text)); err == nil {
			t.Errorf("%q has no place for the counts, which is no error", text)
		}
	}
}

// Catches: a way that has missed what it does not look for.
func TestCannotSee(t *testing.T) {
	leakOrHang := &Bug{Verdicts: []verdict.Verdict{verdict.Leak, verdict.Deadlock}}
	hang := &Bug{Verdicts: []verdict.Verdict{verdict.Deadlock}}
	attempts := func(stress *Attempt) *Comparison {
		c := &Comparison{Ways: map[string]*Attempt{WayStress: stress}}
		for _, way := range Ways[1:] {
			c.Ways[way] = &Attempt{Outcome: NotFound}
		}
		return c
	}
	found := func(v verdict.Verdict) *Comparison { return attempts(&Attempt{Outcome: Found, By: string(v)}) }
	byHang := found(verdict.Leak)
	byHang.Ways[WayPlain].Outcome = Found
	for _, c := range []struct {
		name string
		bug  *Bug
		c    *Comparison
		miss []string // the ways that have missed it; the others cannot see it, or have found it
	}{
		{"a leak", leakOrHang, found(verdict.Leak), []string{WayGoleak, WaySynctest}},
		{"a leak, found by a hang", leakOrHang, byHang, []string{WayGoleak, WaySynctest}},
		{"a hang that may be a leak", leakOrHang, found(verdict.Deadlock), Ways[1:]},
		{"a data race", hang, found(verdict.DataRace), []string{WayRace}},
		{"a hang", hang, found(verdict.Deadlock), Ways[1:]},
		{"missed by stress test", leakOrHang, attempts(&Attempt{Outcome: NotFound}), Ways},
	} {
		var missed []string
		for _, way := range Ways {
			if c.c.outcome(c.bug, way) == NotFound {
				missed = append(missed, way)
			}
		}
		if !slices.Equal(missed, c.miss) {
			t.Errorf("%s: %q have missed it, want %q", c.name, missed, c.miss)
		}
	}
}
