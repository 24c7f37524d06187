//go:build unix

package stdout

import (
	"os"

	"golang.org/x/sys/unix"
)

// replaced reports whether the file is the one that Go's runtime opens in place of a closed standard
// file (checkfds in runtime/fds_unix.go): the null device, for reading and writing. Shells open it for
// writing only.
func replaced(f *os.File) bool {
	is, err := f.Stat()
	if err != nil {
		return false
	}
	null, err := os.Stat(os.DevNull)
	if err != nil || !os.SameFile(is, null) {
		return false
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
