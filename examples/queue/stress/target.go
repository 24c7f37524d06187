package main

import (
	_ "embed"
	"fmt"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/examples/queue"
	"github.com/rouse-go/rouse/stress/subject"
)

//go:embed scenarios.yaml
var scenarios []byte

// An item has its putter, and its number among the items of that putter.
type item struct {
	putter, number int
	job            subject.Job
}

var target = subject.Target[*queue.Queue[item]]{
	Name:      "queue",
	Packages:  []string{"queue"},
	Scenarios: scenarios,
	New: func(x *subject.Execution) *queue.Queue[item] {
		if x.Choice("conditions") == "one" {
			return queue.NewOneCondition[item](x.Count("capacity"))
		}
		return queue.New[item](x.Count("capacity"))
	},
	Workloads: []subject.Work[*queue.Queue[item]]{{
		Name:  "pass-on",
		About: "Putters put items, takers take them, each its share.",
		Params: []subject.Param{
			subject.Choice{Name: "conditions", About: "number of condition variables for putters and takers; one is the defect", Of: []string{"two", "one"}, Default: "two"},
			subject.Count{Name: "capacity", About: "of the queue", Default: 4, Small: 1, Most: 1000},
			subject.Count{Name: "putters", Default: 3, Small: 2, Most: 100},
			subject.Count{Name: "takers", Default: 3, Small: 2, Most: 100},
			subject.Count{Name: "items", About: "of each putter", Default: 100, Small: 1, Most: 1000},
			subject.Span{Name: "pause", About: "before each, at most", Default: 20 * time.Microsecond, Most: 10 * time.Millisecond, Zero: true},
		},
		Run: passOn,
	}},
	Oracles: []subject.Oracle[*queue.Queue[item]]{{Name: "empty", Judge: func(x *subject.Execution, q *queue.Queue[item]) {
		if s := q.State(); s.Items != 0 || s.Putters+s.Takers != 0 {
			x.Fail(verdict.Invariant, "all items are taken and no task waits, but the state is %+v", s)
		}
	}}},
	State:    func(q *queue.Queue[item]) string { return fmt.Sprintf("queue: %+v", q.State()) },
	Diagnose: diagnose,
}

// passOn: Execution.Jobs checks that each item is taken once, and the takers check that the items of
// one putter come in order.
func passOn(x *subject.Execution, q *queue.Queue[item]) {
	putters, takers, items := x.Count("putters"), x.Count("takers"), x.Count("items")
	most := x.Span("pause")
	for p := range putters {
		name := fmt.Sprint("putter ", p)
		jobs := x.Jobs(name, items)
		x.Go(name, func() {
			r := x.Rand(name)
			for n, job := range jobs {
				x.Pause(r, most)
				q.Put(item{p, n, job})
			}
		})
	}
	for t := range takers {
		share := putters * items / takers
		if t < putters*items%takers {
			share++
		}
		x.Go(fmt.Sprint("taker ", t), func() {
			last := make([]int, putters)
			for range share {
				it := q.Take()
				it.job.Done()
				if it.number < last[it.putter] {
					x.Fail(verdict.WrongResult, "item %d of putter %d comes after its item %d", it.number, it.putter, last[it.putter])
				}
				last[it.putter] = it.number
			}
		})
	}
}

// diagnose distinguishes a lost wakeup from a workload that waits for items that never come.
func diagnose(q *queue.Queue[item], _ subject.Stuck) *subject.Diagnosis {
	s := q.State()
	switch {
	case s.Items > 0 && s.Takers > 0:
		return &subject.Diagnosis{
			Verdict: verdict.LostWakeup, Posts: []string{"queue/put-pushed"},
			Summary: fmt.Sprintf("takers wait, though the queue has items: %d wait for %d", s.Takers, s.Items),
		}
	case s.Items < s.Capacity && s.Putters > 0:
		return &subject.Diagnosis{
			Verdict: verdict.LostWakeup, Posts: []string{"queue/take-taken"},
			Summary: fmt.Sprintf("putters wait, though the queue has room: %d wait, there is room for %d", s.Putters, s.Capacity-s.Items),
		}
	}
	return nil
}
