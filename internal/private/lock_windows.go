package private

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock locks a byte beyond the end of any file, because other processes could not read a
// locked byte.
func lock(f *os.File) error { return lockFile(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

func share(f *os.File) error { return lockFile(f, 0) }

func lockFile(f *os.File, flags uint32) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrHeld
	}
	return err
}
