package strategy

import (
	"math/bits"
	"math/rand/v2"
)

// stream is the second half of every generator's seed: the first is the
// execution's.
const stream = 0x9e3779b97f4a7c15

// intn returns a number in [0, n), n at least 1. It takes one draw, and no more
// than one: the bias, below n/2^64, is nothing to a search.
func intn(source *rand.PCG, n int) int {
	hi, _ := bits.Mul64(source.Uint64(), uint64(n))
	return int(hi)
}
