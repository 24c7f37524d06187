package explore

import "github.com/rouse-go/rouse/chaos/strategy"

// Seed returns what execution n is drawn from, of a run of the executions of a test.
func Seed(run uint64, n int) uint64 {
	return strategy.ChildKey(strategy.ChildKey(run, 0), n)
}
