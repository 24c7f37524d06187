package run

import (
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/stress/subject"
)

// racySubject adds up in two tasks without synchronisation. Control cannot interrupt it between its reads
// and writes.
var racySubject = subject.Target[*int]{
	Name: "racy",
	New:  func(*subject.Execution) *int { return new(int) },
	Workloads: []subject.Work[*int]{{
		Name:   "add",
		Params: []subject.Param{subject.Count{Name: "times", Default: 1_000_000, Small: 3, Most: 10_000_000}},
		Run: func(x *subject.Execution, sum *int) {
			var done sync.WaitGroup
			n := x.Count("times")
			done.Add(2)
			for range 2 {
				go hooks.Task(func() {
					defer done.Done()
					for range n {
						*sum++
					}
				})()
			}
			done.Wait()
			if *sum != 2*n {
				x.Fail(verdict.WrongResult, "the sum is %d, want %d", *sum, 2*n)
			}
		},
	}},
}.Subject()
