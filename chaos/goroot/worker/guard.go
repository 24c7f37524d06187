package worker

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// guardEvery is how many executions come to one that is repeated; the first two are repeated as well.
const guardEvery = 64

func guarded(n int) bool { return n < 2 || n%guardEvery == 0 }

// guard repeats execution n, which was the last and has passed, and compares. What is done once in a
// process, and not in the first execution, may differ once.
func (s *session) guard(n int, r control.Result) control.Result {
	x, schedule := s.Execution(n), r.Schedule.Clone()
	r.Schedule = schedule
	again, unused := s.Repeat(x, schedule)
	if again.Hash == r.Hash && again.Verdict == r.Verdict && unused.Len() == 0 {
		return r
	}
	first, second := s.Trace(x, schedule), s.Trace(x, schedule)
	if first.Hash == second.Hash && first.Verdict == second.Verdict {
		return second.Result
	}
	r = second.Result
	r.Verdict, r.Effect = verdict.Uncontrolled, verdict.Uncontrolled
	r.Summary = "it took another way when it was repeated: " + explain.Divergence(first.Events, second.Events)
	r.Detail = strings.Join(s.sources(r), "\n")
	if first.Hash == second.Hash { // the operations are the same
		r.Summary = "it took the same way when it was repeated, but the verdict was first " + string(first.Verdict) + " and then " + string(second.Verdict)
	}
	return r
}

// sources lists what the last execution did that nothing controls, a line each.
func (s *session) sources(r control.Result) (lines []string) {
	if r.Outside.Wakes > 0 {
		lines = append(lines, fmt.Sprintf("woken from outside %d times, first: %s", r.Outside.Wakes, r.Outside.First))
	}
	if s.worker.binary.Sources != nil {
		lines = append(lines, s.worker.binary.Sources()...)
	}
	return lines
}
