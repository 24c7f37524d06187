package corpus

import (
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// controls are the expected differences from the tables of testdata/controls.
var controls = map[string]string{
	"small/right":             "",
	"small/found-in-nothing":  "missed",
	"small/twin-fails":        "the fixed test: FAIL wrong-result: small_test.go:21: 1 missing",
	"small/wrong-verdict":     `wrong-result with 2 seeds, want ["panic" "deadlock"]`,
	"small/found-after-all":   "found, though the table says that it is not: wrong-result",
	"explored/right-explored": "",
	"explored/both-wrong":     "missed; the fixed test: FAIL wrong-result: 1, want 2",
}

// Catches: a bug that is not found or is found as something else, and a fixed test that fails, which the command
// reports as expected; a result that is measured again though nothing has changed, and one that is not though
// something has; a recording that is not that of the failure.
func TestControls(t *testing.T) {
	root, err := filepath.Abs("testdata/controls")
	if err != nil {
		t.Fatal(err)
	}
	sets, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	m := &Measurement{Workshop: &Workshop{Source: Repository(filepath.Dir(filepath.Dir(root))), Root: root, Dir: t.TempDir()},
		Budget: Budget{Seeds: 2, Executions: 300, Replays: 3, Clean: 100}, Jobs: 2, Known: Results{}}
	if m.Tool, err = goroot.Build(t.Context(), m.Source, m.Dir); err != nil {
		t.Fatal(err)
	}
	results := t.TempDir()
	var measured atomic.Int32
	m.Done = func(b *Bug, r *Result, report string) error {
		measured.Add(1)
		if got := strings.Join(b.Unexpected(r), "; "); got != controls[b.ID()] {
			t.Errorf("%s: %q, want %q", b.ID(), got, controls[b.ID()])
		}
		if found := r.Found(); (found > 0) != (report != "") {
			t.Errorf("%s is found with %d seeds, and its report is %q", b.ID(), found, report)
		}
		t.Log(b.ID(), r)
		m.Known[b.ID()] = r
		return m.Known.Write(results, b.Set.Name)
	}
	for _, want := range []int{len(controls), 0} {
		measured.Store(0)
		if err := m.Run(t.Context(), All(sets)); err != nil {
			t.Fatal(err)
		}
		if n := int(measured.Load()); n != want {
			t.Errorf("%d bugs measured, want %d", n, want)
		}
	}
	if m.Known, err = ReadResults(results); err != nil || len(m.Known) != len(controls) {
		t.Fatal(m.Known, err)
	}
	m.Known["small/right"].Files = "0"
	measured.Store(0)
	if err := m.Run(t.Context(), All(sets)); err != nil || measured.Load() != 1 {
		t.Errorf("%d bugs measured again, want 1, error %v", measured.Load(), err)
	}
}

// Catches: slices that overlap or leave out bugs, and one that does not exist and is taken.
func TestSlices(t *testing.T) {
	var bugs, all []*Bug
	for range 10 {
		bugs = append(bugs, new(Bug))
	}
	for part := 1; part <= 3; part++ {
		all = append(all, Slice{part, 3}.Bugs(bugs)...)
	}
	for _, b := range bugs {
		if i := slices.Index(all, b); i < 0 || slices.Contains(all[i+1:], b) {
			t.Error("a bug is not in exactly one slice")
		}
	}
	for _, text := range []string{"", "1", "0/2", "3/2", "1/2x", "01/2", "-1/-2"} {
		if _, err := ParseSlice(text); err == nil {
			t.Errorf("%q is a slice", text)
		}
	}
	if s, err := ParseSlice("2/7"); err != nil || s != (Slice{2, 7}) {
		t.Error(s, err)
	}
}

// Catches: a bug that the table says is missed, and that the luck of a seed makes unexpected.
func TestUnexpectedByLuck(t *testing.T) {
	b := &Bug{Missed: "a control", Verdicts: []verdict.Verdict{verdict.WrongResult}}
	r := &Result{Budget: Budget{Seeds: 2}, Executions: []int{7}, Verdicts: map[verdict.Verdict]int{verdict.WrongResult: 1, verdict.Pass: 1}}
	if got := b.Unexpected(r); len(got) != 0 {
		t.Errorf("found by one seed of two: %q", got)
	}
	r.Executions, r.Verdicts = []int{7, 9}, map[verdict.Verdict]int{verdict.WrongResult: 2}
	if got := b.Unexpected(r); len(got) != 1 {
		t.Errorf("found by each seed: %q", got)
	}
	r.Executions, r.Verdicts = []int{7}, map[verdict.Verdict]int{verdict.Deadlock: 1}
	if got := b.Unexpected(r); len(got) != 1 {
		t.Errorf("another verdict: %q", got)
	}
}
