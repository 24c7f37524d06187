package process

import (
	"os/exec"
	"time"
)

// MemoryTick is the interval at which EndAbove, and others that bound a child's memory, check it.
const MemoryTick = 100 * time.Millisecond

// Share returns how much memory each of the given number of processes may use, in bytes, so that together they leave a
// quarter of the machine's memory or of the container's limit. It returns 0 if that is unknown.
func Share(processes int) int64 { return machineMemory() / 4 * 3 / int64(max(processes, 1)) }

// EndAbove kills a child and its group when the child uses more memory than the limit, in bytes; 0 is no limit. It
// returns when the child has ended, and reports whether it killed the child.
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
