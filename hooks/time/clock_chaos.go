//go:build chaos

package time

import (
	"time"

	"github.com/rouse-go/rouse/internal/seam"
)

// epoch is when a controlled execution begins: midnight UTC 2000-01-01, as in
// testing/synctest.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// current is the time now, the engine's if there is one.
func current() Time {
	if c := seam.Controlled(); c != nil {
		return epoch.Add(Duration(c.Now()))
	}
	return time.Now()
}

// Now is [time.Now], then passes time/now.
func Now() Time {
	t := current()
	now.At()
	return t
}

// Since is [time.Since], then passes time/now.
func Since(t Time) Duration {
	d := current().Sub(t)
	now.At()
	return d
}

// Until is [time.Until], then passes time/now.
func Until(t Time) Duration {
	d := t.Sub(current())
	now.At()
	return d
}

// Sleep passes time/sleep, is [time.Sleep], and passes time/slept.
func Sleep(d Duration) {
	sleep.At()
	if c := seam.Controlled(); c != nil {
		c.Sleep(sleep, int64(d))
	} else {
		time.Sleep(d)
	}
	slept.At()
}
