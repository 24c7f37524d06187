package subject

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// number is the subject of these tests.
type number struct{ n int }

func numbers() Target[*number] {
	return Target[*number]{
		Name: "number",
		New:  func(*Execution) *number { return new(number) },
		Workloads: []Work[*number]{{
			Name:   "add",
			Params: []Param{Count{Name: "by", Default: 3, Small: 1, Most: 9}},
			Run:    func(x *Execution, s *number) { s.n += x.Count("by") },
		}},
	}
}

func TestBadTargetsAreRefused(t *testing.T) {
	with := func(p Param) func(*Target[*number]) {
		return func(t *Target[*number]) { t.Workloads[0].Params[0] = p }
	}
	for want, spoil := range map[string]func(*Target[*number]){
		"name":                       func(t *Target[*number]) { t.Name = "A Number" },
		"want New":                   func(t *Target[*number]) { t.New = nil },
		"at least one":               func(t *Target[*number]) { t.Workloads = nil },
		`workload ""`:                func(t *Target[*number]) { t.Workloads[0].Name = "" },
		"two workloads":              func(t *Target[*number]) { t.Workloads = append(t.Workloads, t.Workloads[0]) },
		"want Run":                   func(t *Target[*number]) { t.Workloads[0].Run = nil },
		`parameter ""`:               with(Count{Default: 1, Most: 1}),
		"parameter 0 is nil":         with(nil),
		"1 <= Default <= Most":       with(Count{Name: "by", Default: 10, Most: 9}),
		"Small in between":           with(Count{Name: "by", Default: 3, Small: 10, Most: 9}),
		"1ns <= Default":             with(Span{Name: "by", Most: time.Second}),
		"0s <= Default":              with(Span{Name: "by", Default: 2 * time.Second, Most: time.Second, Zero: true}),
		"at least two names":         with(Choice{Name: "by", Of: []string{"a"}, Default: "a"}),
		"Default and Small among":    with(Choice{Name: "by", Of: []string{"a", "b"}}),
		"and Small among":            with(Choice{Name: "by", Of: []string{"a", "b"}, Default: "a", Small: "c"}),
		"two choices are called a":   with(Choice{Name: "by", Of: []string{"a", "a"}, Default: "a"}),
		`choice "1st": want a name`:  with(Choice{Name: "by", Of: []string{"a", "1st"}, Default: "a"}),
		`choice "true": want a name`: with(Choice{Name: "by", Of: []string{"a", "true"}, Default: "a"}),
		"two parameters": func(t *Target[*number]) {
			t.Workloads[0].Params = append(t.Workloads[0].Params, t.Workloads[0].Params[0])
		},
		"want Judge": func(t *Target[*number]) { t.Oracles = make([]Oracle[*number], 1) },
	} {
		target := numbers()
		spoil(&target)
		if err := target.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want something of %q", err, want)
		}
	}
	good := numbers()
	if err := good.check(); err != nil {
		t.Error(err)
	}
}

func TestPointsOfASubject(t *testing.T) {
	s := Subject{Packages: []string{"queue", "a/b"}}
	for point, want := range map[string]bool{"queue/x": true, "a/b/x": true, "queues/x": false, "queue": false, "a/x": false} {
		if s.Owns(point) != want {
			t.Errorf("%s: %t", point, !want)
		}
	}
	if all := (&Subject{}); !all.Owns("what/ever") {
		t.Error("a subject that names no package has not all points")
	}
}

// TestParamOfAnotherKind: asking for one is a defect of the program.
func TestParamOfAnotherKind(t *testing.T) {
	v := NewValues([]Param{
		Count{Name: "count", Default: 4, Most: 9}, Span{Name: "span", Most: 1, Zero: true},
		Choice{Name: "choice", Of: []string{"first", "last"}, Default: "first"}, Switch{Name: "switch"},
	}, nil, "", false)
	for want, ask := range map[string]func(){
		"no subject.Count called span":    func() { v.Count("span") },
		"no subject.Span called count":    func() { v.Span("count") },
		"no subject.Choice called swich":  func() { v.Choice("swich") },
		"no subject.Switch called choice": func() { v.Switch("choice") },
	} {
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, want) {
					t.Errorf("%s, want %s", p, want)
				}
			}()
			ask()
		}()
	}
}

// TestFindingsAreBounded: what each of many jobs sees is not reported by all of them.
func TestFindingsAreBounded(t *testing.T) {
	var x Execution
	for range 10 * maxFindings {
		x.Fail(verdict.Invariant, "again")
	}
	if n := len(x.Findings()); n != maxFindings {
		t.Errorf("%d findings, want %d", n, maxFindings)
	}
}

// TestExecutionSeed holds the seeds fast: a change makes every recording and
// every journal of the past worthless.
func TestExecutionSeed(t *testing.T) {
	for _, c := range []struct {
		campaign uint64
		scenario string
		n        int
		want     uint64
	}{
		{0, "", 0, 0x568a9b0b1a2c05ec},
		{1, "window-registered", 0, 0xcd3340e730b851be},
		{1, "window-registered", 1, 0x18cc8a29c1869b36},
		{1 << 63, "window-fenced", 1_000_000, 0x2641ed64985754a1},
	} {
		if got := Seed(c.campaign, c.scenario, c.n); got != c.want {
			t.Errorf("Seed(%d, %q, %d) = %#x, want %#x", c.campaign, c.scenario, c.n, got, c.want)
		}
	}
}

func TestExecutionSeedsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for campaign := range uint64(20) {
		for _, name := range []string{"a", "b", "ab", "ba"} {
			for n := range 200 {
				seen[Seed(campaign, name, n)] = true
			}
		}
	}
	if len(seen) != 20*4*200 {
		t.Errorf("%d different seeds of %d", len(seen), 20*4*200)
	}
}
