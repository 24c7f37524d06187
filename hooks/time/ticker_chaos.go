//go:build chaos

package time

import "time"

// Ticker is [time.Ticker] with points where it races with its owner. C is the
// standard field.
type Ticker time.Ticker

// NewTicker is [time.NewTicker], then passes time/ticker-new.
func NewTicker(d Duration) *Ticker {
	t := time.NewTicker(d)
	tickerNew.At()
	return (*Ticker)(t)
}

// Tick is [time.Tick], then passes time/ticker-new.
func Tick(d Duration) <-chan Time {
	c := time.Tick(d)
	tickerNew.At()
	return c
}

// Stop passes time/ticker-stop, then turns the ticker off. On the zero Ticker it
// does nothing, as the standard one.
func (t *Ticker) Stop() {
	tickerStop.At()
	(*time.Ticker)(t).Stop()
}

// Reset passes time/ticker-reset, then lets the ticker tick every d from now. It
// panics where the standard one does.
func (t *Ticker) Reset(d Duration) {
	tickerReset.At()
	(*time.Ticker)(t).Reset(d)
}
