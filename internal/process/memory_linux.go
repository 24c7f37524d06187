package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// Resident returns how much of the machine's memory a child uses, in bytes, or 0 if that is unknown. Processes that
// the child has started do not count.
func Resident(cmd *exec.Cmd) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", cmd.Process.Pid)) // proc(5): size resident ...
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64) // 0 is unknown
	return pages * int64(os.Getpagesize())
}

// machineMemory returns the memory of the machine, or the lower limit of a control group, or 0 if unknown.
func machineMemory() int64 {
	var least int64
	text, _ := os.ReadFile("/proc/meminfo") // without it, the groups may have a limit
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte("MemTotal:")); ok {
			kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(string(rest)), " kB"), 10, 64) // 0 is unknown
			least = kilobytes << 10
		}
	}
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(name)
		if limit, e := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && e == nil && limit > 0 && (least == 0 || limit < least) {
			least = limit
		}
	}
	return least
}
