//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package private

import (
	"errors"
	"os"
	"syscall"
)

func lock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

func share(f *os.File) error { return flock(f, syscall.LOCK_SH) }

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return ErrHeld
		}
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
