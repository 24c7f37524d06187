package process

import (
	"os/exec"
	"time"
)

// MemoryTick is how often EndAbove, and others that bound a child's memory, look at it.
const MemoryTick = 100 * time.Millisecond

// Share is how much memory each of some processes may use, in bytes, so that all of them leave a quarter of the
// machine's, or of what a container may use; 0 if that is unknown.
func Share(processes int) int64 { return machineMemory() / 4 * 3 / int64(max(processes, 1)) }

// EndAbove kills a child and its group when it uses more memory than the limit, in bytes; 0 is no limit. It returns
// when the child has ended, and reports whether it has killed it.
func EndAbove(cmd *exec.Cmd, limit int64, ended <-chan struct{}) bool {
	ticks := time.NewTicker(MemoryTick)
	defer ticks.Stop()
	for {
		select {
		case <-ended:
			return false
		case <-ticks.C:
		}
		if limit > 0 && Resident(cmd) > limit {
			Kill(cmd)
			<-ended
			return true
		}
	}
}
