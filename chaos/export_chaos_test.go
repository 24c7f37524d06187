//go:build chaos

package chaos

import (
	"flag"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
)

// Body is what Explore makes an engine run.
func Body(f func(c *C)) func(e *control.Engine) func() {
	return func(e *control.Engine) func() {
		return func() {
			c := &C{engine: e}
			c.run(func() { f(c) })
		}
	}
}

// SetFlag sets a flag until the test ends, as the command line would.
func SetFlag(t *testing.T, name, value string) {
	t.Helper()
	before := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { flag.Set(name, before) }) //nolint:errcheck // it was valid
}

// SetReplayFlag sets -chaos.replay until the test ends, without the check that its parsing makes.
func SetReplayFlag(t *testing.T, file string) {
	before := flagReplay.file
	flagReplay.file = file
	t.Cleanup(func() { flagReplay.file = before })
}

// UninstallJoined takes out the engine of the hook points under stress test, which stays installed
// elsewhere.
func UninstallJoined() { current.uninstall() }

// JoinedHolds reports whether a task is held under stress test.
//
//go:norace
func JoinedHolds() bool { return current.points.held != nil }
