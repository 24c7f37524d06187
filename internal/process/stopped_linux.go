package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
)

// ByStop is the text in reports on a silent child for which Stopped returns true.
const ByStop = ", since a signal has stopped the process"

// Stopped reports whether the child is stopped, by SIGSTOP or a debugger.
func Stopped(cmd *exec.Cmd) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	at := bytes.LastIndexByte(stat, ')') // "pid (name) state ..."
	return err == nil && at >= 0 && len(stat) > at+2 && (stat[at+2] == 'T' || stat[at+2] == 't')
}
