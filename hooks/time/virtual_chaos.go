//go:build chaos

package time

import (
	"unsafe"

	"github.com/rouse-go/rouse/internal/seam"
)

// A timer with a channel, under a controller, sends into a channel of its own, of
// capacity one. As since Go 1.23, no value is left in it when it is stopped or
// reset.

// virtual returns the channel, and what fires the timer.
func virtual(control *seam.Control) (c chan Time, fire func()) {
	c = make(chan Time, 1)
	return c, func() {
		select {
		case c <- epoch.Add(Duration(control.Now())):
			control.Changed(address(c))
		default:
		}
	}
}

// address identifies the channel.
func address(c <-chan Time) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&c)) }

// empty takes out what the timer has sent, and reports whether there was something.
func empty(c <-chan Time) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
