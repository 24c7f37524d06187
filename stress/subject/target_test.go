package subject

import (
	"strings"
	"testing"
	"time"
)

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
