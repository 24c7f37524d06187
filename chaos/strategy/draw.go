package strategy

import (
	"math/bits"
	"math/rand/v2"
)

// stream is the second half of every generator's seed: the first is the
// execution's.
const stream = 0x9e3779b97f4a7c15

// alone is the denominator of the chance that a task which begins to repeat itself runs on
// alone. A bounded loop must come to its end now and then although others could go on;
// one without end costs as many steps as a task may make alone.
const alone = 4

// answer answers a Pick at random.
func answer(source *rand.PCG, c *Choice, n int) int {
	switch c.Asks {
	case RunOn:
		if intn(source, alone) > 0 {
			return 0
		}
		// Mostly to the end, else to somewhere before, each length about as likely as its
		// double: what follows a loop may look at the same once more.
		if length := intn(source, 3*bits.Len(uint(n-2))); length < bits.Len(uint(n-2)) {
			return min(n-1, 2+intn(source, 1<<length))
		}
		return 1
	case HoldOrRunOn: // it has been asked before
		return 0
	}
	return intn(source, n)
}

// intn returns a number in [0, n), n at least 1. It takes one draw, and no more
// than one: the bias, below n/2^64, is nothing to a search.
func intn(source *rand.PCG, n int) int {
	hi, _ := bits.Mul64(source.Uint64(), uint64(n))
	return int(hi)
}
