package native

import (
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/chaos/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

// A quietCount goes up, and tells the race detector nothing.
type quietCount struct{ n atomic.Uint64 }

//go:norace
func (c *quietCount) add() {
	racing.Hide()
	c.n.Add(1)
	racing.Show()
}

//go:norace
func (c *quietCount) value() uint64 {
	racing.Hide()
	n := c.n.Load()
	racing.Show()
	return n
}

// gate returns the count of the visits of a point that are over, for those who are held
// until there is one more. For newInjector.
func (in *injector) gate(p *seam.Point) *quietCount {
	for p.Index >= len(in.gates) {
		in.gates = append(in.gates, nil)
	}
	if in.gates[p.Index] == nil {
		in.gates[p.Index] = new(quietCount)
	}
	return in.gates[p.Index]
}

// A goroutine that is held looks whether it may go on, in periods that grow from the
// shortest sleep that a timer serves to what costs nothing for a second.
const (
	firstPeek = 20 * time.Microsecond
	lastPeek  = time.Millisecond
)

// hold returns when f's other point has been passed, or f's limit is over, or at most
// a millisecond after f was stopped or the engine disarmed. Whoever passes must not wait, or it would
// be delayed by those it lets go: so they look for themselves. (And see sleep for what a
// channel would tell the race detector.)
//
//go:norace
func (in *injector) hold(f *fault) {
	seen := f.until.value()
	in.enterDelay()
	begin, peek := time.Now(), firstPeek
	for f.until.value() == seen {
		left := f.limit - time.Since(begin)
		if left <= 0 || in.isDisarmed() || f.isStopped() {
			f.expired.add() // nobody ended it
			break
		}
		time.Sleep(min(left, peek))
		peek = min(2*peek, lastPeek)
	}
	in.leaveDelay()
}
