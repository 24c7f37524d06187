package run

import (
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// raceExit is the exit code of a process in which the race detector reported.
const raceExit = 66

// Judge returns the outcome of an execution that ended its process. It returns nil if the child has
// reported all results itself, and an error if the subject did not cause the end.
func (e Ending) Judge(timeout time.Duration) (*outcome.Result, error) {
	switch {
	case e.Done:
		return nil, nil
	case e.last == nil:
		return nil, fmt.Errorf("a child process ended before its first execution, or between two: %s%s", e.status(), e.firstLine())
	}
	r := &outcome.Result{Execution: e.last.Execution, Seed: e.last.Seed, Setting: e.last.Setting, Goroutines: e.output}
	switch {
	case e.timedOut:
		r.Verdict = verdict.Timeout
		r.Summary = fmt.Sprintf("not done after %v, and the watchdog in its process did not report", timeout)
		if e.stopped {
			r.Summary = fmt.Sprintf("not done after %v", timeout) + process.ByStop
		}
	case outcome.Raced(e.output) || e.code == raceExit:
		r.Verdict = verdict.DataRace
		r.Summary, r.Explanation = outcome.RaceOf(e.output)
	case e.signal != "":
		return nil, fmt.Errorf("a child process was ended from outside in execution %d: %s%s",
			e.last.Execution, e.status(), e.firstLine())
	default:
		r.Summary, r.Explanation = outcome.PanicOf(e.output)
		r.Verdict = verdict.OfPanic(r.Summary)
		if r.Summary == "" {
			r.Summary = "the process ended in the middle of the execution: " + e.status()
		}
	}
	return r, nil
}

func (e Ending) status() string {
	if e.signal != "" {
		return "signal: " + e.signal
	}
	return fmt.Sprintf("exit code %d", e.code)
}

// firstLine returns the first line that the child wrote to standard error, for a message.
func (e Ending) firstLine() string {
	first, _, _ := strings.Cut(strings.TrimSpace(e.output), "\n")
	if first == "" {
		return ""
	}
	return "; it wrote: " + first
}
