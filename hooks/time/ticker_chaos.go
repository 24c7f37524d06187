//go:build chaos

package time

import (
	"time"
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// Ticker is [time.Ticker] with points where it races with its owner. C is the
// standard field.
type Ticker time.Ticker

// NewTicker is [time.NewTicker], then passes time/ticker-new.
func NewTicker(d Duration) *Ticker {
	if control := seam.Controlled(); control != nil && d > 0 {
		c, fire := virtual(control)
		t := &Ticker{C: c}
		control.Arm(tickerNew, unsafe.Pointer(t), int64(d), int64(d), fire, false)
		tickerNew.At()
		return t
	}
	t := time.NewTicker(d)
	tickerNew.At()
	return (*Ticker)(t)
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
	if control := seam.Controlled(); control != nil {
		control.Disarm(tickerStop, unsafe.Pointer(t))
		empty(t.C)
		return
	}
	(*time.Ticker)(t).Stop()
}

// Reset passes time/ticker-reset, then lets the ticker tick every d from now. It
// panics where the standard one does.
func (t *Ticker) Reset(d Duration) {
	tickerReset.At()
	if control := seam.Controlled(); control != nil && d > 0 {
		control.Arm(tickerReset, unsafe.Pointer(t), int64(d), int64(d), nil, false)
		empty(t.C)
		return
	}
	(*time.Ticker)(t).Reset(d)
}
