package mutate

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// An ending describes how a process has ended.
type ending struct {
	code   int // exit code; -1 if a signal ended it
	status string
	late   bool // it did not end in time
	idle   bool // it was ended because it had not run for a long time
	output string
	took   time.Duration
}

// A patience is how long to wait for a process: at most, and while it does not run; idle 0 ignores whether it
// runs.
type patience struct{ most, idle time.Duration }

// runTests runs some tests, each count times, until one fails.
func (s *session) runTests(ctx context.Context, p *pkg, binary string, all []*test, dir string, wait patience, count int, more ...string) (ending, error) {
	var names []string
	for _, t := range all {
		names = append(names, regexp.QuoteMeta(t.name))
	}
	args := append([]string{"-test.paniconexit0", "-test.failfast", "-test.timeout=" + wait.most.String(), "-test.count=" + strconv.Itoa(count),
		"-test.run=^(" + strings.Join(names, "|") + ")$"}, more...)
	if s.Build.Short {
		args = append(args, "-test.short")
	}
	wait.most += grace
	return s.runBinary(ctx, p, binary, dir, wait, args...)
}

// raceOptions returns the user's options, with one that keeps a process from waiting a second before it ends.
func raceOptions() string {
	return strings.TrimSpace("atexit_sleep_ms=0 " + os.Getenv(wire.RaceVariable))
}

// runBinary runs a test binary as go test does, with a folder of its own for temporary files.
func (s *session) runBinary(ctx context.Context, p *pkg, binary, dir string, wait patience, args ...string) (ending, error) {
	within, cancel := context.WithTimeout(ctx, wait.most)
	defer cancel()
	cmd := process.Command(within, binary, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "PWD="+p.dir, "TMPDIR="+dir, wire.RaceVariable+"="+raceOptions())
	return s.end(ctx, within, cmd, wait.idle)
}

// end runs a command of two contexts: within has a time limit. If idle is not 0, a command that has not run
// for idle is interrogated, which ends it.
func (s *session) end(ctx, within context.Context, cmd *exec.Cmd, idle time.Duration) (ending, error) {
	var output process.Ends
	cmd.Stdout, cmd.Stderr = &output, &output
	start, wasIdle, tooLarge := time.Now(), false, false
	err := s.guard.RunWatched(cmd, func(ended <-chan struct{}) {
		var watched sync.WaitGroup
		defer watched.Wait()
		watched.Go(func() { tooLarge = process.EndAbove(cmd, s.Memory, ended) })
		if idle > 0 {
			wasIdle = interrogateIdle(cmd, idle, ended)
		}
	})
	e := ending{idle: wasIdle, took: max(time.Since(start), 1), output: strings.TrimSpace(output.String()), late: within.Err() != nil}
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
	if tooLarge {
		e.status = "it used more than " + prose.Bytes(s.Memory) + " of memory"
	}
	return e, nil
}
