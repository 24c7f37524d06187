package native

import (
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/chaos/internal/racing"
	"github.com/rouse-go/rouse/internal/seam"
)

// A gate counts the visits of a point that are over, for those who are held until there
// is one more.
type gate struct{ passages atomic.Uint64 }

// gate returns the point's, for newInjector.
func (in *injector) gate(p *seam.Point) *gate {
	for p.Index >= len(in.gates) {
		in.gates = append(in.gates, nil)
	}
	if in.gates[p.Index] == nil {
		in.gates[p.Index] = new(gate)
	}
	return in.gates[p.Index]
}

// pass counts a visit that is over.
//
//go:norace
func (g *gate) pass() {
	racing.Hide()
	g.passages.Add(1)
	racing.Show()
}

// passed returns how many visits are over.
//
//go:norace
func (g *gate) passed() uint64 {
	racing.Hide()
	n := g.passages.Load()
	racing.Show()
	return n
}

// A goroutine that is held looks whether it may go on, in periods that grow from the
// shortest sleep that a timer serves to what costs nothing for a second.
const (
	firstPeek = 20 * time.Microsecond
	lastPeek  = time.Millisecond
)

// hold returns when f's other point has been passed, or f's limit is over, or at most
// a millisecond after the engine was disarmed. Whoever passes must not wait, or it would
// be delayed by those it lets go: so they look for themselves. (And see sleep for what a
// channel would tell the race detector.)
//
//go:norace
func (in *injector) hold(f *fault) {
	seen := f.until.passed()
	in.enterDelay()
	begin, peek := time.Now(), firstPeek
	for f.until.passed() == seen {
		left := f.limit - time.Since(begin)
		if left <= 0 || in.isDisarmed() {
			f.expire()
			break
		}
		time.Sleep(min(left, peek))
		peek = min(2*peek, lastPeek)
	}
	in.leaveDelay()
}

// expire counts a hold that nobody ended.
//
//go:norace
func (f *fault) expire() {
	racing.Hide()
	f.expired.Add(1)
	racing.Show()
}

// expiries returns how many there were.
//
//go:norace
func (f *fault) expiries() uint64 {
	racing.Hide()
	n := f.expired.Load()
	racing.Show()
	return n
}
