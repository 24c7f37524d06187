package corpus

import (
	"os"
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
	text, err := os.ReadFile("../docs/track-record.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != string((&Page{sets, results, beside}).Text()) {
		t.Error("docs/track-record.md is not current: go -C corpus run ./cmd/corpus page")
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
		"| order | 5 | 4 | 2 | 1 | 1 | 90 | 1 | 3 of 4 |",
		"| `one` | [test](../corpus/programs/small/p) | order | a \\| b | deadlock | 7 (3-90), 3 of 4 | 1 (0-2) | 99 of 100 | clean in 50 | `go -C corpus run ./cmd/corpus run small/one` |",
		"| **missed** |",
		"| **panic** |",
		"| go test | 2 | 0 | 0 | 2 | 0 | 1 | 4 ms |",
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
