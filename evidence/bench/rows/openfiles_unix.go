//go:build unix

package rows

import "syscall"

// mostOpenFiles returns the number of files and connections that the process may have.
func mostOpenFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), 1<<30))
}
