//go:build !chaos

package time

import "time"

// Timer is [time.Timer].
type Timer = time.Timer

// Ticker is [time.Ticker].
type Ticker = time.Ticker

// Now is [time.Now].
func Now() Time { return time.Now() }

// Since is [time.Since].
func Since(t Time) Duration { return time.Since(t) }

// Until is [time.Until].
func Until(t Time) Duration { return time.Until(t) }

// Sleep is [time.Sleep].
func Sleep(d Duration) { time.Sleep(d) }

// After is [time.After].
func After(d Duration) <-chan Time { return time.After(d) }

// AfterFunc is [time.AfterFunc].
func AfterFunc(d Duration, f func()) *Timer { return time.AfterFunc(d, f) }

// NewTimer is [time.NewTimer].
func NewTimer(d Duration) *Timer { return time.NewTimer(d) }

// Tick is [time.Tick].
func Tick(d Duration) <-chan Time { return time.Tick(d) }

// NewTicker is [time.NewTicker].
func NewTicker(d Duration) *Ticker { return time.NewTicker(d) }
