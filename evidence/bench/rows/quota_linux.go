package rows

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Quota is a control group of Linux whose processes may together use quotaCPUs processors.
type Quota struct {
	Missing string // why there is no group
	folder  string
}

// quotaPeriod is Linux's default, in us.
const quotaPeriod = 100_000

// OpenQuota makes a control group below that of this process, of version 2 or 1. This takes
// permission, which root has, except in many containers. Close removes the group.
func OpenQuota() Quota {
	limit := int(quotaCPUs * quotaPeriod)
	two := "/sys/fs/cgroup" + ownGroup("")
	write(two, "cgroup.subtree_control", "+cpu") //nolint:errcheck // it may be on already, or not ours to set
	folder, errTwo := makeGroup(two, "cpu.max", fmt.Sprintf("%d %d", limit, quotaPeriod))
	if errTwo == nil {
		return Quota{folder: folder}
	}
	folder, errOne := makeGroup("/sys/fs/cgroup/cpu"+ownGroup("cpu"), "cpu.cfs_quota_us", fmt.Sprint(limit))
	if errOne == nil {
		return Quota{folder: folder}
	}
	return Quota{Missing: fmt.Sprintf("no CPU quota can be set here: %v; %v", errTwo, errOne)}
}

// makeGroup makes a control group that has its limit in a file.
func makeGroup(parent, file, limit string) (string, error) {
	if _, err := os.Stat(filepath.Join(parent, "cgroup.procs")); err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(parent, "peers-")
	if err != nil {
		return "", err
	}
	if err := write(folder, file, limit); err != nil {
		os.Remove(folder)
		return "", err
	}
	return folder, nil
}

// write writes to a file of a control group that exists.
func write(folder, file, content string) error {
	f, err := os.OpenFile(filepath.Join(folder, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// ownGroup returns the path of this process's group of a controller; "" is version 2's.
func ownGroup(controller string) string {
	lines, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(lines)) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, path, _ := strings.Cut(rest, ":")
		for c := range strings.SplitSeq(controllers, ",") {
			if c == controller {
				return strings.TrimSuffix(path, "/")
			}
		}
	}
	return ""
}

// enter puts a process into the group.
func (q Quota) enter(pid int) error {
	return write(q.folder, "cgroup.procs", fmt.Sprint(pid))
}

// Close removes the group, whose processes have ended.
func (q Quota) Close() error {
	if q.folder == "" {
		return nil
	}
	return os.Remove(q.folder)
}
