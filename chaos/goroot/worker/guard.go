package worker

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/evidence"
)

// One in guardEvery executions is repeated; the first two are repeated as well.
const guardEvery = 64

func guarded(n int) bool { return n < 2 || n%guardEvery == 0 }

// Executions up to guardSources are repeated if they have met something out of control. So whether a test is
// uncontrolled hardly depends on which executions are among the others.
const guardSources = 256

// metSource reports whether execution n, the last one, has done something that need not repeat.
func (s *session) metSource(n int, r control.Result) (met bool) {
	if n >= guardSources || s.worker.binary.Uncontrolled == nil {
		return false
	}
	s.worker.binary.Uncontrolled(func(what string, times int) { met = met || times > 0 && evidence.Withdraws(what) })
	return met || r.Outside.Wakes > 0
}

// metOutside reports whether the last execution has met something that control does not decide.
func (s *session) metOutside(r control.Result) (met bool) {
	if s.worker.binary.Uncontrolled != nil {
		s.worker.binary.Uncontrolled(func(_ string, times int) { met = met || times > 0 })
	}
	return met || r.Outside.Wakes > 0
}

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
	s.differed = true
	r.Verdict, r.Effect = verdict.Uncontrolled, verdict.Uncontrolled
	r.Summary = "it took another way when it was repeated: " + explain.Divergence(explain.Way(first.Events), explain.Way(second.Events))
	r.Detail = s.outside(r)
	if first.Hash == second.Hash { // the operations are the same
		r.Summary = "it took the same way when it was repeated, but the verdict was first " + string(first.Verdict) + " and then " + string(second.Verdict)
	}
	return r
}

// outside describes what the last execution did that nothing controls, and what to do about it.
func (s *session) outside(r control.Result) string {
	return strings.Join(append(s.sources(r), s.advice(r)), "\n")
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

// advice returns what to do about a test that is uncontrolled, by what its last execution did.
func (s *session) advice(r control.Result) string {
	met := map[string]bool{evidence.Woken: r.Outside.Wakes > 0}
	if s.worker.binary.Uncontrolled != nil {
		s.worker.binary.Uncontrolled(func(what string, times int) { met[what] = times > 0 })
	}
	var all []string
	for _, a := range advice {
		if met[a.cause] {
			all = append(all, a.text)
		}
	}
	if len(all) == 0 && !s.first {
		all = append(all, "nothing that is known to be out of control was met: package variables that keep their values, perhaps")
	}
	return helps(all...)
}

// helps returns the line of what may help.
func helps(all ...string) string {
	return "what may help: " + strings.Join(append(all, "--native, which controls nothing"), "; ")
}

// advice lists what takes a cause away.
var advice = []struct{ cause, text string }{
	{evidence.Woken, "httptest.NewRecorder or net.Pipe in place of a connection, io.Pipe in place of a pipe or a process"},
	{evidence.Iteration, "keys of maps that are no pointers, or a slice beside the map"},
	{evidence.Pointless, "a fake in place of what polls, waits for a process or calls C"},
	{evidence.Collection, "no runtime.GC in the test"},
	{evidence.Background, "a goroutine that the test starts in place of one of package initialisation or TestMain"},
	{evidence.Mapping, "reads and writes of the file in place of a mapping"},
	{evidence.ProcessID, "a number of the test's own in place of os.Getpid"},
	{evidence.SystemCall, "a fake in place of what is outside of the process"},
}
