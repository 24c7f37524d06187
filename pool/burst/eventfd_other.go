//go:build !linux

package burst

import (
	"errors"
	"fmt"
	"runtime"
)

// An eventfd is something that Linux has.
type eventfd struct{}

func newEventfd() (*eventfd, error) {
	return nil, fmt.Errorf("burst: thread receivers sleep on an eventfd, which %s has not: %w", runtime.GOOS, errors.ErrUnsupported)
}

func (*eventfd) wait()   {}
func (*eventfd) signal() {}
func (*eventfd) close()  {}
