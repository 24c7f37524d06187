//go:build !linux

package rows

import "errors"

// A Quota is unsupported on this system: see the one for Linux.
type Quota struct{ Missing string }

// OpenQuota returns a Quota that is missing.
func OpenQuota() Quota { return Quota{Missing: "Linux has it"} }

func (q Quota) enter(int) error { return errors.New(q.Missing) }

// Close does nothing.
func (q Quota) Close() error { return nil }
