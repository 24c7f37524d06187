package hooked

import (
	"strings"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/internal/goroutines"
)

// Blocked finds the goroutine that runs a task and is not parked by the engine. At the moment
// there may be none.
func (*Tasks) Blocked() (g goroutines.Goroutine, found bool) {
	text, _ := goroutines.Dump()
	for _, g := range goroutines.Parse(text) {
		if strings.Contains(g.Stack, ofHooked+"(*host).run") && !parked(g) {
			return g, true
		}
	}
	return goroutines.Goroutine{}, false
}

// ofHooked begins the names of the functions of this package.
const ofHooked = core.ModulePath + "chaos/internal/hooked."

// parked reports whether the engine has parked the goroutine. (A task that unwinds has turn on its
// stack, too, and runs.)
func parked(g goroutines.Goroutine) bool {
	for _, f := range []string{"(*coroutines).swap", "channels.swap", "channels.await"} {
		if strings.Contains(g.Stack, ofHooked+f) {
			return true
		}
	}
	return g.State == "coroutine" && strings.Contains(g.Stack, ofHooked+"(*Tasks).turn")
}
