package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
