//go:build chaos

package run

import (
	"reflect"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

const numberFile = `version: 1
scenarios:
  - name: added
    about: For this test.
    subject: number
    workload: add
    sizes: {by: 5}
    expect: pass
  - name: small
    about: For this test.
    mode: control
    workload: add
    expect: pass
`

// TestTargetIsAsked: parameters reach the workload, oracles see the subject, and what
// they say is the verdict.
func TestTargetIsAsked(t *testing.T) {
	target := fixture.Numbers()
	target.Oracles = []subject.Oracle[*fixture.Number]{{Name: "five", Judge: func(x *subject.Execution, s *fixture.Number) {
		if s.N != 5 {
			x.Fail(verdict.Invariant, "it is %d", s.N)
		}
	}}}
	scenarios, err := scenario.Load("f.yaml", []byte(numberFile), target.Subject(), testSubjects[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []verdict.Verdict{verdict.Pass, verdict.Invariant} {
		if r := (&Runner{Subjects: []subject.Subject{target.Subject()}}).Execute(&scenarios[i], 1, 0, func() {}); r.Verdict != want || want == verdict.Invariant && r.Summary != "it is 1" {
			t.Errorf("%s: %s: %s, want %s", scenarios[i].Name, r.Verdict, r.Summary, want)
		}
	}
	again, err := scenario.Load("f.yaml", scenario.Encode(scenarios), testSubjects[0], target.Subject())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(scenarios, again) {
		t.Errorf("written and read again: %+v, want %+v", again, scenarios)
	}
	for i, sc := range scenario.WithEach(scenarios, testSubjects[0].VariantNames(), []subject.Subject{testSubjects[0], target.Subject()}) {
		if sc.Variant != "" || i >= len(scenarios) {
			t.Errorf("a variant was given to %s", sc.Name)
		}
	}
}

// TestTargetSeesItsFaults: in both modes the subject gets what fired, and its verdict counts.
func TestTargetSeesItsFaults(t *testing.T) {
	for _, mode := range []string{"native", "control"} {
		target := fixture.Numbers()
		target.Workloads[0].Run = func(x *subject.Execution, s *fixture.Number) {
			var mu sync.Mutex
			mu.Lock()
			defer mu.Unlock()
		}
		target.JudgeFaults = func(x *subject.Execution, _ *fixture.Number, fired []subject.Fired) {
			x.Fail(verdict.Invariant, "%v", fired)
		}
		file := "version: 1\nscenarios:\n  - {name: locks, about: x, mode: " + mode +
			", subject: number, workload: add, plan: [{at: sync/mutex-lock, fault: yield}], expect: pass}\n"
		scenarios, err := scenario.Load("f.yaml", []byte(file), target.Subject())
		if err != nil {
			t.Fatal(err)
		}
		r := (&Runner{Subjects: []subject.Subject{target.Subject()}}).Execute(&scenarios[0], 1, 0, func() {})
		if r.Verdict != verdict.Invariant || r.Summary != "[{sync/mutex-lock yield 1}]" {
			t.Errorf("%s: %s: %s", mode, r.Verdict, r.Summary)
		}
	}
}

// TestTargetThatStandsStill: what the subject says of itself is the verdict.
func TestTargetThatStandsStill(t *testing.T) {
	for _, said := range []*subject.Diagnosis{nil, {Verdict: verdict.LostWakeup, Summary: "it sleeps"}} {
		target := fixture.Numbers()
		target.Workloads[0].Run = func(x *subject.Execution, s *fixture.Number) {
			x.Go("sleeper", func() { x.Wait() })
		}
		target.State = func(s *fixture.Number) string { return "a number" }
		target.Diagnose = func(*fixture.Number, subject.Stuck) *subject.Diagnosis { return said }
		scenarios, err := scenario.Load("f.yaml", []byte(numberFile), target.Subject())
		if err != nil {
			t.Fatal(err)
		}
		r := (&Runner{Subjects: []subject.Subject{target.Subject()}}).Execute(&scenarios[1], 1, 0, func() {})
		want := subject.Diagnosis{Verdict: verdict.Deadlock}
		if said != nil {
			want = *said
		}
		if r.Verdict != want.Verdict || said != nil && r.Summary != want.Summary || r.State != "a number" {
			t.Errorf("%s: %s\n%s", r.Verdict, r.Summary, r.State)
		}
	}
}
