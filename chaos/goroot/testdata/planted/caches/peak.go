package caches

import "sync/atomic"

// A Peak keeps the greatest value that was observed.
type Peak struct{ max atomic.Int64 }

// Value returns the greatest value.
func (p *Peak) Value() int64 { return p.max.Load() }
