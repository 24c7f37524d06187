//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package private

import (
	"errors"
	"os"
	"syscall"
)

func lock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return ErrHeld
		}
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
