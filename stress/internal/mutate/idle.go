package mutate

import (
	"os/exec"
	"time"

	"github.com/rouse-go/rouse/internal/process"
)

const (
	// leastIdle is how long tests are waited for that do not run, though they take less without a mutant.
	leastIdle = 2 * time.Second
	// idleTick is how often the threads of a process are looked at.
	idleTick = 250 * time.Millisecond
)

// idleLimit is how long tests that take so long without a mutant are waited for while they do not run.
func idleLimit(took time.Duration) time.Duration { return max(leastIdle, 3*took) }

// interrogateIdle ends a process when none of its threads has run for so long, with a dump of its goroutines.
// It reports whether it did; it returns when the process has ended.
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
