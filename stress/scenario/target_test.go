package scenario

import (
	"github.com/rouse-go/rouse/stress/subject"
)

// number is the subject of these tests.
type number struct{ n int }

func numbers() subject.Target[*number] {
	return subject.Target[*number]{
		Name: "number",
		New:  func(*subject.Execution) *number { return new(number) },
		Workloads: []subject.Work[*number]{{
			Name:   "add",
			Params: []subject.Param{subject.Count{Name: "by", Default: 3, Small: 1, Most: 9}},
			Run:    func(x *subject.Execution, s *number) { s.n += x.Count("by") },
		}},
	}
}
