package campaign

import (
	"maps"
	"slices"

	"github.com/rouse-go/rouse/stress/internal/run"
)

// waitingBatches are the batches, by number, that are done and in the journal, but do not count yet:
// one before them is still running in another process.
type waitingBatches map[int]*run.BatchReport

// from returns the numbers of those from that batch on, in order.
func (w waitingBatches) from(first int) []int {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(w)), func(b int) bool { return b < first })
}

// executions is the number of executions of those from that batch on.
func (w waitingBatches) executions(first int) (n int) {
	for _, b := range w.from(first) {
		n += w[b].Executions
	}
	return n
}
