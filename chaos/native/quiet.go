package native

import (
	"sync/atomic"

	"github.com/rouse-go/rouse/internal/racing"
)

// A quietCount is a counter that creates no edge for the race detector.
type quietCount struct{ n atomic.Int64 }

//go:norace
func (c *quietCount) add(d int64) {
	racing.Hide()
	c.n.Add(d)
	racing.Show()
}

//go:norace
func (c *quietCount) value() int64 {
	racing.Hide()
	n := c.n.Load()
	racing.Show()
	return n
}

// A quietFlag is set once, and creates no edge for the race detector.
type quietFlag struct{ b atomic.Bool }

//go:norace
func (f *quietFlag) set() {
	racing.Hide()
	f.b.Store(true)
	racing.Show()
}

//go:norace
func (f *quietFlag) isSet() bool {
	racing.Hide()
	set := f.b.Load()
	racing.Show()
	return set
}
