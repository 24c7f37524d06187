package strategy

import (
	"math/bits"
	"math/rand/v2"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
)

// stream is the second half of every generator's seed: the first is the
// execution's.
const stream = 0x9e3779b97f4a7c15

// alone is the denominator of the chance that a task which begins to repeat itself runs on
// alone. A bounded loop must sometimes reach its end although others could run; an
// endless one costs as many steps as a task may make alone.
const alone = 4

// answer returns a random answer to a Pick.
func answer(source *rand.PCG, c *Choice, n int) int {
	switch c.Asks {
	case RunOn:
		if intn(source, alone) > 0 {
			return 0
		}
		// Mostly to the end, else to some point before it, each length about as likely as
		// its double: what follows a loop may read the same once more. That holds for the lengths at which
		// a loop may as well be endless, too: each of them takes many steps.
		lengths := 3 * bits.Len(uint(min(n, RunOnStops)-2))
		length := intn(source, lengths)
		switch long := RunOnStops + lengths - 1 - length; {
		case length < lengths/3:
			return min(n-1, RunOnStops-1, 2+intn(source, 1<<length))
		case long < n:
			return long
		}
		return 1
	case HoldOrRunOn: // it has been asked before
		return 0
	}
	return intn(source, n)
}

// intn returns a number in [0, n), n at least 1. It takes exactly one draw: the bias,
// below n/2^64, does not matter to a search.
func intn(source *rand.PCG, n int) int {
	hi, _ := bits.Mul64(source.Uint64(), uint64(n))
	return int(hi)
}

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
