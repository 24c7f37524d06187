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

// running returns the test that ran when the process was ended, or "" if that is not known.
func running(output string) string {
	if m := runningLine.FindStringSubmatch(output); m != nil {
		top, _, _ := strings.Cut(m[1], "/")
		return top
	}
	return onStack(output)
}

// onStack returns the first test that has a stack, or "" if there is none.
func onStack(output string) string {
	if m := stackLine.FindStringSubmatch(output); m != nil {
		return m[1]
	}
	return ""
}

// allWait reports whether each goroutine of a dump waits for another one. Some may wait for a timer instead,
// which a dump does not show.
func allWait(output string) bool {
	all := goroutines.Parse(output)
	return len(all) > 0 && !slices.ContainsFunc(all, goesOn)
}

// goesOn reports whether a goroutine can continue by itself. The alarm of package testing does not count, nor
// does the goroutine that waits for signals.
func goesOn(g goroutines.Goroutine) bool {
	return (g.Ready() || slices.Contains(ends, g.State)) && !strings.Contains(g.Stack, "testing.(*M).startAlarm.") && !strings.Contains(g.Stack, "os/signal.signal_recv(")
}

// ends lists states that end by themselves.
var ends = []string{"sleep", "IO wait", "syscall", "preempted"}

// failure returns which test has failed, and why, in a line.
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

// mostWhat is the maximum length of a failure's reason.
const mostWhat = 120

func clip(text string) string {
	if runes := []rune(text); len(runes) > mostWhat {
		return string(runes[:mostWhat-3]) + "..."
	}
	return text
}
