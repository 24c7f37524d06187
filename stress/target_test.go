package stress

import (
	"strings"
	"testing"
)

// number is the subject of these tests.
type number struct{ n int }

func numbers() Target[*number] {
	return Target[*number]{
		Name: "number",
		New:  func(*Execution) *number { return new(number) },
		Workloads: []Work[*number]{{
			Name:   "add",
			Params: []Param{{Name: "by", Default: 3, Small: 1, Most: 9}},
			Run:    func(x *Execution, s *number) { s.n += x.Param("by") },
		}},
	}
}

func TestBadTargetsAreRefused(t *testing.T) {
	for want, spoil := range map[string]func(*Target[*number]){
		"name":                 func(t *Target[*number]) { t.Name = "A Number" },
		"want New":             func(t *Target[*number]) { t.New = nil },
		"at least one":         func(t *Target[*number]) { t.Workloads = nil },
		`workload ""`:          func(t *Target[*number]) { t.Workloads[0].Name = "" },
		"two workloads":        func(t *Target[*number]) { t.Workloads = append(t.Workloads, t.Workloads[0]) },
		"want Run":             func(t *Target[*number]) { t.Workloads[0].Run = nil },
		`parameter ""`:         func(t *Target[*number]) { t.Workloads[0].Params[0].Name = "" },
		"1 <= Default <= Most": func(t *Target[*number]) { t.Workloads[0].Params[0].Default = 10 },
		"Small among them":     func(t *Target[*number]) { t.Workloads[0].Params[0].Small = 10 },
		"two parameters": func(t *Target[*number]) {
			t.Workloads[0].Params = append(t.Workloads[0].Params, t.Workloads[0].Params[0])
		},
		"want Judge": func(t *Target[*number]) { t.Oracles = make([]Judgement[*number], 1) },
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

func TestSubjectsAreDistinct(t *testing.T) {
	if distinct([]Subject{Pool(), numbers().Subject()}) != nil {
		t.Error("two subjects with different names are refused")
	}
	if distinct([]Subject{Pool(), Pool()}) == nil {
		t.Error("two subjects with one name are not refused")
	}
	if distinct(nil) == nil {
		t.Error("no subject is not refused")
	}
}

func TestPointsOfASubject(t *testing.T) {
	s := Subject{Packages: []string{"queue", "a/b"}}
	for point, want := range map[string]bool{"queue/x": true, "a/b/x": true, "queues/x": false, "queue": false, "a/x": false} {
		if s.has(point) != want {
			t.Errorf("%s: %t", point, !want)
		}
	}
	if all := (&Subject{}); !all.has("what/ever") {
		t.Error("a subject that names no package has not all points")
	}
}
