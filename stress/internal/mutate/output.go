package mutate

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/internal/goroutines"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

var (
	failLine    = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)
	messageLine = regexp.MustCompile(`(?m)^ +\S+\.go:\d+: (.+)$`)
	runningLine = regexp.MustCompile(`running tests:\n\t+(\S+) \(`)
	stackLine   = regexp.MustCompile(`(?m)^\S+\.(Test\w+|Fuzz\w+|Example\w*)\(`)
)

// running is the test that ran when the process was ended; "" if that is not known.
func running(output string) string {
	if m := runningLine.FindStringSubmatch(output); m != nil {
		top, _, _ := strings.Cut(m[1], "/")
		return top
	}
	return onStack(output)
}

// onStack is the first test that has a stack; "" if there is none.
func onStack(output string) string {
	if m := stackLine.FindStringSubmatch(output); m != nil {
		return m[1]
	}
	return ""
}

// allWait reports whether each goroutine of a dump waits for another one. One of them may wait for a timer
// nevertheless: that cannot be seen.
func allWait(output string) bool {
	all := goroutines.Parse(output)
	return len(all) > 0 && !slices.ContainsFunc(all, goesOn)
}

// goesOn reports whether a goroutine goes on by itself. That of the alarm of package testing does not, nor
// does the one that waits for signals.
func goesOn(g goroutines.Goroutine) bool {
	return (g.Ready() || slices.Contains(ends, g.State)) && !strings.Contains(g.Stack, "testing.(*M).startAlarm.") && !strings.Contains(g.Stack, "os/signal.signal_recv(")
}

// ends are states that end by themselves.
var ends = []string{"sleep", "IO wait", "syscall", "preempted"}

// failure says which test has failed, and why, in a line.
func failure(output, status string) (by, what string) {
	if m := failLine.FindStringSubmatch(output); m != nil {
		by, _, _ = strings.Cut(m[1], "/")
	}
	crash, _ := outcome.PanicOf(output)
	switch {
	case outcome.Raced(output):
		what = "data race"
	case crash != "":
		what = crash
		by = cmp.Or(by, onStack(output))
	default:
		what = status
		if m := messageLine.FindStringSubmatch(output); m != nil {
			what = m[1]
		} else if first, _, _ := strings.Cut(output, "\n"); first != "" {
			what = first
		}
	}
	return by, clip(what)
}

// mostWhat is how long the reason of a failure may be.
const mostWhat = 120

func clip(text string) string {
	if runes := []rune(text); len(runes) > mostWhat {
		return string(runes[:mostWhat-3]) + "..."
	}
	return text
}
