package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Asleep reports whether all threads of a child sleep and it has no children of its own. Two calls
// return the same text if no thread has run in between: the text has the number of times that each was
// scheduled. A thread that waits for a processor or a disk does not count as asleep, so a busy machine
// puts none to sleep.
func Asleep(cmd *exec.Cmd) (schedules string, asleep bool) {
	var all strings.Builder
	for _, dir := range threads(cmd.Process.Pid) {
		status, err := os.ReadFile(filepath.Join(dir, "status"))
		children, errChildren := os.ReadFile(filepath.Join(dir, "children"))
		if err != nil || errChildren != nil || len(bytes.TrimSpace(children)) > 0 {
			return "", false
		}
		sleeps := false
		for line := range bytes.Lines(status) { // proc(5)
			name, value, _ := bytes.Cut(line, []byte(":"))
			switch string(name) {
			case "State":
				sleeps = bytes.HasPrefix(bytes.TrimSpace(value), []byte("S"))
			case "Pid", "voluntary_ctxt_switches", "nonvoluntary_ctxt_switches":
				fmt.Fprintf(&all, "%s ", bytes.TrimSpace(value))
			}
		}
		if !sleeps {
			return "", false
		}
	}
	return all.String(), all.Len() > 0
}

// ByStop is the text in reports on a silent child for which Stopped returns true.
const ByStop = ", since a signal has stopped the process"

// Stopped reports whether the child is stopped, by SIGSTOP or a debugger.
func Stopped(cmd *exec.Cmd) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	at := bytes.LastIndexByte(stat, ')') // "pid (name) state ..."
	return err == nil && at >= 0 && len(stat) > at+2 && (stat[at+2] == 'T' || stat[at+2] == 't')
}

// signalBusiest sends a signal to the running thread of a process that has used the most time. It
// reports whether a thread is running.
func signalBusiest(pid int, signal syscall.Signal) bool {
	busiest, most := 0, uint64(0)
	for _, dir := range threads(pid) {
		tid, err := strconv.Atoi(filepath.Base(dir))
		if time, runs := timeOf(dir); err == nil && runs && time >= most {
			busiest, most = tid, time
		}
	}
	if busiest == 0 {
		return false
	}
	_, _, errno := syscall.Syscall(syscall.SYS_TGKILL, uintptr(pid), uintptr(busiest), uintptr(signal))
	return errno == 0
}

// timeOf returns how long a thread has run in user mode, in ticks, and whether it runs now.
func timeOf(dir string) (ticks uint64, runs bool) {
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	at := bytes.LastIndexByte(stat, ')') // "tid (name) state ...": proc(5)
	if err != nil || at < 0 {
		return 0, false
	}
	const state, utime = 0, 11 // counted from the state
	fields := bytes.Fields(stat[at+1:])
	if len(fields) <= utime {
		return 0, false
	}
	ticks, err = strconv.ParseUint(string(fields[utime]), 10, 64)
	return ticks, err == nil && string(fields[state]) == "R"
}

func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }

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
