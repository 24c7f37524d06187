//go:build chaos

package stress

import (
	"reflect"
	"testing"
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
	target := numbers()
	target.Oracles = []Judgement[*number]{{Name: "five", Judge: func(x *Execution, s *number) {
		if s.n != 5 {
			x.Convict(Invariant, "it is %d", s.n)
		}
	}}}
	scenarios, err := Load("f.yaml", []byte(numberFile), target.Subject(), Pool())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Verdict{Pass, Invariant} {
		if r := execute(&scenarios[i], 1, 0, func() {}); r.Verdict != want || want == Invariant && r.Summary != "it is 1" {
			t.Errorf("%s: %s: %s, want %s", scenarios[i].Name, r.Verdict, r.Summary, want)
		}
	}
	again, err := Load("f.yaml", Encode(scenarios), Pool(), target.Subject())
	if err != nil {
		t.Fatal(err)
	}
	for i := range again { // each loading has made its own
		if again[i].guest == nil || again[i].guest.workload.Name != "add" {
			t.Errorf("%s has no workload", again[i].Name)
		}
		again[i].guest = scenarios[i].guest
	}
	if !reflect.DeepEqual(scenarios, again) {
		t.Errorf("written and read again: %+v, want %+v", again, scenarios)
	}
	for i, sc := range WithEach(scenarios, Strategies()) {
		if sc.Pool.Sleep != "" || i >= len(scenarios) {
			t.Errorf("a strategy of sleep was given to %s", sc.Name)
		}
	}
}

// TestPoolAmongOthers: its scenarios are known by their key pool, and so are recordings.
func TestPoolAmongOthers(t *testing.T) {
	const file = `version: 1
scenarios:
  - {name: a, about: For this test., pool: {workers: [1]}, workload: inject, expect: pass}
  - {name: b, about: For this test., workload: add, expect: pass}
`
	scenarios, err := Load("f.yaml", []byte(file), numbers().Subject(), Pool())
	if err != nil {
		t.Fatal(err)
	}
	if scenarios[0].Subject != "" || scenarios[1].Subject != "number" {
		t.Errorf("of %q and %q", scenarios[0].Subject, scenarios[1].Subject)
	}
}

// TestTargetThatStandsStill: what the subject says of itself is the verdict.
func TestTargetThatStandsStill(t *testing.T) {
	for _, said := range []*Standstill{nil, {Verdict: LostWakeup, Summary: "it sleeps"}} {
		target := numbers()
		target.Workloads[0].Run = func(x *Execution, s *number) {
			x.Go("sleeper", func() { x.crew.Wait() })
		}
		target.State = func(s *number) string { return "a number" }
		target.Stuck = func(*number) *Standstill { return said }
		scenarios, err := Load("f.yaml", []byte(numberFile), target.Subject())
		if err != nil {
			t.Fatal(err)
		}
		r := execute(&scenarios[1], 1, 0, func() {})
		want := Standstill{Verdict: Deadlock}
		if said != nil {
			want = *said
		}
		if r.Verdict != want.Verdict || said != nil && r.Summary != want.Summary || r.State != "a number" {
			t.Errorf("%s: %s\n%s", r.Verdict, r.Summary, r.State)
		}
	}
}
