package explore

import "github.com/rouse-go/rouse/chaos/strategy"

// Seed returns the seed of execution n of a test, in a run with the given seed.
func Seed(run uint64, n int) uint64 {
	return strategy.ChildKey(strategy.ChildKey(run, 0), n)
}
