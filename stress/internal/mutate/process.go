package mutate

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// An ending is how a process has ended.
type ending struct {
	code   int // exit code; -1 if a signal ended it
	status string
	late   bool // it did not end in time
	output string
	took   time.Duration
}

// runTests runs some tests, each count times, until one fails.
func (s *session) runTests(ctx context.Context, p *pkg, binary string, all []*test, dir string, limit time.Duration, count int, more ...string) (ending, error) {
	var names []string
	for _, t := range all {
		names = append(names, regexp.QuoteMeta(t.name))
	}
	args := append([]string{"-test.paniconexit0", "-test.failfast", "-test.timeout=" + limit.String(), "-test.count=" + strconv.Itoa(count),
		"-test.run=^(" + strings.Join(names, "|") + ")$"}, more...)
	if s.Build.Short {
		args = append(args, "-test.short")
	}
	return s.runBinary(ctx, p, binary, dir, limit+grace, args...)
}

// raceOptions are the user's, and a process does not wait a second before it ends.
func raceOptions() string {
	return strings.TrimSpace("atexit_sleep_ms=0 " + os.Getenv(wire.RaceVariable))
}

// runBinary runs a test binary as go test does, with a folder of its own for temporary files.
func (s *session) runBinary(ctx context.Context, p *pkg, binary, dir string, limit time.Duration, args ...string) (ending, error) {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := process.Command(within, binary, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "PWD="+p.dir, "TMPDIR="+dir, wire.RaceVariable+"="+raceOptions())
	return s.end(ctx, within, cmd)
}

// end runs a command of two contexts: within has a time limit.
func (s *session) end(ctx, within context.Context, cmd *exec.Cmd) (ending, error) {
	var output process.Ends
	cmd.Stdout, cmd.Stderr = &output, &output
	start := time.Now()
	err := s.guard.Run(cmd)
	e := ending{took: max(time.Since(start), 1), output: strings.TrimSpace(output.String()), late: within.Err() != nil}
	switch {
	case ctx.Err() != nil:
		return e, context.Cause(ctx)
	case cmd.ProcessState == nil:
		return e, fmt.Errorf("%s cannot be started: %w", cmd.Path, err)
	}
	e.code, e.status = cmd.ProcessState.ExitCode(), fmt.Sprintf("exit code %d", cmd.ProcessState.ExitCode())
	if signal := process.Signal(cmd); signal != "" {
		e.status = "signal: " + signal
	}
	return e, nil
}

var (
	failLine    = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)
	messageLine = regexp.MustCompile(`(?m)^ +\S+\.go:\d+: (.+)$`)
	runningLine = regexp.MustCompile(`running tests:\n\t+(\S+) \(`)
	stackLine   = regexp.MustCompile(`(?m)^\S+\.(Test\w+|Fuzz\w+|Example\w*)\(`)
)

// running is the test that ran when the time was up; "" if that is not known.
func running(output string) string {
	if m := runningLine.FindStringSubmatch(output); m != nil {
		top, _, _ := strings.Cut(m[1], "/")
		return top
	}
	return ""
}

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
		if m := stackLine.FindStringSubmatch(output); m != nil && by == "" {
			by = m[1]
		}
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
