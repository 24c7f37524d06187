package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

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
