//go:build chaos

package time

import (
	"time"

	"github.com/rouse-go/rouse/hooks"
)

// Now is [time.Now], then passes time/now.
func Now() Time {
	t := time.Now()
	hooks.At(now)
	return t
}

// Since is [time.Since], then passes time/now.
func Since(t Time) Duration {
	d := time.Since(t)
	hooks.At(now)
	return d
}

// Until is [time.Until], then passes time/now.
func Until(t Time) Duration {
	d := time.Until(t)
	hooks.At(now)
	return d
}

// Sleep passes time/sleep, is [time.Sleep], and passes time/slept.
func Sleep(d Duration) {
	hooks.At(sleep)
	time.Sleep(d)
	hooks.At(slept)
}
