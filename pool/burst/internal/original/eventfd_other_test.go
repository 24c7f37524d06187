//go:build !linux

package original

import "errors"

// newKernelEventfd fails: only Linux has them.
func newKernelEventfd() (eventfd, error) { return nil, errors.ErrUnsupported }
