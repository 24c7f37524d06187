//go:build chaos

package chaos

import "github.com/rouse-go/rouse/chaos/control"

// Body is what Explore makes an engine run.
func Body(f func(c *C)) func(e *control.Engine) func() {
	return func(e *control.Engine) func() { return func() { f(&C{engine: e}) } }
}
