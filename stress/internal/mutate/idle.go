package mutate

import (
	"os/exec"
	"time"

	"github.com/rouse-go/rouse/internal/process"
)

const (
	// leastIdle is the least time to wait for tests that do not run, though they take less without a mutant.
	leastIdle = 2 * time.Second
	// idleTick is the interval at which the threads of a process are checked.
	idleTick = 250 * time.Millisecond
)

// idleLimit returns how long to wait for tests that do not run, if they take took without a mutant.
func idleLimit(took time.Duration) time.Duration { return max(leastIdle, 3*took) }

// interrogateIdle ends a process, with a dump of its goroutines, when none of its threads has run for limit.
// It returns when the process has ended, and reports whether it ended it.
func interrogateIdle(cmd *exec.Cmd, limit time.Duration, ended <-chan struct{}) bool {
	ticks := time.NewTicker(idleTick)
	defer ticks.Stop()
	last, since := "", time.Now()
	for {
		select {
		case <-ended:
			return false
		case <-ticks.C:
		}
		schedules, asleep := process.Asleep(cmd)
		if !asleep || schedules != last {
			last, since = schedules, time.Now()
		} else if time.Since(since) >= limit {
			break
		}
	}
	process.Interrogate(cmd)
	select {
	case <-ended:
	case <-time.After(grace):
		process.Kill(cmd)
		<-ended
	}
	return true
}
