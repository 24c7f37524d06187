package strategy

import "github.com/rouse-go/rouse/chaos/internal/splitmix"

const (
	// One in afterOneIn executions of a sampling strategy switches tasks after operations as
	// well. Only programs with data races need that, and it costs the others time.
	afterOneIn = 8
	// afterStream separates this draw from others of the same seed.
	afterStream = 0x6166746572
)

// after makes a strategy that embeds it an AfterSwitcher in a share of its executions.
type after struct{ on bool }

// draw decides for the execution with that seed.
func (a *after) draw(seed uint64) { a.on = splitmix.Mix(seed, afterStream)%afterOneIn == 0 }

// SwitchesAfter implements AfterSwitcher.
func (a *after) SwitchesAfter() bool { return a.on }
