package scenario

import (
	"testing"

	"github.com/rouse-go/rouse/stress/internal/command"
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

func TestSubjectsAreDistinct(t *testing.T) {
	if command.Distinct([]subject.Subject{poolSubject(), numbers().Subject()}) != nil {
		t.Error("two subjects with different names are refused")
	}
	if command.Distinct([]subject.Subject{poolSubject(), poolSubject()}) == nil {
		t.Error("two subjects with one name are not refused")
	}
	if command.Distinct(nil) == nil {
		t.Error("no subject is not refused")
	}
}
