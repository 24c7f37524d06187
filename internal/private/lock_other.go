//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package private

import (
	"errors"
	"os"
)

func lock(*os.File) error { return errors.ErrUnsupported }

func share(*os.File) error { return errors.ErrUnsupported }
