package example

import (
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
)

// A ticker ticks when the clock is advanced by its period.
func TestTicker(t *testing.T) {
	clock := clockwork.NewFakeClock()
	ticker := clock.NewTicker(time.Second)
	defer ticker.Stop()
	for range 2 {
		clock.Advance(time.Second)
		<-ticker.Chan()
	}
}
