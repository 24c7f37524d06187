package native

import (
	"time"

	"github.com/rouse-go/rouse/internal/seam"
)

// gate returns the count of finished visits of a point, which ends the holds that wait for
// that point. For newInjector.
func (in *injector) gate(p *seam.Point) *quietCount {
	for p.Index >= len(in.gates) {
		in.gates = append(in.gates, nil)
	}
	if in.gates[p.Index] == nil {
		in.gates[p.Index] = new(quietCount)
	}
	return in.gates[p.Index]
}

// A held goroutine polls, in periods that grow from the shortest sleep that a timer serves to
// one whose cost is negligible for a second.
const (
	firstPoll = 20 * time.Microsecond
	lastPoll  = time.Millisecond
)

// hold returns when f's other point has been passed, when f's limit is over, or within a
// millisecond after f was stopped or the engine disarmed. It polls, since the goroutine that
// passes the point must not be delayed by the goroutines that it releases; see sleep for the
// effect of a channel on the race detector.
//
//go:norace
func (in *injector) hold(f *fault) {
	seen := f.until.value()
	in.inside.add(1)
	begin, poll := time.Now(), firstPoll
	for f.until.value() == seen {
		left := f.limit - time.Since(begin)
		if left <= 0 || in.disarmed.isSet() || f.stopped.isSet() {
			f.expired.add(1)
			break
		}
		time.Sleep(min(left, poll))
		poll = min(2*poll, lastPoll)
	}
	in.inside.add(-1)
}
