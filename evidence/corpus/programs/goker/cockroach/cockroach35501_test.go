package cockroach

import (
	"sync"
	"testing"
)

type constraint struct{ column, bound int }

func (c *constraint) holds(row []int) bool { return row[c.column] < c.bound }

// validateAll checks the constraints in parallel. All goroutines get the address of one variable
// unless each has its own.
func validateAll(constraints []constraint, row []int, own bool) {
	var checks sync.WaitGroup
	var c constraint
	for i := range constraints {
		c = constraints[i]
		subject := &c
		if own {
			subject = &constraints[i]
		}
		checks.Go(func() { _ = subject.holds(row) })
	}
	checks.Wait()
}

func TestCockroach35501(*testing.T) {
	validateAll([]constraint{{0, 10}, {1, 20}, {2, 30}}, []int{1, 2, 3}, false)
}

func TestCockroach35501Fixed(*testing.T) {
	validateAll([]constraint{{0, 10}, {1, 20}, {2, 30}}, []int{1, 2, 3}, true)
}
