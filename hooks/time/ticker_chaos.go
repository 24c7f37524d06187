//go:build chaos

package time

import (
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Ticker is [time.Ticker] with points where it races with its owner. C is the
// standard field.
type Ticker struct {
	C <-chan Time

	ticker *time.Ticker // nil if it runs in a controller's time

	control *seam.Control // in whose time it runs
}

// running is like the method of [Timer].
func (t *Ticker) running() bool { return seam.Controlled() == t.control }

// NewTicker is [time.NewTicker], then passes time/ticker-new.
func NewTicker(d Duration) *Ticker {
	if control := seam.Controlled(); control != nil && d > 0 {
		c, fire := virtual(control)
		t := &Ticker{C: c, control: control}
		control.Arm(tickerNew, unsafe.Pointer(t), int64(d), int64(d), fire, false)
		tickerNew.At()
		return t
	}
	ticker := time.NewTicker(d)
	tickerNew.At()
	return &Ticker{C: ticker.C, ticker: ticker}
}

// Tick is [time.Tick], then passes time/ticker-new.
func Tick(d Duration) <-chan Time {
	if seam.Controlled() != nil && d > 0 {
		return NewTicker(d).C
	}
	c := time.Tick(d)
	tickerNew.At()
	return c
}

// Stop passes time/ticker-stop, then turns the ticker off. On the zero Ticker it
// does nothing, as the standard one.
func (t *Ticker) Stop() {
	tickerStop.At()
	if t.control != nil {
		if t.running() {
			t.control.Disarm(tickerStop, unsafe.Pointer(t))
		}
		empty(t.C)
	} else if t.ticker != nil {
		t.ticker.Stop()
	}
}

// Reset passes time/ticker-reset, then lets the ticker tick every d from now. It
// panics where the standard one does.
func (t *Ticker) Reset(d Duration) {
	tickerReset.At()
	switch {
	case t.ticker != nil:
		t.ticker.Reset(d)
	case t.control == nil || d <= 0:
		new(time.Ticker).Reset(d) // panics
	default:
		if t.running() {
			t.control.Arm(tickerReset, unsafe.Pointer(t), int64(d), int64(d), nil, false)
		}
		empty(t.C)
	}
}
