package strategy

import "github.com/rouse-go/rouse/chaos/internal/splitmix"

const (
	// afterOneIn is the share of executions in which a strategy that samples switches
	// tasks after operations, too. It is for programs with data races only, and costs
	// the others time.
	afterOneIn = 8
	// afterStream tells its draw from others of the same seed.
	afterStream = 0x6166746572
)

// An after is the part of a strategy that makes it an AfterSwitcher in a share of its
// executions.
type after struct{ on bool }

// draw decides for the execution of that seed.
func (a *after) draw(seed uint64) { a.on = splitmix.Mix(seed, afterStream)%afterOneIn == 0 }

// SwitchesAfter implements AfterSwitcher.
func (a *after) SwitchesAfter() bool { return a.on }
