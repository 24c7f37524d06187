//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package stress

import (
	"errors"
	"os"
	"syscall"
)

// lockFolder keeps other campaigns from writing their journal there, until unlock is
// called or the process has ended, however it ends. A file system that has no such locks
// goes without.
func lockFolder(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close() //nolint:errcheck // nothing was written
		return nil, errLocked
	}
	return func() { f.Close() }, nil //nolint:errcheck // likewise
}
