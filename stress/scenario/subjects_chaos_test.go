//go:build chaos

package scenario

import (
	"testing"

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

// TestPoolAmongOthers: its scenarios are known by their key pool, and so are recordings.
func TestPoolAmongOthers(t *testing.T) {
	const file = `version: 1
scenarios:
  - {name: a, about: For this test., pool: {workers: [1]}, workload: inject, expect: pass}
  - {name: b, about: For this test., workload: add, expect: pass}
`
	scenarios, err := Load("f.yaml", []byte(file), numbers().Subject(), poolSubject())
	if err != nil {
		t.Fatal(err)
	}
	if scenarios[0].Subject != "pool" || scenarios[1].Subject != "number" {
		t.Errorf("of %q and %q", scenarios[0].Subject, scenarios[1].Subject)
	}
}
