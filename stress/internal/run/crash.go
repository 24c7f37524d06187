package run

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// raceExit is the exit code of a process in which the race detector reported.
const raceExit = 66

// Judge returns the outcome of an execution that ended its process. It returns nil if the child has
// reported all results itself, and an error if the end is not the subject's doing.
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
	case e.raced || e.code == raceExit:
		r.Verdict = verdict.DataRace
		r.Summary, r.Explanation = raceOf(e.output)
	case e.signal != "":
		return nil, fmt.Errorf("a child process was ended from outside in execution %d: %s%s",
			e.last.Execution, e.status(), e.firstLine())
	default:
		r.Summary, r.Explanation = panicOf(e.output)
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

// firstLine is the first line that the child wrote to standard error, for a message.
func (e Ending) firstLine() string {
	first, _, _ := strings.Cut(strings.TrimSpace(e.output), "\n")
	if first == "" {
		return ""
	}
	return "; it wrote: " + first
}

var panicLine = regexp.MustCompile(`(?m)^(panic|fatal error): .*$`)

// panicOf finds in the output of a crashed process what the panic was, and where.
func panicOf(output string) (summary string, explanation []string) {
	at := panicLine.FindStringIndex(output)
	if at == nil {
		return "", nil
	}
	summary = output[at[0]:at[1]]
	_, stack, found := strings.Cut(output[at[1]:], "\ngoroutine ")
	if !found {
		return summary, nil
	}
	for _, frame := range frames(stack, 4) {
		explanation = append(explanation, "at "+frame)
	}
	return summary, explanation
}

var raceAccess = regexp.MustCompile(`(?m)^(Write|Read|Previous write|Previous read) at 0x[0-9a-f]+ by .*$`)

// raceOf finds the two accesses in the race detector's report.
func raceOf(output string) (summary string, explanation []string) {
	var accesses []string
	for _, at := range raceAccess.FindAllStringIndex(output, 2) {
		kind, _, _ := strings.Cut(output[at[0]:at[1]], " at ")
		place := "unknown code"
		if f := frames(output[at[1]:], 1); len(f) > 0 {
			place = f[0]
		}
		accesses = append(accesses, strings.ToLower(kind)+" in "+place)
	}
	if len(accesses) < 2 {
		return "the race detector reported", nil
	}
	return "data race: " + accesses[0] + ", " + accesses[1], nil
}

var frameLine = regexp.MustCompile(`(?m)^ *([^\s(].*)\(.*\)\n\s+(\S+:\d+)`)

// frames returns the first n frames of the stack at the beginning of text, as "function (file:line)",
// without those of the runtime.
func frames(text string, n int) (found []string) {
	stack, _, _ := strings.Cut(text, "\n\n")
	for _, m := range frameLine.FindAllStringSubmatch(stack, -1) {
		if strings.HasPrefix(m[1], "runtime.") || m[1] == "panic" {
			continue
		}
		if found = append(found, m[1]+" ("+m[2]+")"); len(found) == n {
			break
		}
	}
	return found
}
