package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/stress/internal/golden"
)

// someMutants are results of each kind.
func someMutants() *MutationReport {
	const diff = "--- a/queue.go\n+++ b/queue.go\n@@ -3,1 +3,0 @@\n-\tq.mu.Unlock()\n"
	mutant := func(n int, operator string, status MutantStatus, trials ...Trial) MutantReport {
		return MutantReport{
			Package: "example.com/queue", ID: fmt.Sprintf("queue.go/Queue.Put/%s/1", operator), Operator: operator, File: "queue.go", Line: n, Column: 2,
			Function: "(*Queue).Put", What: "q.mu.Unlock() is deleted", Diff: diff, Status: status, Trials: trials, Tests: []string{"TestA", "TestB", "TestC", "TestD"},
		}
	}
	plain := func(o TrialOutcome, by, what string) Trial {
		return Trial{Way: "plain", Outcome: o, By: by, What: what, Tests: 4, Duration: 2 * time.Second}
	}
	stress := func(o TrialOutcome, by, what string) Trial {
		return Trial{Way: "stress", Outcome: o, By: by, What: what, Tests: 4, Duration: time.Second, Resumed: true}
	}
	cut := stress(TrialSurvived, "", "")
	cut.Executions, cut.Planned = 1040, 4000
	fewer := plain(TrialSurvived, "", "")
	fewer.PlannedTests = 32
	without := stress(TrialSurvived, "", "TestE fails in execution 412 or before without the mutant, too")
	without.PlannedTests, without.Executions, without.Planned = 5, 4000, 4000
	r := &MutationReport{
		Mutation: Mutation{Seed: 0xab, Packages: 3, Mutants: 9, Found: 40, Ways: []string{"plain", "stress"}, Budget: 10 * time.Second, Go: "go1.26.8"}, Duration: 61 * time.Second, Wanted: 0.6,
		Packages: []PackageReport{{Package: "example.com/queue", Notes: []string{"TestE is left out"}}, {Package: "example.com/broken", Problem: "a.go:3: undefined: x\n"}},
		Mutants: []MutantReport{
			mutant(3, "delete-unlock", MutantKilled, plain(TrialTimeout, "TestA", "no end in time"), stress(TrialKilled, "TestA", "deadlock")),
			mutant(4, "cas-to-store", MutantKilled, plain(TrialSurvived, "", ""), stress(TrialKilled, "", "panic: x")),
			mutant(5, "delete-unlock", MutantSurvived, plain(TrialSurvived, "", ""), cut),
			mutant(6, "buffer-more", MutantUncovered),
			mutant(7, "buffer-more", MutantEquivalent, plain(TrialSurvived, "", "")),
			mutant(8, "buffer-less", MutantInvalid),
			mutant(9, "buffer-less", MutantError, plain(TrialError, "", "exit code 3"), stress(TrialNotRun, "", "")),
			mutant(10, "add-default", MutantUntested, plain(TrialNotRun, "", ""), stress(TrialNotRun, "", "")),
			mutant(11, "delete-lock", MutantSurvived, fewer, without),
		},
	}
	r.Mutants[3].Tests, r.Mutants[3].Package = nil, "example.com/other"
	r.Mutants[5].Problem, r.Mutants[6].Problem = "undefined: y", "plain: exit code 3"
	return r
}

// watchMutants notifies an observer of a run as mutate does.
func watchMutants(o Observer) {
	r := someMutants()
	o.Observe(&r.Mutation)
	for i := range r.Packages {
		o.Observe(&r.Packages[i])
	}
	for _, m := range r.Mutants {
		o.Observe(Progress{Scenario: m.Place(), Scenarios: 7, Executions: 3})
		o.Observe(&m)
	}
	o.Observe(r)
}

// TestReportsOfMutants: what each report has of results of each kind.
func TestReportsOfMutants(t *testing.T) {
	var console, verbose, lines, junit, markdown, annotations bytes.Buffer
	watchMutants(&Console{Out: &console})
	watchMutants(&Console{Out: &verbose, Verbose: true})
	watchMutants(NewJSONLines(&lines))
	watchMutants(&Document{Out: &junit, Format: JUnit})
	watchMutants(&Document{Out: &markdown, Format: Markdown})
	watchMutants(&Document{Out: &annotations, Format: Annotations})
	golden.Compare(t, "mutants.txt", console.Bytes())
	golden.Compare(t, "mutants.md", markdown.Bytes())
	golden.Compare(t, "mutants-annotations.txt", annotations.Bytes())
	for _, dropped := range []string{"equivalent queue.go:7:2 buffer-more", "invalid    queue.go:8:2 buffer-less", "| undefined: y"} {
		if strings.Contains(console.String(), dropped) || !strings.Contains(verbose.String(), dropped) {
			t.Errorf("%q is not in the verbose output only:\n%s", dropped, &verbose)
		}
	}
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	if err := xml.Unmarshal(junit.Bytes(), &suites); err != nil || suites.Tests != 10 || suites.Failures != 4 || suites.Errors != 2 || suites.Skipped != 2 {
		t.Errorf("%v, %+v\n%s", err, suites, &junit)
	}
	for _, want := range []string{`"executions":1040,"planned":4000}`, `"tests":4,"planned_tests":32,`, `"status":"untested"`, `"untested":1,`} {
		if strings.Count(lines.String(), want) != 1 {
			t.Errorf("no line has %s:\n%s", want, &lines)
		}
	}
	var kinds []string
	var end mutationEndLine
	for text := range bytes.Lines(lines.Bytes()) {
		end = mutationEndLine{}
		if err := json.Unmarshal(text, &end); err != nil || end.Schema != SchemaVersion {
			t.Errorf("%s: %v", text, err)
		}
		kinds = append(kinds, end.Kind)
	}
	if got := strings.Join(kinds, " "); got != "mutation package package mutant mutant mutant mutant mutant mutant mutant mutant mutant end" {
		t.Errorf("lines %s", got)
	}
	if end.Passed || end.Score != 2.0/6 || end.Killed != 2 || end.Survived != 2 || end.Untested != 1 || end.Uncovered != 1 || end.Equivalent != 1 || end.Invalid != 1 ||
		end.Errors != 1 || end.ByWay["plain"] != 1 || end.ByWay["stress"] != 2 || end.Broken != 1 {
		t.Errorf("%+v", end)
	}
}

// TestScore: what was dropped or could not be tested does not count, and without a wanted score none fails.
func TestScore(t *testing.T) {
	r := someMutants()
	for wanted, fails := range map[float64]bool{0: false, 0.33: false, 0.34: true} {
		if r.Wanted = wanted; r.Score() != 2.0/6 || r.Failed() != fails {
			t.Errorf("wanted %v: score %v, failed: %t", wanted, r.Score(), r.Failed())
		}
	}
	r.Mutants, r.Wanted = nil, 1
	if r.Score() != 1 || r.Failed() {
		t.Errorf("without mutants: %v", r.Score())
	}
	for share, want := range map[float64]string{1: "100.0%", 0.9999: "99.9%", 2.0 / 3: "66.6%"} {
		if got := percent(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
}

// TestInterruptedMutants: what was done until then is reported as such.
func TestInterruptedMutants(t *testing.T) {
	r := someMutants()
	for _, c := range []struct {
		want   string
		change func()
	}{
		{"interrupted: 9 mutants", func() { r.Interrupted = true }},
		{"the tool has failed: 9 mut", func() { r.Interrupted, r.Trouble = false, "the disk is full" }},
	} {
		c.change()
		if got := r.headline(); !strings.HasPrefix(got, c.want) {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
