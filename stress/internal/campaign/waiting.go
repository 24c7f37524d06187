package campaign

import (
	"maps"
	"slices"

	"github.com/rouse-go/rouse/stress/internal/run"
)

// waitingBatches holds the batches, by number, that are done and in the journal, but do not count yet,
// because an earlier one is still running in another process.
type waitingBatches map[int]*run.BatchReport

// from returns the numbers of the waiting batches from first on, in order.
func (w waitingBatches) from(first int) []int {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(w)), func(b int) bool { return b < first })
}

// executions returns the number of executions in the waiting batches from first on.
func (w waitingBatches) executions(first int) (n int) {
	for _, b := range w.from(first) {
		n += w[b].Executions
	}
	return n
}
