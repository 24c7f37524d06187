//go:build chaos

package run

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/internal/outcome"
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

// TestParams: what a scenario says reaches the workload, from its file, from a recording, and
// from the line that carries it in others; what it does not say is the default.
func TestParams(t *testing.T) {
	var said string
	of := fixture.Tuned(func(s string) { said = s }).Subject()
	for _, c := range []struct{ sizes, want string }{
		{"sizes: {span: 1s}", "4 1s lifo true"},
		{"mode: control, sizes: {switch: false}", "2 5\u00b5s none false"},
		{"sizes: {span: 0s, count: 0x9, choice: first-come, switch: true}", "9 0s first-come true"},
		{"mode: control, sizes: {span: 2h30m0.000000001s, count: 1, choice: \"lifo\", switch: false}", "1 2h30m0.000000001s lifo false"},
	} {
		scenarios, err := scenario.Load("f.yaml", []byte(strings.Replace(fixture.TunedFile, "sizes: {span: 1s}", c.sizes, 1)), of)
		if err != nil {
			t.Errorf("%s: %v", c.sizes, err)
			continue
		}
		encoded, err := scenario.Load("encoded", scenario.Encode(scenarios), of)
		if err != nil {
			t.Fatal(err)
		}
		for i, sc := range []scenario.Scenario{scenarios[0], encoded[0]} {
			said = ""
			if r := (&Runner{Subjects: []subject.Subject{of}}).Execute(&sc, 1, 0, func() {}); r.Verdict != verdict.Pass || said != c.want || !reflect.DeepEqual(sc.Sizes, scenarios[0].Sizes) {
				t.Errorf("%s, %d: %s, it is %q, want %q", c.sizes, i, r.Verdict, said, c.want)
			}
		}
	}
}

// TestParamsInRecordings: a recording has them, and is replayed with them.
func TestParamsInRecordings(t *testing.T) {
	of := fixture.Tuned(func(string) {}).Subject()
	file := strings.Replace(fixture.TunedFile, "span: 1s", "span: 1m0.5s, choice: none, switch: false, count: 3", 1)
	scenarios, err := scenario.Load("f.yaml", []byte(file), of)
	if err != nil {
		t.Fatal(err)
	}
	r := NativeRecording(&scenarios[0], 7, &outcome.Result{Verdict: verdict.Deadlock, Summary: "x", Seed: subject.Seed(7, "s", 0)})
	again, err := parseRecording("r", []byte(r.String()), of)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]string{"span": "1m0.5s", "choice": "none", "switch": "false", "count": "3"}; !reflect.DeepEqual(again.Scenario.Sizes, want) {
		t.Errorf("recorded were %v, want %v", again.Scenario.Sizes, want)
	}
}
