//go:build !linux

package rows

import "errors"

// A Quota is nothing here: see that of Linux.
type Quota struct{ Missing string }

// OpenQuota says why there is none.
func OpenQuota() Quota { return Quota{Missing: "Linux has it"} }

func (q Quota) enter(int) error { return errors.New(q.Missing) }

// Close has nothing to do.
func (q Quota) Close() error { return nil }
